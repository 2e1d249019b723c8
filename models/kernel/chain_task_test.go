package kernel_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestChainKernelProduct checks the scores against the product K w of the kernel matrix K and the coefficients w, with
// and without storing K, for sizes larger than one block of positions and one block of rows.
func TestChainKernelProduct(t *testing.T) {
	const k = 50
	d := examples.Sequences(10, "dense", k, 3, 70, 1, 2, 60, 17)
	kept, live := examples.Build(t, chainKernel("rbf", "tied", 1), d, nil),
		examples.Build(t, chainKernel("rbf", "tied", 0), d, nil)
	w := examples.Weights(2, kept.Dim())
	a, b := make([]float64, kept.Dim()), make([]float64, kept.Dim())
	weightsOf(kept).Norm(a, w)
	weightsOf(live).Norm(b, w)
	at := 0
	for i := range kept.Train {
		f := kept.Train[i].Features
		theta := make([]float64, f.Parts())
		f.Score(theta, w)
		l := d.Start[i+1] - d.Start[i]
		for r, v := range theta[:l*k] {
			if math.Abs(v-b[at+r]) > 1e-12*(1+math.Abs(v)) || math.Abs(v-a[at+r]) > 1e-12*(1+math.Abs(v)) {
				t.Fatalf("sequence %d: score of part %d = %v, want K w, which is %v with the matrix and %v without", i, r, v,
					a[at+r], b[at+r])
			}
		}
		at += l * k
	}
	if !slices.Equal(a[at:], w[at:]) || !slices.Equal(b[at:], w[at:]) {
		t.Error("Norm changes the weights of transitions, want copies")
	}
}

// TestChainKernelValidation checks that the kernel values of validation sequences are kept if they fit into Cache, that
// the scores are the same with and without Cache, and that AddAdjoint panics for validation sequences.
func TestChainKernelValidation(t *testing.T) {
	const k = 3
	// the validation data have fewer features, as can happen with sparse files
	train, held := examples.Sequences(11, "dense", k, 4, 5, 3, 1), examples.Sequences(12, "sparse", k, 3, 4, 2)
	for _, edges := range []string{"tied", "untied"} {
		kept, live := examples.Build(t, chainKernel("rbf", edges, 1), train, held),
			examples.Build(t, chainKernel("rbf", edges, 0), train, held)
		if got := evaluations(kept); got != 9*10/2+6*9 {
			t.Errorf("%s: evaluations for 9 training and 6 validation positions = %d, want 99", edges, got)
		}
		if got := kept.Facts["kernel_evaluations"]; got != 45 {
			t.Errorf("%s: kernel_evaluations in Facts = %v, want 45, for the training data only", edges, got)
		}
		w := examples.Weights(3, kept.Dim())
		for i := range kept.Validation {
			parts := kept.Validation[i].Features.Parts()
			a, b := make([]float64, parts), make([]float64, parts)
			kept.Validation[i].Features.Score(a, w)
			live.Validation[i].Features.Score(b, w)
			for r := range a {
				if math.Abs(a[r]-b[r]) > 1e-12 {
					t.Fatalf("%s: validation sequence %d: score from kept values = %v at part %d, want %v", edges, i, a[r], r, b[r])
				}
			}
		}
		f := kept.Validation[0].Features.(interface {
			models.SparseMap
			models.Gram
		})
		mu, truth := make([]float64, f.Parts()), kept.Validation[0].Truth
		for name, call := range map[string]func(){
			"AddAdjoint": func() { f.AddAdjoint(w, 1, mu) },
			"Adjoint":    func() { f.Adjoint(new(models.Sparse), mu) },
			"Add":        func() { f.Add(w, 1, truth) },
			"NormSq":     func() { f.NormSq(mu) },
		} {
			examples.Panics(t, name+" of a validation sequence", "kernel: ", "", call)
		}
	}
}

