package multiclass_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

func TestBinaryConformance(t *testing.T) {
	for _, dim := range []int{1, 4, 7} {
		for _, sparse := range []bool{false, true} {
			for _, bias := range []float64{0, 2} {
				d := examples.Signed(4, dim, sparse)
				modeltest.Check(t, examples.Build(t, &multiclass.Binary{LossScale: 100, Bias: bias}, d, d), examples.Classes(2))
			}
		}
	}
}

// TestBinaryScore compares the scores ½ y w·x with numbers found by hand, with a constant feature.
func TestBinaryScore(t *testing.T) {
	d := &datasets.Labelled{X: datasets.Rows{N: 1, Dim: 2, Value: []float64{3, 5}}, Y: []int{1},
		Classes: []string{"-1", "+1"}}
	w := []float64{1, 10, 100}
	for _, c := range []struct {
		classes []string
		want    []float64
	}{
		{[]string{"-1", "+1"}, []float64{-126.5, 126.5}},
		{[]string{"1", "2"}, []float64{-126.5, 126.5}},
		{[]string{"spam", "ham"}, []float64{-126.5, 126.5}},
		{[]string{"1", "-1"}, []float64{126.5, -126.5}}, // the greater number is +1
	} {
		d.Classes = c.classes
		e := &examples.Build(t, &multiclass.Binary{LossScale: 7, Bias: 2}, d, nil).Train[0]
		theta := make([]float64, 2)
		e.Features.Score(theta, w)
		if diff := cmp.Diff(c.want, theta); diff != "" {
			t.Errorf("classes %q: scores, where +1 has (3 + 50 + 200)/2 (-want +got):\n%s", c.classes, diff)
		}
		if want := []float64{7, 0}; !slices.Equal(e.Cost, want) {
			t.Errorf("costs = %v, want %v", e.Cost, want)
		}
	}
}

// TestBinaryLosses checks the losses against the formulas for a linear classifier: the hinge 100 max(0, 1 − y
// w·x/100), the log loss log(1 + exp(−y w·x)), and the slack-rescaled hinge 100 max(0, 1 − y w·x).
func TestBinaryLosses(t *testing.T) {
	const scale = 100
	d := examples.Signed(40, 5, true)
	task := examples.Build(t, &multiclass.Binary{LossScale: scale}, d, d)
	w := examples.Weights(4, task.Dim())
	for j := range w {
		w[j] *= 20
	}
	var wantHinge, wantLog, wantSlack, wrong, radius float64
	for i, y := range d.Y {
		index, value := d.X.Row(i)
		var margin, norm float64
		for k, j := range index {
			margin += value[k] * w[j] * float64(2*y-1)
			norm += value[k] * value[k]
		}
		wantHinge += math.Max(0, scale-margin) / 40
		wantLog += math.Log1p(math.Exp(-margin)) / 40
		wantSlack += scale * math.Max(0, 1-margin) / 40
		radius = math.Max(radius, norm)
		if margin < 0 || margin == 0 && y == 1 { // if both classes have the same score, the prediction is −1
			wrong += 1.0 / 40
		}
	}
	for _, c := range []struct {
		name string
		want float64
	}{{"hinge", wantHinge}, {"log", wantLog}, {"slack", wantSlack}} {
		loss, _ := models.LossNamed(c.name)
		p := examples.RiskOf(t, task, loss, 1e-9)
		if got := p.Primal(w); math.Abs(got-c.want) > 1e-5*c.want {
			t.Errorf("mean %s loss = %v, want %v", c.name, got, c.want)
		}
	}
	if got := task.Evaluate(w, 1)["validation_error"]; math.Abs(got-wrong) > 1e-12 {
		t.Errorf("validation error = %v, want %v", got, wrong)
	}
	if got := task.Facts["radius_sq"]; math.Abs(got-radius) > 1e-12*radius {
		t.Errorf("radius_sq = %v, want the largest |x|² = %v", got, radius)
	}
}

