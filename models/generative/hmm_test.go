package generative_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// tracking returns generated sequences of states on a ring.
func tracking(t testing.TB, g generated.Tracking) (train, validation *datasets.Sequences) {
	t.Helper()
	set, err := g.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	validation, _ = set.Validation.(*datasets.Sequences)
	return set.Train.(*datasets.Sequences), validation
}

func TestHMMConformance(t *testing.T) {
	for _, loss := range []string{"hamming", "ring"} {
		for _, sparse := range []bool{false, true} {
			m := generative.HMM{LabelLoss: loss, Eta: 1}
			task := examples.Build(t, m, examples.Symbols(1, 4, 3, sparse, 3, 1, 4), examples.Symbols(2, 4, 3, sparse, 2))
			modeltest.Check(t, task, examples.Chains(4, false), modeltest.CountCosts())
		}
	}
}

// TestHMMIsALogProbability checks three properties of each labelling: its score is the log-probability of states and
// symbols, the transposed feature map counts the factors of this probability, and the label loss is the distance on the
// ring.
func TestHMMIsALogProbability(t *testing.T) {
	const k, m = 3, 4
	d := examples.Symbols(3, k, m, true, 5, 1, 2)
	task := examples.Build(t, generative.HMM{LabelLoss: "ring", Eta: 0.1}, d, nil)
	if v := task.Facts["vectors"]; task.Dim() != k+k*k+k*m || v != 1+2*k || task.Facts["dim"] != float64(task.Dim()) {
		t.Fatalf("dim = %d, facts = %v, want 24 and 7 vectors", task.Dim(), task.Facts)
	}
	theta := examples.LogProbabilities(distributions(task), 4)
	initial, transition, emission := theta[:k], theta[k:k+k*k], theta[k+k*k:]
	for i := range task.Train {
		e := &task.Train[i]
		scores := make([]float64, e.Features.Parts())
		e.Features.Score(scores, theta)
		lo, hi := d.Start[i], d.Start[i+1]
		for _, y := range examples.Chains(k, false)(e) {
			counts := make([]float64, task.Dim())
			p, loss := 0.0, 0.0
			for j := range hi - lo {
				s, o := y[j]-j*k, examples.SymbolAt(d, lo+j)
				if j == 0 {
					p += initial[s]
					counts[s]++
				} else {
					before := y[j-1] - (j-1)*k
					p += transition[before*k+s]
					counts[k+before*k+s]++
				}
				p += emission[s*m+o]
				counts[k+k*k+s*m+o]++
				if a := d.Y[lo+j]; a != s {
					loss++ // different states on a ring of three have the distance 1
				}
			}
			if got := y.Dot(scores); math.Abs(got-p) > 1e-12 {
				t.Fatalf("score of labelling %v = %v, want log P = %v", y, got, p)
			}
			if y.Dot(append(slices.Clone(e.Cost), make([]float64, k*k)...)) != loss {
				t.Fatalf("labelling %v: want the label loss %v", y, loss)
			}
			got := make([]float64, task.Dim())
			e.Features.(models.SparseMap).Add(got, 1, y)
			if !slices.Equal(got, counts) {
				t.Fatalf("counts of labelling %v = %v, want %v", y, got, counts)
			}
		}
	}
}

// TestHMMSumsToOne checks that the probabilities of all sequences of symbols and states of one length sum to 1.
func TestHMMSumsToOne(t *testing.T) {
	const k, m, l = 2, 3, 3
	var total float64
	for code := range 27 {
		d := examples.Symbols(1, k, m, false, l)
		clear(d.X.Value)
		for j, c := 0, code; j < l; j, c = j+1, c/m {
			d.X.Value[j*m+c%m] = 1
		}
		task := examples.Build(t, generative.HMM{LabelLoss: "hamming", Eta: 1}, d, nil)
		e := &task.Train[0]
		scores := make([]float64, e.Features.Parts())
		e.Features.Score(scores, examples.LogProbabilities(distributions(task), 5))
		total += math.Exp(e.Exp.LogSum(nil, scores))
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("sum of the probabilities = %v, want 1", total)
	}
}

// TestHMMMetrics checks distances on a ring of ten states, and means over sequences and over positions.
func TestHMMMetrics(t *testing.T) {
	d := examples.Symbols(6, 10, 2, true, 4)
	copy(d.Y, []int{0, 9, 3, 5})
	task := examples.Build(t, generative.HMM{LabelLoss: "ring", Eta: 0.1}, d, d)
	e := &task.Validation[0]
	prediction := models.Vertex{9, 10 + 1, 20 + 3, 30 + 0, 0, 0, 0} // distances from the truth on the ring: 1, 2, 0, 5
	want := map[string][2]float64{"validation_error": {3, 4}, "validation_sequence_error": {1, 1},
		"validation_loss": {8, 1}, "validation_hamming": {3, 1}, "validation_ring": {8, 1}}
	for _, m := range task.Metrics {
		if num, den := m.Of(prediction, e); [2]float64{num, den} != want[m.Name] {
			t.Errorf("%s = %v/%v, want %v", m.Name, num, den, want[m.Name])
		}
		if num, _ := m.Of(e.Truth, e); num != 0 {
			t.Errorf("%s of the truth = %v, want 0", m.Name, num)
		}
	}
	if cost := e.Cost[10:20]; !slices.Equal(cost, []float64{1, 2, 3, 4, 5, 4, 3, 2, 1, 0}) {
		t.Errorf("costs of states if the truth is 9 = %v, want distances on the ring", cost)
	}
}

