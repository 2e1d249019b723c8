package multiclass_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

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
				d := examples.Rows(4, c.dim, c.k, sparse)
				modeltest.Check(t, examples.Build(t, multiclass.Model{}, d, d), examples.Classes(c.k))
			})
		}
	}
}

// TestMulticlassDenseAndSparse checks that the same rows in dense and in sparse form give the same problem.
func TestMulticlassDenseAndSparse(t *testing.T) {
	near := cmpopts.EquateApprox(1e-12, 1e-12)
	dense, sparse := examples.Build(t, multiclass.Model{}, examples.Rows(50, 6, 4, false), examples.Rows(20, 6, 4, false)),
		examples.Build(t, multiclass.Model{}, examples.Rows(50, 6, 4, true), examples.Rows(20, 6, 4, true))
	w := examples.Weights(1, dense.Dim())
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), {Slack: true}} {
		p, q := examples.RiskOf(t, dense, loss, 0.1), examples.RiskOf(t, sparse, loss, 0.1)
		if diff := cmp.Diff(p.Primal(w), q.Primal(w), near); diff != "" {
			t.Errorf("%+v: primal (-dense +sparse):\n%s", loss, diff)
		}
		if loss.Slack {
			continue
		}
		g, h := make([]float64, p.Dim), make([]float64, q.Dim)
		p.Gradient(g, w)
		q.Gradient(h, w)
		if diff := cmp.Diff(g, h, near); diff != "" {
			t.Errorf("%+v: gradient (-dense +sparse):\n%s", loss, diff)
		}
	}
	if diff := cmp.Diff(dense.Evaluate(w, 1), sparse.Evaluate(w, 1), near); diff != "" {
		t.Errorf("metrics (-dense +sparse):\n%s", diff)
	}
}

// TestMulticlassScore checks that the weights are stored feature by class.
func TestMulticlassScore(t *testing.T) {
	d := &datasets.Labelled{X: datasets.Rows{N: 1, Dim: 2, Value: []float64{3, 5}}, Y: []int{0},
		Classes: []string{"a", "b", "c"}}
	theta := make([]float64, 3)
	examples.Build(t, multiclass.Model{}, d, nil).Train[0].Features.Score(theta, []float64{1, 10, 100, 2, 20, 200})
	if diff := cmp.Diff([]float64{13, 130, 1300}, theta); diff != "" {
		t.Errorf("θ_c = Σ_j x_j w[j·k + c] (-want +got):\n%s", diff)
	}
}

// TestMulticlassNarrowValidation checks that validation data may have fewer features than the training data, as a
// sparse file may.
func TestMulticlassNarrowValidation(t *testing.T) {
	task := examples.Build(t, multiclass.Model{}, examples.Rows(10, 5, 3, true), examples.Rows(10, 3, 3, true))
	if got := task.Evaluate(examples.Weights(2, task.Dim()), 1)["validation_error"]; !(got >= 0 && got <= 1) {
		t.Errorf("validation error = %v, want 0 to 1", got)
	}
}

// TestMulticlassLossScale checks that the label loss of a wrong class is LossScale, or 1 if LossScale is 0.
func TestMulticlassLossScale(t *testing.T) {
	d := examples.Rows(30, 4, 3, true)
	plain := examples.Build(t, multiclass.Model{}, d, nil)
	w := examples.Weights(4, plain.Dim())
	one, hundred := examples.Build(t, &multiclass.Model{LossScale: 1}, d, nil),
		examples.Build(t, &multiclass.Model{LossScale: 100}, d, nil)
	for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), models.Slack()} {
		a, b := examples.RiskOf(t, plain, loss, 0.1).Primal(w), examples.RiskOf(t, one, loss, 0.1).Primal(w)
		if a != b {
			t.Errorf("%+v: primal = %v, want the same bits as %v with loss_scale 1", loss, a, b)
		}
	}
	small := slices.Clone(w) // max(0, 100 + θ_c − θ_y) = 100 max(0, 1 + θ_c/100 − θ_y/100)
	for j := range small {
		small[j] /= 100
	}
	a := examples.RiskOf(t, hundred, models.Hinge(), 1e-12).Primal(w)
	b := 100 * examples.RiskOf(t, one, models.Hinge(), 1e-12).Primal(small)
	if math.Abs(a-b) > 1e-6*b {
		t.Errorf("hinge with loss_scale 100 = %v, want %v", a, b)
	}
	if want := []float64{0, 100, 100}; !slices.Equal(hundred.Train[slices.Index(d.Y, 0)].Cost, want) {
		t.Errorf("costs = %v, want %v", hundred.Train[slices.Index(d.Y, 0)].Cost, want)
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := (multiclass.Model{LossScale: bad}).Build(d, nil); err == nil ||
			!strings.Contains(err.Error(), "loss_scale") {
			t.Errorf("loss_scale %v: error = %v, want one that names loss_scale", bad, err)
		}
	}
}

// TestMulticlassRadius checks that the fact radius_sq is the largest |ψ(x, y) − ψ(x, ȳ)|², where ψ(x, y) has x in the
// block of class y.
func TestMulticlassRadius(t *testing.T) {
	task := examples.Build(t, multiclass.Model{}, examples.Rows(20, 4, 3, false), nil)
	var want float64
	for i := range task.Train {
		difference := make([]float64, task.Dim())
		task.Train[i].Features.AddAdjoint(difference, 1, []float64{0, 1, -1})
		var sum float64
		for _, v := range difference {
			sum += v * v
		}
		want = math.Max(want, sum)
	}
	if got := task.Facts["radius_sq"]; math.Abs(got-want) > 1e-12*want {
		t.Errorf("radius_sq = %v, want %v", got, want)
	}
}

func TestMulticlassBadData(t *testing.T) {
	good := examples.Rows(5, 3, 3, false)
	for _, c := range []struct {
		name              string
		train, validation datasets.Data
		says              []string
	}{
		{"one class", examples.Rows(5, 3, 1, false), nil, []string{"at least 2 classes", "have 1"}},
		{"wrong kind", examples.Unknown{}, nil, []string{"labelled rows", "knitting patterns"}},
		{"wrong kind of validation data", good, examples.Unknown{}, []string{"validation", "knitting patterns"}},
		{"more validation features", good, examples.Rows(5, 4, 3, false),
			[]string{"validation", "4 features", "want at most 3 and 3"}},
		{"more validation classes", good, examples.Rows(5, 3, 4, true), []string{"validation", "4 classes"}},
	} {
		_, err := multiclass.Model{}.Build(c.train, c.validation)
		examples.Refused(t, c.name, err, c.says...)
	}
}
