package kernel_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

func exactKernel(name string, cache int) *kernel.Model {
	return &kernel.Model{Kernel: name, Gamma: 0.5, Degree: 2, Coef: 1.5, LossScale: 1, Cache: cache}
}

// counted has the method of this package's feature maps that returns the number of kernel evaluations.
type counted interface{ KernelEvaluations() int64 }

// evaluations returns the number of kernel evaluations of a task so far.
func evaluations(task *models.Task) int64 {
	return task.Train[0].Features.(counted).KernelEvaluations()
}

func TestKernelConformance(t *testing.T) {
	for _, name := range []string{"linear", "rbf", "polynomial"} {
		for _, sparse := range []bool{false, true} {
			for _, cache := range []int{0, 1} {
				d := examples.Rows(6, 4, 3, sparse)
				for _, bias := range []float64{0, 1.5} {
					m := exactKernel(name, cache)
					m.Bias = bias
					modeltest.Check(t, examples.Build(t, m, d, nil), examples.Classes(3))
				}
			}
		}
	}
}

// explicit returns the data with features whose inner product is the kernel, plus the bias. For the linear kernel the
// features are x. For (γ x·z + c)² they are the products γ x_i x_j, the √(2γc) x_i, and c.
func explicit(d *datasets.Labelled, m *kernel.Model) *datasets.Labelled {
	if m.Kernel == "linear" && m.Bias == 0 {
		return d
	}
	out := &datasets.Labelled{Y: d.Y, Classes: d.Classes}
	for i := range d.X.N {
		x := make([]float64, d.X.Dim)
		index, value := d.X.Row(i)
		for t, v := range value {
			if index == nil {
				x[t] = v
			} else {
				x[index[t]] = v
			}
		}
		if m.Kernel == "linear" {
			out.X.Value = append(append(out.X.Value, x...), m.Bias)
			continue
		}
		for _, a := range x {
			out.X.Value = append(out.X.Value, math.Sqrt(2*m.Gamma*m.Coef)*a)
			for _, b := range x {
				out.X.Value = append(out.X.Value, m.Gamma*a*b)
			}
		}
		out.X.Value = append(out.X.Value, m.Coef, m.Bias)
	}
	out.X.N, out.X.Dim = d.X.N, len(out.X.Value)/d.X.N
	return out
}

// TestKernelAgainstExplicitFeatures checks that the exact form is equivalent to multiclass.Model on the explicit
// features of the kernel, with w = Σ_i A_iᵀ β_i: primal, bound, gradient and predictions are equal.
func TestKernelAgainstExplicitFeatures(t *testing.T) {
	const n, k, lambda = 30, 3, 0.2
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }
	for _, name := range []string{"linear", "polynomial"} {
		for _, sparse := range []bool{false, true} {
			for _, c := range []struct {
				cache int
				bias  float64
			}{{0, 0}, {1, 0}, {0, 1.5}, {1, 1.5}} {
				m := exactKernel(name, c.cache)
				m.Bias = c.bias
				train, held := examples.Rows(n, 4, k, sparse), examples.Rows(50, 4, k, !sparse)
				task := examples.Build(t, m, train, held)
				plain := examples.Build(t, multiclass.Model{}, explicit(train, m), explicit(held, m))
				image := func(beta []float64) []float64 {
					w := make([]float64, plain.Dim())
					for i := range n {
						plain.Train[i].Features.AddAdjoint(w, 1, beta[i*k:(i+1)*k])
					}
					if c.bias > 0 {
						copy(w[len(w)-k:], beta[n*k:])
					}
					return w
				}
				beta := examples.Weights(3, task.Dim())
				w := image(beta)
				for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), models.Slack()} {
					p, q := examples.RiskOf(t, task, loss, lambda), examples.RiskOf(t, plain, loss, lambda)
					if a, b := p.Primal(beta), q.Primal(w); !near(a, b) {
						t.Errorf("%s, %+v: primal = %v, want %v as with explicit features", name, loss, a, b)
					}
					if loss.Slack {
						continue
					}
					if a, b := p.Bound(beta), q.Bound(w); !near(a, b) {
						t.Errorf("%s, %+v: bound = %v, want %v as with explicit features", name, loss, a, b)
					}
					g, h := make([]float64, p.Dim), make([]float64, q.Dim)
					p.Gradient(g, beta)
					q.Gradient(h, w)
					for j, v := range image(g) {
						if !near(v, h[j]) {
							t.Errorf("%s, %+v: gradient = %v at feature %d, want %v as with explicit features", name, loss, v, j, h[j])
							break
						}
					}
				}
				if a, b := task.Evaluate(beta, 1)["validation_error"], plain.Evaluate(w, 1)["validation_error"]; a != b {
					t.Errorf("%s: validation error = %v, want %v as with explicit features", name, a, b)
				}
				if a, b := task.Facts["radius_sq"], plain.Facts["radius_sq"]; !near(a, b) {
					t.Errorf("%s: radius_sq = %v, want %v as with explicit features", name, a, b)
				}
			}
		}
	}
}