// TestHMMTracking checks that experiment T of Yu, Bertsekas and Rousu has 21 vectors with 180 numbers in total, and
// that maximum likelihood recovers the distributions that generated the data.
func TestHMMTracking(t *testing.T) {
	train, validation := tracking(t,
		generated.Tracking{Train: 400, Validation: 50, Length: 50, States: 10, Observations: 7,
			P: 0.3, Q: 0.2, Seed: 1})
	task := examples.Build(t, generative.HMM{LabelLoss: "ring", Eta: 0.1, Prior: "uniform"}, train, validation)
	if task.Dim() != 180 || distributions(task).Vectors() != 21 || distributions(task).Check() != nil {
		t.Fatalf("dim = %d, vectors = %d, error = %v, want 180, 21 and none", task.Dim(), distributions(task).Vectors(),
			distributions(task).Check())
	}
	theta := distributions(task).MaximumLikelihood(task.Train, 0.1)
	for s := range 10 {
		if p := math.Exp(theta[10+10*s+(s+1)%10]); math.Abs(p-0.73) > 0.05 {
			t.Errorf("probability that state %d is followed by the next state = %.3f, want about 0.73", s, p)
		}
		want := 1.0 / 7
		if s < 7 {
			want = 0.8 + 0.2/7
		}
		if p := math.Exp(theta[110+7*s+s%7]); math.Abs(p-want) > 0.05 {
			t.Errorf("probability that state %d emits its symbol = %.3f, want about %.3f", s, p, want)
		}
	}
	if v := task.Evaluate(theta, 1)["validation_error"]; !(v > 0.2 && v < 0.35) {
		t.Errorf("share of wrong states = %v, want 0.2 to 0.35", v)
	}
}

// TestHMMErrors checks the errors of wrong settings and data.
func TestHMMErrors(t *testing.T) {
	good := generative.HMM{LabelLoss: "ring", Eta: 0.1, Prior: "ml"}
	change := func(f func(*generative.HMM)) generative.HMM {
		m := good
		f(&m)
		return m
	}
	data := examples.Symbols(1, 3, 4, true, 2, 3)
	spoilt := func(f func(*datasets.Sequences)) *datasets.Sequences {
		d := examples.Symbols(1, 3, 4, true, 2, 3)
		f(d)
		return d
	}
	for _, c := range []struct {
		m                 generative.HMM
		train, validation datasets.Data
		want              string
	}{
		{change(func(m *generative.HMM) { m.LabelLoss = "log" }), data, nil, `label_loss is "log"; accepted: hamming, ring`},
		{change(func(m *generative.HMM) { m.Prior = "flat" }), data, nil,
			`prior is "flat"; accepted: uniform, ml, smoothed-ml`},
		{change(func(m *generative.HMM) { m.Eta = 0 }), data, nil, "eta is 0: want a number above 0"},
		{good, examples.Rows(2, 2, 2, true), nil, "needs labelled sequences; the data set has labelled rows"},
		{good, data, examples.Rows(2, 2, 2, true), "the validation data have labelled rows"},
		{good, examples.Symbols(1, 1, 4, true, 2), nil, "at least 2 labels; the training data have 1"},
		{good, data, examples.Symbols(1, 4, 4, true, 2),
			"the validation data have 4 symbols and 4 labels: want at most 4 and 3"},
		{good, data, examples.Symbols(1, 3, 5, true, 2), "the validation data have 5 symbols and 3 labels"},
		{good, spoilt(func(d *datasets.Sequences) { d.X.Value[1] = 2 }), nil,
			"row 2 of the training sequences is not a unit vector: want one 1, otherwise 0"},
		{good, data, examples.Sequences(1, "dense", 3, 4, 2), "of the validation sequences is not a unit vector"},
		{good, spoilt(func(d *datasets.Sequences) { d.Y[4] = 3 }), nil,
			"model hmm: position 5 of the training sequences has label 3: want 0 to 2"},
		{good, spoilt(func(d *datasets.Sequences) { d.Start = []int{0} }), nil, "there are no training sequences"},
	} {
		_, err := c.m.Build(c.train, c.validation)
		examples.Refused(t, fmt.Sprintf("%+v", c.m), err, c.want, "model hmm")
	}
}

func BenchmarkHMM(b *testing.B) {
	train, _ := tracking(b, generated.Tracking{Train: 1, Length: 50, States: 10, Observations: 7, P: 0.3, Q: 0.65})
	task := examples.Build(b, generative.HMM{LabelLoss: "ring", Eta: 0.1}, train, nil)
	e, theta := &task.Train[0], examples.LogProbabilities(distributions(task), 1)
	scores := make([]float64, e.Features.Parts())
	e.Features.Score(scores, theta)
	y := slices.Clone(e.Truth)
	b.Run("score", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			e.Features.Score(scores, theta)
		}
	})
	b.Run("adjoint", func(b *testing.B) {
		b.ReportAllocs()
		w := make([]float64, task.Dim())
		for b.Loop() {
			e.Features.AddAdjoint(w, 1e-9, scores)
		}
	})
	b.Run("add", func(b *testing.B) {
		b.ReportAllocs()
		w := make([]float64, task.Dim())
		for b.Loop() {
			e.Features.(models.SparseMap).Add(w, 1, y)
		}
	})
	b.Run("max", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			y, _ = e.Max.Max(y, scores)
		}
	})
}