// TestBinaryBias checks that Bias is equivalent to a constant feature in the rows.
func TestBinaryBias(t *testing.T) {
	plain := examples.Signed(20, 3, false)
	with := &datasets.Labelled{X: datasets.Rows{N: 20, Dim: 4}, Y: plain.Y, Classes: plain.Classes}
	for i := range 20 {
		_, value := plain.X.Row(i)
		with.X.Value = append(append(with.X.Value, value...), 1.5)
	}
	a := examples.Build(t, &multiclass.Binary{LossScale: 1, Bias: 1.5}, plain, nil)
	b := examples.Build(t, &multiclass.Binary{LossScale: 1}, with, nil)
	w := examples.Weights(5, 4)
	if x, y := examples.RiskOf(t, a, models.LogLoss(), 0.1).Primal(w),
		examples.RiskOf(t, b, models.LogLoss(), 0.1).Primal(w); math.Abs(x-y) > 1e-12 {
		t.Errorf("primal with bias 1.5 = %v, want %v as with a column of 1.5", x, y)
	}
	if x, y := a.Facts["radius_sq"], b.Facts["radius_sq"]; math.Abs(x-y) > 1e-12 {
		t.Errorf("radius_sq with bias 1.5 = %v, want %v as with a column of 1.5", x, y)
	}
}

func TestBinaryErrors(t *testing.T) {
	good := examples.Signed(5, 3, false)
	for _, c := range []struct {
		name              string
		model             multiclass.Binary
		train, validation datasets.Data
		says              []string
	}{
		{"one class", multiclass.Binary{LossScale: 1}, examples.Rows(5, 3, 1, false), nil,
			[]string{"exactly 2 classes", "have 1"}},
		{"three classes", multiclass.Binary{LossScale: 1}, examples.Rows(5, 3, 3, false), nil,
			[]string{"exactly 2 classes", "have 3", "multiclass"}},
		{"wrong kind", multiclass.Binary{LossScale: 1}, examples.Unknown{}, nil,
			[]string{"model binary", "labelled rows", "knitting patterns"}},
		{"wrong kind of validation data", multiclass.Binary{LossScale: 1}, good, examples.Unknown{},
			[]string{"validation", "knitting patterns"}},
		{"more validation features", multiclass.Binary{LossScale: 1}, good, examples.Signed(5, 4, false),
			[]string{"validation", "4 features"}},
		{"no label loss", multiclass.Binary{}, good, nil, []string{"loss_scale is 0", "above 0"}},
		{"infinite label loss", multiclass.Binary{LossScale: math.Inf(1)}, good, nil, []string{"loss_scale is +Inf"}},
		{"negative bias", multiclass.Binary{LossScale: 1, Bias: -1}, good, nil, []string{"bias is -1"}},
		{"bias that is not a number", multiclass.Binary{LossScale: 1, Bias: math.NaN()}, good, nil, []string{"bias is NaN"}},
	} {
		_, err := c.model.Build(c.train, c.validation)
		examples.Refused(t, c.name, err, c.says...)
	}
}

func BenchmarkBinary(b *testing.B) {
	for _, kind := range []string{"sparse", "dense"} {
		d := examples.Digits(2000, kind == "dense")
		d.Classes = d.Classes[:2]
		for i := range d.Y {
			d.Y[i] %= 2
		}
		task := examples.Build(b, &multiclass.Binary{LossScale: 100}, d, nil)
		w, theta := examples.Weights(1, task.Dim()), make([]float64, 2)
		b.Run("score/"+kind, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				task.Train[i%2000].Features.Score(theta, w)
			}
		})
		b.Run("adjoint/"+kind, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				task.Train[i%2000].Features.AddAdjoint(w, 1e-9, theta)
			}
		})
	}
}

// hiddenOracle hides the optional interfaces of a max-oracle.
type hiddenOracle struct{ models.MaxOracle }

// TestBinaryPairs compares the hinge of two classes, which is computed from a list of rows without the oracle, with the
// hinge from the oracle. The bits must be equal.
func TestBinaryPairs(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		for _, classes := range [][]string{{"-1", "+1"}, {"1", "-1"}} {
			for _, bias := range []float64{0, 2} {
				d := examples.Signed(150, 9, sparse)
				d.Classes = classes
				task := examples.Build(t, &multiclass.Binary{LossScale: 0.7, Bias: bias}, d, nil)
				hinge, _ := models.LossNamed("hinge")
				for _, margin := range []float64{1, 0.3, 0} {
					hinge.Margin = margin
					p := examples.RiskOf(t, task, hinge, 0.1)
					oracle := p.Map(func(e *models.Example) { e.Max = hiddenOracle{e.Max} }).(*models.Risk)
					for seed := range uint64(5) {
						w := examples.Weights(seed, task.Dim())
						if seed == 0 {
							clear(w)
						}
						if got, want := p.Parallel(2).Primal(w), oracle.Primal(w); got != want {
							t.Errorf("sparse %v, classes %q, bias %v, margin %v: primal %v, want %v", sparse, classes, bias,
								margin, got, want)
						}
					}
				}
			}
		}
	}
}