func TestChainKernelErrors(t *testing.T) {
	sequences := func(change func(*datasets.Sequences)) *datasets.Sequences {
		s := examples.Sequences(8, "sparse", 3, 2, 2, 2)
		change(s)
		return s
	}
	with := func(change func(*kernel.Chain)) kernel.Chain {
		m := *chainKernel("rbf", "tied", 1)
		change(&m)
		return m
	}
	plain, good := with(func(*kernel.Chain) {}), sequences(func(*datasets.Sequences) {})
	infinite := examples.Sequences(8, "dense", 3, 2, 2, 2)
	infinite.X.Value[5] = math.Inf(1)
	for _, c := range []struct {
		name              string
		model             kernel.Chain
		train, validation datasets.Data
		says              []string
	}{
		{"unknown kernel", with(func(m *kernel.Chain) { m.Kernel = "sigmoid" }), good, nil,
			[]string{`"sigmoid"`, "linear, rbf, polynomial"}},
		{"negative cache", with(func(m *kernel.Chain) { m.Cache = -1 }), good, nil,
			[]string{"cache is -1", "megabytes"}},
		{"edges", with(func(m *kernel.Chain) { m.Edges = "both" }), good, nil,
			[]string{`edges is "both"; accepted: tied, untied`}},
		{"rows", plain, examples.Rows(3, 2, 2, false), nil,
			[]string{"needs labelled sequences; the data set has labelled rows"}},
		{"sentences", plain, examples.Sentences([]string{"word", "pos"}, "a/D b/N"), nil,
			[]string{"needs labelled sequences; the data set has sentences"}},
		{"mixed", plain, good, examples.Rows(3, 2, 2, false),
			[]string{"needs labelled sequences; the validation data have labelled rows"}},
		{"one label", plain, sequences(func(s *datasets.Sequences) { s.Labels = s.Labels[:1] }), nil,
			[]string{"at least 2 labels; the training data have 1"}},
		{"no sequences", plain, sequences(func(s *datasets.Sequences) { s.Start = s.Start[:1] }), nil,
			[]string{"there are no training sequences"}},
		{"label out of range", plain, good, sequences(func(s *datasets.Sequences) { s.Y[3] = 7 }),
			[]string{"position 4 of the validation sequences has label 7: want 0 to 2"}},
		{"more validation features", plain, good, examples.Sequences(9, "sparse", 3, 5, 2),
			[]string{"5 features and 3 labels: want at most 2 and 3"}},
		{"more validation labels", plain, good, examples.Sequences(9, "sparse", 4, 2, 2),
			[]string{"2 features and 4 labels: want at most 2 and 3"}},
		{"feature that is infinite", plain, infinite, nil, []string{"rbf kernel of training row 3", "NaN"}},
	} {
		_, err := c.model.Build(c.train, c.validation)
		examples.Refused(t, c.name, err, append(c.says, "model chain-kernel")...)
	}
}

// BenchmarkChainKernel measures Build, the score of a sequence and |w|² with 26 labels, 128 features and 2000
// positions.
func BenchmarkChainKernel(b *testing.B) {
	d := examples.Sequences(1, "ones", 26, 128, slices.Repeat([]int{8}, 250)...)
	for _, c := range []struct {
		name  string
		cache int
	}{{"matrix", 256}, {"no matrix", 0}} {
		b.Run("build/"+c.name, func(b *testing.B) {
			for b.Loop() {
				examples.Build(b, chainKernel("rbf", "tied", c.cache), d, nil)
			}
		})
		task := examples.Build(b, chainKernel("rbf", "tied", c.cache), d, nil)
		w, image := examples.Weights(1, task.Dim()), make([]float64, task.Dim())
		theta := make([]float64, task.Train[0].Features.Parts())
		b.Run("score/"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				task.Train[i%250].Features.Score(theta, w)
			}
		})
		b.Run("norm/"+c.name, func(b *testing.B) {
			for b.Loop() {
				weightsOf(task).Norm(image, w)
			}
		})
	}
}
