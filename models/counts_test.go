package models_test

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// certifier is a max-oracle that finds only labelling 1, which is best if its score is the largest.
type certifier struct{ models.MaxOracle }

func (c certifier) MaxCertified(dst models.Vertex, theta []float64) (models.Vertex, float64, bool) {
	_, top := c.Max(nil, theta)
	return append(dst[:0], 1), theta[1], theta[1] >= top
}

// last decodes every example as its last part.
type last struct{}

func (last) Decode(dst models.Vertex, theta []float64) models.Vertex {
	return append(dst[:0], len(theta)-1)
}

// TestCounts checks the prediction of each validation example and the numbers of each metric: with a rule of
// prediction, with an oracle that certifies, with both, and with scores in another slice than the given one.
func TestCounts(t *testing.T) {
	const k = 3
	task := examples.Build(t, multiclass.New(), examples.Rows(3, 4, k, true), examples.Rows(9, 4, k, true))
	var seen [9]models.Vertex
	index := func(e *models.Example) int {
		return slices.IndexFunc(task.Validation, func(o models.Example) bool { return o.Features == e.Features })
	}
	task.Metrics = []models.Metric{
		{Name: "place", Of: func(y models.Vertex, e *models.Example) (num, den float64) {
			seen[index(e)] = slices.Clone(y)
			return float64(y[0]), float64(2 + index(e))
		}},
		{Name: "certified", Certified: true},
		{Name: "error", Of: models.ZeroOneLoss},
	}
	w := examples.Weights(4, task.Dim())
	var want [9]struct {
		class     int
		certified float64
	}
	for i := range task.Validation {
		e := &task.Validation[i]
		theta := make([]float64, k)
		e.Features.Score(theta, w)
		best := slices.Index(theta, slices.Max(theta))
		want[i].class = best
		switch i % 4 {
		case 1:
			e.Decoding, want[i].class = last{}, k-1
		case 2:
			e.Max, want[i].class = certifier{e.Max}, 1
			if best == 1 {
				want[i].certified = 1
			}
		case 3:
			e.Max, e.Decoding, want[i].class = certifier{e.Max}, last{}, k-1
		}
		y, v := e.Predict(make(models.Vertex, 5), theta)
		if i%4 != 2 && (!y.Equal(models.Vertex{want[i].class}) || v != theta[want[i].class]) {
			t.Errorf("example %d: prediction %v with score %v, want %d", i, y, v, want[i].class)
		}
	}
	check := func(c models.Counts) {
		t.Helper()
		if !slices.Equal(c.Names, []string{"place", "certified", "error"}) {
			t.Fatalf("metrics %q", c.Names)
		}
		for i, x := range want {
			wrong := 1.
			if x.class == task.Validation[i].Truth[0] {
				wrong = 0
			}
			if len(seen[i]) != 1 || seen[i][0] != x.class || c.Num[0][i] != float64(x.class) ||
				c.Den[0][i] != float64(2+i) || c.Num[1][i] != x.certified || c.Den[1][i] != 1 || c.Num[2][i] != wrong ||
				c.Den[2][i] != 1 {
				t.Errorf("example %d: prediction %v, numbers %v of %v, want %+v", i, seen[i],
					[]float64{c.Num[0][i], c.Num[1][i], c.Num[2][i]}, []float64{c.Den[0][i], c.Den[1][i], c.Den[2][i]}, x)
			}
		}
	}
	check(task.Counts(task.Scores(w), 1))
	check(task.Counts(func(theta []float64, i int) []float64 {
		for r := range theta {
			theta[r] = -float64(r)
		}
		own := make([]float64, k)
		task.Validation[i].Features.Score(own, w)
		return own
	}, 1))
}

// TestMarginalsOfChoices checks that the probabilities are in the order places, labels, that impossible labels have the
// probability 0, and that the memory is reused.
func TestMarginalsOfChoices(t *testing.T) {
	c := models.Choices{Places: 2, Labels: []string{"a", "b", "c"}, Part: func(place, label int) int {
		if place == 1 && label == 0 {
			return -1
		}
		return 5 - place*3 - label
	}}
	mu := []float64{0.5, 0.25, 0.125, 0.1, 0.2, 0.7}
	to := slices.Repeat([]float64{9}, 8)
	got := c.Marginals(to, mu)
	if want := []float64{0.7, 0.2, 0.1, 0, 0.25, 0.5}; !slices.Equal(got, want) || &got[0] != &to[0] {
		t.Errorf("marginals %v, want %v in the memory of the argument", got, want)
	}
}