// TestKernelMatrix checks that the matrix of the rbf kernel has the values of its definition and is positive
// semidefinite.
func TestKernelMatrix(t *testing.T) {
	const n, k, dim = 25, 2, 3
	d := examples.Rows(n, dim, k, false)
	for _, cache := range []int{0, 1} {
		m := exactKernel("rbf", cache)
		task := examples.Build(t, m, d, nil)
		g := mat.NewSymDense(n, nil)
		image, unit := make([]float64, task.Dim()), make([]float64, task.Dim())
		for j := range n {
			clear(unit)
			unit[j*k+1] = 1
			weightsOf(task).Norm(image, unit)
			for i := range n {
				var distance float64
				for r := range dim {
					diff := d.X.Value[i*dim+r] - d.X.Value[j*dim+r]
					distance += diff * diff
				}
				if want := math.Exp(-m.Gamma * distance); math.Abs(image[i*k+1]-want) > 1e-14 || image[i*k] != 0 {
					t.Fatalf("k(x_%d, x_%d) = %v, want %v, and 0 between classes", i, j, image[i*k+1], want)
				}
				g.SetSym(i, j, image[i*k+1])
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(g, false) {
			t.Fatal("the eigenvalues of the matrix cannot be computed")
		}
		if least := slices.Min(eigen.Values(nil)); least < -1e-12 {
			t.Errorf("smallest eigenvalue of the rbf matrix = %v, want at least 0", least)
		}
	}
}

// TestKernelColumn checks the product with the kernel matrix if the matrix is not stored, so that the product sums
// columns. The product must have the same bits as the scores of the inputs. A product with one non-zero coefficient
// must cost n evaluations.
func TestKernelColumn(t *testing.T) {
	const n = 40
	for _, kernel := range []struct {
		name string
		k    int
	}{{"linear", 2}, {"rbf", 2}, {"rbf", 3}, {"polynomial", 5}} {
		name, k := kernel.name, kernel.k
		d := examples.Rows(n, 23, k, true)
		rareOdd(&d.X)
		task := examples.Build(t, exactKernel(name, 0), d, nil)
		image, w, theta := make([]float64, task.Dim()), make([]float64, task.Dim()), make([]float64, k)
		scored := func(what string) {
			for i := range task.Train {
				task.Train[i].Features.Score(theta, w)
				if !slices.Equal(image[i*k:(i+1)*k], theta) {
					t.Fatalf("%s, %s: product = %v at input %d, want its scores %v", name, what, image[i*k:(i+1)*k], i, theta)
				}
			}
		}
		for j := range n {
			clear(w)
			w[j*k] = 0.7
			before := evaluations(task)
			weightsOf(task).Norm(image, w)
			if got := evaluations(task) - before; got != n {
				t.Errorf("%s: evaluations for a column = %d, want %d", name, got, n)
			}
			scored(fmt.Sprintf("column %d", j))
		}
		copy(w, examples.Weights(1, task.Dim()))
		weightsOf(task).Norm(image, w)
		scored("all columns")
	}
}

// rareOdd removes the features with an odd index from all rows but every fifth. So these features are rare, and the
// others frequent.
func rareOdd(rows *datasets.Rows) {
	rare := datasets.Rows{N: rows.N, Dim: rows.Dim, Start: []int{0}}
	for i := range rows.N {
		index, value := rows.Row(i)
		for t, f := range index {
			if f%2 == 0 || i%5 == 0 {
				rare.Index, rare.Value = append(rare.Index, f), append(rare.Value, value[t])
			}
		}
		rare.Start = append(rare.Start, len(rare.Value))
	}
	*rows = rare
}

// TestKernelEvaluations checks that the kernel matrix costs n(n+1)/2 evaluations, once, and that without a stored
// matrix a score costs one evaluation for each input that has a non-zero coefficient.
func TestKernelEvaluations(t *testing.T) {
	const k = 3
	theta := make([]float64, k)
	for _, n := range []int64{20, 40, 80} {
		d := examples.Rows(int(n), 4, k, true)
		kept := examples.Build(t, exactKernel("rbf", 1), d, nil)
		w := examples.Weights(1, kept.Dim())
		for i := range kept.Train {
			kept.Train[i].Features.Score(theta, w)
		}
		if got, want := evaluations(kept), n*(n+1)/2; got != want || kept.Facts["kernel_evaluations"] != float64(want) {
			t.Errorf("n = %d: evaluations for the matrix = %d, in Facts %v, want %d", n, got, kept.Facts["kernel_evaluations"],
				want)
		}
		live := examples.Build(t, exactKernel("rbf", 0), d, nil)
		if got := evaluations(live); got != 0 {
			t.Errorf("n = %d: evaluations before the first score = %d, want 0", n, got)
		}
		for i := range live.Train {
			live.Train[i].Features.Score(theta, w)
		}
		if got := evaluations(live); got != n*n {
			t.Errorf("n = %d: evaluations for n scores = %d, want n²", n, got)
		}
		sparse := make([]float64, live.Dim())
		sparse[2*k], sparse[5*k+1] = 1, -1
		before := evaluations(live)
		live.Train[0].Features.Score(theta, sparse)
		if got := evaluations(live) - before; got != 2 {
			t.Errorf("n = %d: evaluations for two support vectors = %d, want 2", n, got)
		}
	}
}

// TestKernelValidation checks that the kernel values of validation rows are kept if they fit into Cache, that the
// scores are the same with and without Cache, and that AddAdjoint panics for validation rows.
func TestKernelValidation(t *testing.T) {
	// the validation data have fewer features, as can happen with sparse files
	train, held := examples.Rows(30, 4, 3, false), examples.Rows(12, 3, 3, true)
	kept, live := examples.Build(t, exactKernel("rbf", 1), train, held),
		examples.Build(t, exactKernel("rbf", 0), train, held)
	before, w := evaluations(kept), examples.Weights(2, kept.Dim())
	for i := range kept.Validation {
		a, b := make([]float64, 3), make([]float64, 3)
		kept.Validation[i].Features.Score(a, w)
		live.Validation[i].Features.Score(b, w)
		for c := range a {
			if math.Abs(a[c]-b[c]) > 1e-12 {
				t.Fatalf("validation row %d: scores from kept values = %v, want %v", i, a, b)
			}
		}
	}
	if after := evaluations(kept); after != before {
		t.Errorf("evaluations for scores from kept values = %d, want 0", after-before)
	}
	examples.Panics(t, "AddAdjoint of a validation row", "kernel: ", "",
		func() { kept.Validation[0].Features.AddAdjoint(w, 1, make([]float64, 3)) })
}

func TestKernelErrors(t *testing.T) {
	good, huge := examples.Rows(5, 3, 3, false), examples.Rows(5, 3, 3, false)
	huge.X.Value[7] = 1e200
	infinite := examples.Rows(5, 3, 3, false)
	infinite.X.Value[7] = math.Inf(1)
	with := func(change func(*kernel.Model)) kernel.Model {
		m := *exactKernel("rbf", 1)
		change(&m)
		return m
	}
	for _, c := range []struct {
		name              string
		model             kernel.Model
		train, validation datasets.Data
		says              []string
	}{
		{"unknown kernel", with(func(m *kernel.Model) { m.Kernel = "sigmoid" }), good, nil,
			[]string{`"sigmoid"`, "linear, rbf, polynomial"}},
		{"negative gamma", with(func(m *kernel.Model) { m.Gamma = -1 }), good, nil, []string{"gamma is -1"}},
		{"degree 0", with(func(m *kernel.Model) { m.Kernel, m.Degree = "polynomial", 0 }), good, nil,
			[]string{"degree is 0", "1 to 32"}},
		{"negative coef", with(func(m *kernel.Model) { m.Coef = -1 }), good, nil, []string{"coef is -1", "semidefinite"}},
		{"no label loss", with(func(m *kernel.Model) { m.LossScale = 0 }), good, nil, []string{"loss_scale is 0"}},
		{"negative bias", with(func(m *kernel.Model) { m.Bias = -1 }), good, nil, []string{"bias is -1"}},
		{"bias of a basis", with(func(m *kernel.Model) { m.Bias, m.Basis = 1, 2 }), good, nil,
			[]string{"bias is 1 and basis is 2"}},
		{"negative basis", with(func(m *kernel.Model) { m.Basis = -1 }), good, nil, []string{"basis is -1"}},
		{"basis beyond the data", with(func(m *kernel.Model) { m.Basis = 6 }), good, nil,
			[]string{"basis is 6", "5 training examples"}},
		{"negative cache", with(func(m *kernel.Model) { m.Cache = -1 }), good, nil, []string{"cache is -1", "megabytes"}},
		{"one class", with(func(*kernel.Model) {}), examples.Rows(5, 3, 1, false), nil, []string{"at least 2 classes"}},
		{"no examples", with(func(*kernel.Model) {}), examples.Rows(0, 3, 3, false), nil,
			[]string{"at least 1 training example"}},
		{"wrong kind", with(func(*kernel.Model) {}), examples.Unknown{}, nil, []string{"model kernel", "knitting patterns"}},
		{"wrong kind of validation data", with(func(*kernel.Model) {}), good, examples.Unknown{},
			[]string{"validation", "knitting patterns"}},
		{"values that overflow", with(func(m *kernel.Model) { m.Kernel = "polynomial" }), huge, nil,
			[]string{"polynomial kernel of training row 3", "+Inf"}},
		{"feature that is infinite", with(func(*kernel.Model) {}), infinite, nil,
			[]string{"rbf kernel of training row 3", "NaN"}},
	} {
		_, err := c.model.Build(c.train, c.validation)
		examples.Refused(t, c.name, err, c.says...)
	}
}

// TestKernelDefaultGamma checks that gamma 0 means 1 / number of features.
func TestKernelDefaultGamma(t *testing.T) {
	d := examples.Rows(10, 4, 2, false)
	zero, quarter := exactKernel("rbf", 1), exactKernel("rbf", 1)
	zero.Gamma, quarter.Gamma = 0, 0.25
	a, b := examples.Risk(t, zero, d, models.Hinge(), 1), examples.Risk(t, quarter, d, models.Hinge(), 1)
	w := examples.Weights(1, a.Dim)
	if x, y := a.Primal(w), b.Primal(w); x != y {
		t.Errorf("primal with gamma 0 = %v, want %v as with 1/4 for 4 features", x, y)
	}
}

func BenchmarkKernel(b *testing.B) {
	d := examples.Digits(500, false)
	for _, c := range []struct {
		name  string
		model *kernel.Model
	}{
		{"matrix", exactKernel("rbf", 256)},
		{"no matrix", exactKernel("rbf", 0)},
		{"basis of 100", &kernel.Model{Kernel: "rbf", Gamma: 0.01, LossScale: 1, Basis: 100}},
	} {
		b.Run("build/"+c.name, func(b *testing.B) {
			for b.Loop() {
				examples.Build(b, c.model, d, nil)
			}
		})
		task := examples.Build(b, c.model, d, nil)
		w, theta := examples.Weights(1, task.Dim()), make([]float64, 10)
		b.Run("score/"+c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				task.Train[i%500].Features.Score(theta, w)
			}
		})
	}
}

// weightsOf returns the unknowns of a task with weights.
func weightsOf(task *models.Task) models.Weights { return task.Unknowns.(models.Weights) }
