package kernel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

func basisKernel(name string, basis int) *kernel.Model {
	return &kernel.Model{Kernel: name, Gamma: 0.5, Degree: 2, Coef: 1, LossScale: 1, Basis: basis, BasisSeed: 1}
}

func TestKernelBasisConformance(t *testing.T) {
	for _, name := range []string{"linear", "rbf", "polynomial"} {
		for _, basis := range []int{1, 7, 20} {
			d := examples.Rows(20, 4, 3, basis == 7)
			modeltest.Check(t, examples.Build(t, basisKernel(name, basis), d, d), examples.Classes(3))
		}
	}
}

// phi returns the features φ_y(x) of an example for class y (see basis), as its feature map gives them.
func phi(task *models.Task, e *models.Example, y int) []float64 {
	w, mu := make([]float64, task.Dim()), make([]float64, e.Features.Parts())
	mu[y] = 1
	e.Features.AddAdjoint(w, 1, mu)
	return w
}

// TestKernelBasisInnerProducts checks three properties of the features φ_y(x) of a basis. If one of two pairs is in the
// basis, their inner product is the kernel value. For every input, |φ_y(x)|² ≤ k(x, x). Different classes do not share
// weights.
func TestKernelBasisInnerProducts(t *testing.T) {
	const n, k = 40, 3
	d := examples.Rows(n, 3, k, false)
	exact := examples.Build(t, &kernel.Model{Kernel: "rbf", Gamma: 0.5, LossScale: 1, Cache: 1}, d, nil)
	task := examples.Build(t, basisKernel("rbf", n), d, nil)
	value := func(i, j int) float64 {
		theta, unit := make([]float64, k), make([]float64, exact.Dim())
		unit[j*k] = 1
		exact.Train[i].Features.Score(theta, unit)
		return theta[0]
	}
	for i := range n {
		for j := range n {
			for y := range k {
				a, b := phi(task, &task.Train[i], y), phi(task, &task.Train[j], y)
				var got float64
				for t := range a {
					got += a[t] * b[t]
				}
				switch {
				case d.Y[i] == y && math.Abs(got-value(i, j)) > 1e-6: // got must be exact if i or j is in the basis
					t.Fatalf("φ_%d(x_%d)·φ_%d(x_%d) = %v, want the kernel value %v", y, i, y, j, got, value(i, j))
				case i == j && got > 1+1e-9:
					t.Fatalf("|φ_%d(x_%d)|² = %v, want at most k(x, x) = 1", y, i, got)
				}
				for z := range y {
					for t2, v := range phi(task, &task.Train[j], z) {
						if v*a[t2] != 0 {
							t.Fatalf("classes %d and %d share weight %d, want no shared weights", y, z, t2)
						}
					}
				}
			}
		}
	}
}

// TestKernelBasisIsMulticlass checks the linear kernel with all pairs as basis. The inputs of each class span the
// feature space, so the problem is the same as with multiclass.Model: at the same scoring function, primal and bound
// are equal.
func TestKernelBasisIsMulticlass(t *testing.T) {
	const n, k, dim, lambda = 60, 3, 4, 0.1
	d := examples.Rows(n, dim, k, true)
	axes := &datasets.Labelled{X: datasets.Rows{N: dim, Dim: dim, Value: make([]float64, dim*dim)}, Y: make([]int, dim),
		Classes: d.Classes}
	for j := range dim {
		axes.X.Value[j*dim+j] = 1
	}
	task, plain := examples.Build(t, basisKernel("linear", n), d, axes), examples.Build(t, multiclass.Model{}, d, nil)
	beta, w := examples.Weights(7, task.Dim()), make([]float64, plain.Dim())
	// Replace beta by g − beta, where g is the gradient of the risk at beta with λ = 1. The result is the gradient of the
	// mean loss, which is in the span of the examples' features. A component of beta outside this span would only increase
	// |β|².
	g := make([]float64, task.Dim())
	examples.RiskOf(t, task, models.LogLoss(), 1).Gradient(g, beta)
	for j := range beta {
		beta[j] = g[j] - beta[j]
	}
	for j := range dim { // the weights of feature j are the scores of its unit vector
		task.Validation[j].Features.Score(w[j*k:(j+1)*k], beta)
	}
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge()} {
		p, q := examples.RiskOf(t, task, loss, lambda), examples.RiskOf(t, plain, loss, lambda)
		if a, b := p.Primal(beta), q.Primal(w); math.Abs(a-b) > 1e-5*b {
			t.Errorf("%+v: primal = %v, want %v as in multiclass", loss, a, b)
		}
		if a, b := p.Bound(beta), q.Bound(w); math.Abs(a-b) > 1e-5*(1+math.Abs(b)) {
			t.Errorf("%+v: bound = %v, want %v as in multiclass", loss, a, b)
		}
	}
	if a, b := task.Facts["radius_sq"], plain.Facts["radius_sq"]; math.Abs(a-b) > 1e-5*b {
		t.Errorf("radius_sq = %v, want %v as in multiclass", a, b)
	}
}