// TestValidationRows checks that validation examples have the rows, the classes and the costs of the validation data,
// which differ from the training data and may have fewer features, for both models.
func TestValidationRows(t *testing.T) {
	train, held := examples.Signed(6, 5, true), examples.Signed(9, 3, false)
	held.Y[0], held.Y[1] = 0, 1
	w := examples.Weights(3, 12)
	for name, m := range map[string]models.Builder{"binary": &multiclass.Binary{LossScale: 3, Bias: 0.5},
		"multiclass": &multiclass.Model{LossScale: 3}} {
		task := examples.Build(t, m, train, held)
		if len(task.Validation) != 9 || len(task.Train) != 6 {
			t.Fatalf("%s: %d and %d examples", name, len(task.Train), len(task.Validation))
		}
		for i := range task.Validation {
			e := &task.Validation[i]
			theta := make([]float64, 2)
			e.Features.Score(theta, w[:task.Dim()])
			var want [2]float64
			if name == "binary" {
				want[1] = 0.5 * w[5] / 2
			}
			for j, x := range held.X.Value[3*i : 3*i+3] {
				if name == "binary" {
					want[1] += x * w[j] / 2
				} else {
					want[0], want[1] = want[0]+x*w[2*j], want[1]+x*w[2*j+1]
				}
			}
			if name == "binary" {
				want[0] = -want[1]
			}
			costs := []float64{3, 3}
			costs[held.Y[i]] = 0
			if math.Abs(theta[0]-want[0]) > 1e-12 || math.Abs(theta[1]-want[1]) > 1e-12 || e.Truth[0] != held.Y[i] ||
				!slices.Equal(e.Cost, costs) {
				t.Errorf("%s, row %d: scores %v, truth %v, costs %v, want %v, %d, %v", name, i, theta, e.Truth, e.Cost, want,
					held.Y[i], costs)
			}
		}
	}
}

// TestLongRows checks that a row whose squared norm overflows is an error that has the number of the row.
func TestLongRows(t *testing.T) {
	d := examples.Signed(5, 3, false)
	d.X.Value[7] = 1e200
	for name, m := range map[string]models.Builder{"binary": multiclass.NewBinary(), "multiclass": multiclass.New()} {
		_, err := m.Build(d, nil)
		examples.Refused(t, name, err, "model "+name, "training row 3 overflows")
		examples.Build(t, m, examples.Signed(5, 3, false), d) // only training rows are checked
	}
}

// TestOrderOfClasses checks which class has the positive sign: the greater one of two numbers, otherwise the second.
func TestOrderOfClasses(t *testing.T) {
	for _, c := range []struct {
		classes []string
		second  bool
	}{{[]string{"0", "1"}, true}, {[]string{"1", "0"}, false}, {[]string{"10", "9"}, false}, {[]string{"9", "10"}, true},
		{[]string{"2", "x"}, true}, {[]string{"x", "2"}, true}, {[]string{"1", "1.0"}, true}, {[]string{"b", "a"}, true},
		{[]string{"1e3", "5"}, false}, {[]string{"-2", "-3"}, false}} {
		d := &datasets.Labelled{X: datasets.Rows{N: 1, Dim: 1, Value: []float64{2}}, Y: []int{1}, Classes: c.classes}
		theta := make([]float64, 2)
		examples.Build(t, multiclass.NewBinary(), d, nil).Train[0].Features.Score(theta, []float64{3})
		if (theta[1] > 0) != c.second || theta[0] != -theta[1] {
			t.Errorf("classes %q: scores %v; the second class is positive: want %v", c.classes, theta, c.second)
		}
	}
}
