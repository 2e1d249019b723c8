package models_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestInBlocks checks that the blocks cover the range once and in order, with their numbers, also if there are more
// blocks than elements, and that a panic arrives in the caller with its message.
func TestInBlocks(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 9} {
		for _, n := range []int{0, 1, 5, 64, 100} {
			for _, blocks := range []int{1, 3, 64} {
				from, to := make([]int, blocks), make([]int, blocks)
				models.InBlocks(n, blocks, workers, func(b, lo, hi int) { from[b], to[b] = lo, hi })
				end := 0
				for b := range blocks {
					if from[b] != end || to[b]-from[b] > (n+blocks-1)/blocks {
						t.Fatalf("%d elements, %d workers: block %d of %d is %d to %d", n, workers, b, blocks, from[b], to[b])
					}
					end = to[b]
				}
				if end != n {
					t.Errorf("%d elements in %d blocks, %d workers: the last block ends at %d", n, blocks, workers, end)
				}
			}
		}
		examples.Panics(t, fmt.Sprint(workers, " workers"), "block 2", "", func() {
			models.InBlocks(10, 3, workers, func(b, _, _ int) {
				if b == 2 {
					panic("block 2")
				}
			})
		})
	}
}

// layer is a feature map on top of another one.
type layer struct{ models.FeatureMap }

func (l layer) Base() models.FeatureMap { return l.FeatureMap }

func TestBaseFeatures(t *testing.T) {
	f := examples.Identity(3)
	for _, top := range []models.FeatureMap{f, layer{f}, layer{layer{f}}} {
		if got := models.BaseFeatures(top); got != models.FeatureMap(f) {
			t.Errorf("base of %T = %T, want %T", top, got, f)
		}
	}
}

// TestChainEntropy compares the entropy of chains of one to four positions, from their marginals, with log Z −
// μ·θ.
func TestChainEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, k := range []int{1, 2, 3} {
		task := examples.Build(t, chain.Model{Edges: "untied"}, examples.Sequences(1, "dense", max(k, 2), 2, 1, 2, 3, 4), nil)
		for i := range task.Train {
			e := &task.Train[i]
			theta := examples.Normals(rng, e.Features.Parts(), 1)
			mu := make([]float64, len(theta))
			want := e.Exp.LogSum(mu, theta)
			for r, m := range mu {
				want -= m * theta[r]
			}
			if got := models.ChainEntropy(mu, max(k, 2)); math.Abs(got-want) > 1e-10 {
				t.Errorf("%d labels, %d positions: entropy = %v, want %v", max(k, 2), i+1, got, want)
			}
		}
	}
	if got := models.ChainEntropy([]float64{0, 1}, 2); got != 0 {
		t.Errorf("entropy of a certain label = %v, want 0", got)
	}
}

// TestSame checks that the model same takes over the earlier task, with other examples and the given weights as its
// start, does not change the earlier task, and has neither its warnings nor its validation data.
func TestSame(t *testing.T) {
	train, other := examples.Sequences(1, "dense", 3, 2, 4, 1), examples.Sequences(2, "dense", 3, 2, 2, 3, 1)
	base := examples.Build(t, chain.Model{}, train, train)
	base.Warnings = []string{"of the earlier task"}
	w := examples.Weights(1, base.Dim())
	for _, held := range []datasets.Data{nil, train} {
		task, err := models.Same{}.Extend(base, w, other, held)
		if err != nil {
			t.Fatal(err)
		}
		validation := 0
		if held != nil {
			validation = held.Len()
		}
		u := task.Unknowns.(models.Weights)
		if len(task.Train) != 3 || len(task.Validation) != validation || !slices.Equal(u.Start, w) || u.Dim != base.Dim() ||
			task.Warnings != nil || len(task.Metrics) != len(base.Metrics) || task.Model != base.Model {
			t.Errorf("the task has %d and %d examples, the start %v, the warnings %q", len(task.Train), len(task.Validation),
				u.Start, task.Warnings)
		}
		if len(base.Train) != 2 || len(base.Validation) != 2 || len(base.Warnings) != 1 ||
			base.Unknowns.(models.Weights).Start != nil {
			t.Error("the earlier task has changed")
		}
	}
	closed := *base
	closed.Examples = nil
	free := *base
	free.Unknowns = twoVectors()
	failing := *base
	failing.Examples = func(datasets.Data) ([]models.Example, error) { return nil, errors.New("damaged") }
	for _, c := range []struct {
		base *models.Task
		w    []float64
		want string
	}{
		{&closed, w, "cannot build examples"}, {&free, w, "cannot build examples"}, {base, w[1:], "weights: want"},
		{&failing, w, "damaged"},
	} {
		if _, err := (models.Same{}).Extend(c.base, c.w, other, train); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := (models.Same{}).Extend(base, w, other, examples.Rows(3, 2, 2, false)); err == nil {
		t.Error("validation data of another kind are accepted")
	}
	if _, err := (models.Same{}).Build(train, nil); err == nil {
		t.Error("the model same is built without an earlier task")
	}
}
