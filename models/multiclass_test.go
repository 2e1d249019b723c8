package models_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
)

// rows draws n rows of dim features, a third of them zero, with k classes; the same data dense or sparse.
func rows(n, dim, k int, sparse bool) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: dim}, Classes: strings.Split("abcdefghij", "")[:k]}
	if sparse {
		d.X.Start, d.X.Index = []int{0}, []int32{}
	}
	for range n {
		for j := range dim {
			v := rng.NormFloat64()
			if rng.Float64() < 1.0/3 {
				v = 0
			}
			if sparse && v == 0 {
				continue
			}
			d.X.Value = append(d.X.Value, v)
			if sparse {
				d.X.Index = append(d.X.Index, int32(j))
			}
		}
		if sparse {
			d.X.Start = append(d.X.Start, len(d.X.Value))
		}
		d.Y = append(d.Y, rng.IntN(k))
	}
	return d
}

func build(t testing.TB, train, validation datasets.Data) *models.Task {
	t.Helper()
	task, err := models.Multiclass{}.Build(train, validation)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func weights(seed uint64, n int) []float64 {
	rng := rand.New(rand.NewPCG(seed, 3))
	w := make([]float64, n)
	for j := range w {
		w[j] = rng.NormFloat64()
	}
	return w
}

func TestMulticlassConformance(t *testing.T) {
	for _, c := range []struct {
		name   string
		dim, k int
	}{{"two classes", 4, 2}, {"odd number of classes", 3, 5}, {"ten classes", 7, 10}, {"one feature", 1, 3}} {
		for _, sparse := range []bool{false, true} {
			name := c.name + ", dense"
			if sparse {
				name = c.name + ", sparse"
			}
			t.Run(name, func(t *testing.T) {
				d := rows(4, c.dim, c.k, sparse)
				modeltest.Check(t, build(t, d, d), func(*models.Example) []models.Vertex {
					var all []models.Vertex
					for y := range c.k {
						all = append(all, models.Vertex{y})
					}
					return all
				})
			})
		}
	}
}

// Dense and sparse rows are the same problem.
func TestMulticlassDenseAndSparse(t *testing.T) {
	near := cmpopts.EquateApprox(1e-12, 1e-12)
	dense, sparse := build(t, rows(50, 6, 4, false), rows(20, 6, 4, false)), build(t, rows(50, 6, 4, true), rows(20, 6, 4, true))
	w := weights(1, dense.Dim)
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), {Slack: true}} {
		p, q := dense.Problem(loss, 0.1), sparse.Problem(loss, 0.1)
		if diff := cmp.Diff(p.Primal(w), q.Primal(w), near); diff != "" {
			t.Errorf("%+v: primal, dense − sparse +:\n%s", loss, diff)
		}
		if loss.Slack {
			continue
		}
		g, h := make([]float64, p.Dim), make([]float64, q.Dim)
		p.Gradient(g, w)
		q.Gradient(h, w)
		if diff := cmp.Diff(g, h, near); diff != "" {
			t.Errorf("%+v: gradient, dense − sparse +:\n%s", loss, diff)
		}
	}
	if diff := cmp.Diff(dense.Evaluate(w, 1), sparse.Evaluate(w, 1), near); diff != "" {
		t.Errorf("metrics, dense − sparse +:\n%s", diff)
	}
}

// The weights are stored feature by class.
func TestMulticlassScore(t *testing.T) {
	d := &datasets.Labelled{X: datasets.Rows{N: 1, Dim: 2, Value: []float64{3, 5}}, Y: []int{0}, Classes: []string{"a", "b", "c"}}
	theta := make([]float64, 3)
	build(t, d, nil).Train[0].Features.Score(theta, []float64{1, 10, 100, 2, 20, 200})
	if diff := cmp.Diff([]float64{13, 130, 1300}, theta); diff != "" {
		t.Errorf("θ_c = Σ_j x_j w[j·k + c]: − want + got\n%s", diff)
	}
}

// Validation data may have fewer features than the training data: a sparse file that ends early.
func TestMulticlassNarrowValidation(t *testing.T) {
	task := build(t, rows(10, 5, 3, true), rows(10, 3, 3, true))
	if got := task.Evaluate(weights(2, task.Dim), 1)["validation_error"]; !(got >= 0 && got <= 1) {
		t.Errorf("validation error %v: want a share", got)
	}
}

// otherData is data that multiclass does not know.
type otherData struct{}

func (otherData) Len() int     { return 1 }
func (otherData) Kind() string { return "knitting patterns" }

func TestMulticlassBadData(t *testing.T) {
	good := rows(5, 3, 3, false)
	for _, c := range []struct {
		name              string
		train, validation datasets.Data
		says              []string
	}{
		{"one class", rows(5, 3, 1, false), nil, []string{"at least 2 classes", "have 1"}},
		{"wrong kind", otherData{}, nil, []string{"labelled rows", "knitting patterns"}},
		{"wrong kind of validation data", good, otherData{}, []string{"validation", "knitting patterns"}},
		{"more validation features", good, rows(5, 4, 3, false), []string{"validation", "4 features", "training data 3"}},
		{"more validation classes", good, rows(5, 3, 4, true), []string{"validation", "4 classes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := models.Multiclass{}.Build(c.train, c.validation)
			if err == nil {
				t.Fatal("Build accepts it")
			}
			for _, part := range c.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error %q does not say %q", err, part)
				}
			}
		})
	}
}
