package cfg_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// ptbSample returns the trees of the treebank sample with at most words words (0: all). A test must not download data,
// so ptbSample skips the test if the data are not there.
func ptbSample(t testing.TB, words int) *datasets.Treebank {
	t.Helper()
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" || testing.Short() {
		t.Skip("the treebank sample needs GAPLAB_DATA, and a run without -short")
	}
	set, err := real.PTBSample{MaxWords: words}.Load(context.Background(), datasets.Source{Data: dir, Offline: true})
	if err != nil {
		t.Skipf("reading the treebank sample: %v", err)
	}
	return set.Train.(*datasets.Treebank)
}

// TestCFGRoundTripOfTheSample checks that every tree of the sample is restored from its vertex.
func TestCFGRoundTripOfTheSample(t *testing.T) {
	bank := ptbSample(t, 0)
	task := buildCFG(t, cfg.Model{LossScale: 100}, bank, nil)
	if want := 3747 + 13341; task.Dim() != want {
		t.Errorf("dimension = %d, want %d: 3747 phrase rules and 13341 lexical rules", task.Dim(), want)
	}
	for i := range task.Train {
		e := &task.Train[i]
		want := examples.DropRepeats(bank.Trees[i])
		if got := e.Features.(examples.TreeMap).Tree(e.Truth); !reflect.DeepEqual(got, want) {
			t.Fatalf("tree %d restored from its vertex differs (-want +got): %s", i, cmp.Diff(want, got))
		}
	}
}

// TestCFGOnShortSentences uses the sentences of at most 15 words. It checks that their number of rules is the number
// that other programs count. For every 4th sentence, or every 40th if forests are not kept, it checks that the true
// tree is in the forest.
func TestCFGOnShortSentences(t *testing.T) {
	const rules = 867
	bank := ptbSample(t, 15)
	for forests, every := range map[int]int{0: 40, 256: 4} {
		task := buildCFG(t, cfg.Model{LossScale: 100, Forests: forests}, bank, nil)
		if len(task.Train) != 922 || task.Dim() != rules+3366 {
			t.Fatalf("%d trees, %d weights, want 922 trees, 867 phrase rules and 3366 lexical rules", len(task.Train),
				task.Dim())
		}
		var theta []float64
		var y models.Vertex
		for i := 0; i < len(task.Train); i += every {
			e := &task.Train[i]
			theta = models.Resize(theta, e.Features.Parts())
			for r := range theta {
				theta[r] = -1
				if r < rules {
					theta[r] = 0 // the true tree must win by its tags and brackets alone, so rules score 0
				}
			}
			for _, r := range e.Truth {
				if r >= rules {
					theta[r] = 1
				}
			}
			if y, _ = e.Max.Max(y, theta); !y.Equal(e.Truth) {
				t.Errorf("sentence %d: best tree when the true brackets score most = %v, want %v", i, y, e.Truth)
			}
			y, second := e.Second.Second(y, theta, e.Truth)
			if y.Equal(e.Truth) || math.Abs(y.Dot(theta)-second) > 1e-9 && len(y) > 0 {
				t.Errorf("sentence %d: second-best tree = %v with score %v, want another tree with its score", i, y, second)
			}
		}
	}
}

// BenchmarkCFG measures one pass of each method over the sentences of at most 15 words.
func BenchmarkCFG(b *testing.B) {
	bank := ptbSample(b, 15)
	for _, forests := range []int{256, 0} {
		task := buildCFG(b, cfg.Model{LossScale: 100, Forests: forests}, bank, nil)
		w := examples.Weights(1, task.Dim())
		thetas := make([][]float64, len(task.Train))
		longest := 0
		for i := range task.Train {
			f := task.Train[i].Features
			thetas[i] = make([]float64, f.Parts())
			f.Score(thetas[i], w)
			longest = max(longest, f.Parts())
		}
		mu, y := make([]float64, longest), models.Vertex(nil)
		for _, c := range []struct {
			name string
			call func(e *models.Example, theta []float64)
		}{
			{"score", func(e *models.Example, theta []float64) { e.Features.Score(mu[:len(theta)], w) }},
			{"max", func(e *models.Example, theta []float64) { y, _ = e.Max.Max(y, theta) }},
			{"second", func(e *models.Example, theta []float64) { y, _ = e.Second.Second(y, theta, e.Truth) }},
			{"logsum", func(e *models.Example, theta []float64) { e.Exp.LogSum(nil, theta) }},
			{"marginals", func(e *models.Example, theta []float64) { e.Exp.LogSum(mu[:len(theta)], theta) }},
		} {
			b.Run(fmt.Sprintf("%s/forests=%d", c.name, forests), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for i := range task.Train {
						c.call(&task.Train[i], thetas[i])
					}
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*len(task.Train)), "µs/sentence")
			})
		}
	}
}

// BenchmarkCFGBuild measures reading the grammar and parsing all sentences.
func BenchmarkCFGBuild(b *testing.B) {
	for _, words := range []int{15, 25} {
		bank := ptbSample(b, words)
		b.Run(fmt.Sprintf("words=%d", words), func(b *testing.B) {
			for b.Loop() {
				buildCFG(b, cfg.Model{LossScale: 100, Forests: 256}, bank, nil)
			}
		})
	}
}