// TestKernelBasisEvaluations checks that the low-rank form costs n·b evaluations, and that the basis depends on the
// seed alone.
func TestKernelBasisEvaluations(t *testing.T) {
	for _, n := range []int{50, 100} {
		for _, b := range []int{1, 10, 20} {
			task := examples.Build(t, basisKernel("rbf", b), examples.Rows(n, 4, 3, true), nil)
			w, theta := examples.Weights(1, b), make([]float64, 3)
			for i := range task.Train {
				task.Train[i].Features.Score(theta, w)
			}
			if got, want := evaluations(task), int64(n*b); got != want || task.Facts["kernel_evaluations"] != float64(want) {
				t.Errorf("n = %d, b = %d: evaluations = %d, in Facts %v, want %d", n, b, got, task.Facts["kernel_evaluations"],
					want)
			}
		}
	}
	d := examples.Rows(50, 4, 3, true)
	w := examples.Weights(1, 10)
	primal := func(seed uint64) float64 {
		m := basisKernel("rbf", 10)
		m.BasisSeed = seed
		return examples.Risk(t, m, d, models.LogLoss(), 1).Primal(w)
	}
	if primal(1) != primal(1) || primal(1) == primal(2) {
		t.Error("want the same problem with the same seed, and different problems with different seeds")
	}
}

// TestKernelBasisWarnings checks that there is a warning for each class without a pair, that a basis of all pairs has
// none, and that a basis of equal inputs gives finite values.
func TestKernelBasisWarnings(t *testing.T) {
	d := examples.Rows(30, 3, 3, false)
	says := func(task *models.Task, part string) bool {
		return slices.ContainsFunc(task.Warnings, func(w string) bool { return strings.Contains(w, part) })
	}
	if task := examples.Build(t, basisKernel("rbf", 1), d, nil); !says(task, "no pair of class") ||
		len(task.Warnings) != 2 {
		t.Errorf("a basis of one pair for 3 classes: warnings = %q, want one for each of two classes", task.Warnings)
	}
	if task := examples.Build(t, basisKernel("rbf", 30), d, nil); len(task.Warnings) != 0 {
		t.Errorf("a basis of all pairs: warnings = %q, want none", task.Warnings)
	}
	same := examples.Rows(30, 3, 3, false)
	for i := range same.X.N { // the same input 30 times
		copy(same.X.Value[i*3:(i+1)*3], same.X.Value[:3])
	}
	task := examples.Build(t, basisKernel("linear", 30), same, nil)
	if v := examples.RiskOf(t, task, models.LogLoss(), 1).Primal(examples.Weights(1, 30)); math.IsNaN(v) ||
		math.IsInf(v, 0) {
		t.Errorf("primal on a basis of equal inputs = %v, want a finite number", v)
	}
}
