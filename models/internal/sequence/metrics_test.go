package sequence

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// TestMetrics checks the numerators and denominators of single sequences against numbers found by hand.
func TestMetrics(t *testing.T) {
	labels := []string{"O", "B-NP", "I-NP", "B-VP"}
	parts := func(y ...int) models.Vertex {
		v := make(models.Vertex, len(y), 2*len(y)-1)
		for i := range y {
			v[i] = i*len(labels) + y[i]
		}
		return NewOracle(len(labels), false).Transitions(v)
	}
	for _, c := range []struct {
		truth, prediction models.Vertex
		want              map[string][2]float64
	}{
		{parts(1, 2, 0, 3), parts(1, 2, 0, 3), map[string][2]float64{"validation_error": {0, 4},
			"validation_sequence_error": {0, 1}, "validation_f1": {4, 4}}},
		{parts(1, 2, 0, 3), parts(1, 0, 0, 3), map[string][2]float64{"validation_error": {1, 4}, // NP ends early
			"validation_sequence_error": {1, 1}, "validation_f1": {2, 4}}},
		{parts(1, 0, 3), parts(3, 0, 3), map[string][2]float64{"validation_error": {1, 3}, // VP instead of NP
			"validation_sequence_error": {1, 1}, "validation_f1": {2, 4}}},
		{parts(0, 0, 3), parts(0, 1, 2), map[string][2]float64{"validation_error": {2, 3}, // NP instead of VP, and too early
			"validation_sequence_error": {1, 1}, "validation_f1": {0, 2}}},
	} {
		l := (len(c.truth) + 1) / 2
		e := &models.Example{Truth: c.truth, Cost: make([]float64, l*len(labels))}
		for r := range e.Cost {
			if c.truth[r/len(labels)] != r {
				e.Cost[r] = 1
			}
		}
		metrics := Metrics(labels)
		if len(metrics) != len(c.want) {
			t.Errorf("%d metrics, want %d", len(metrics), len(c.want))
		}
		for _, m := range metrics {
			if num, den := m.Of(c.prediction, e); [2]float64{num, den} != c.want[m.Name] {
				t.Errorf("%s of %v with the truth %v = %v/%v, want %v", m.Name, c.prediction, c.truth, num, den, c.want[m.Name])
			}
		}
	}
}

// TestMetricNames checks that the F1 of spans is a metric only if all labels mark spans and one of them is inside a
// span.
func TestMetricNames(t *testing.T) {
	for labels, f1 := range map[string]bool{"O B-NP I-NP": true, "B-NP I-NP": true, "O": false, "DT NN": false,
		"O B-NP NN": false, "B-NP O x": false, "": false} {
		want := []string{"validation_error", "validation_sequence_error"}
		if f1 {
			want = append(want, "validation_f1")
		}
		var got []string
		for _, m := range Metrics(strings.Fields(labels)) {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("labels %q: metrics %q, want %q", labels, got, want)
		}
	}
}
