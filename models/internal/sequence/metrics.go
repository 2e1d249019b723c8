package sequence

import (
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Metrics returns the columns that a chain reports: the share of wrong labels, the share of sequences with a wrong
// label, and, where the labels mark spans, the F1 of spans.
func Metrics(labels []string) []models.Metric {
	metrics := []models.Metric{
		{Name: "validation_error", Of: wrongLabels},
		{Name: "validation_sequence_error", Of: wrongSequence},
	}
	if marksSpans(labels) {
		metrics = append(metrics,
			models.Metric{Name: "validation_f1", Of: func(prediction models.Vertex, e *models.Example) (num, den float64) {
				return spanF1(prediction, e, labels)
			}})
	}
	return metrics
}

// wrongLabels counts the wrong labels by their costs: where the true label is unknown, every label costs 1.
func wrongLabels(prediction models.Vertex, e *models.Example) (num, den float64) {
	l := (len(e.Truth) + 1) / 2
	for _, r := range prediction[:l] {
		num += e.Cost[r]
	}
	return num, float64(l)
}

func wrongSequence(prediction models.Vertex, e *models.Example) (num, den float64) {
	if wrong, _ := wrongLabels(prediction, e); wrong > 0 {
		return 1, 1
	}
	return 0, 1
}

// marksSpans reports whether the labels are of the kind B-NP, I-NP and O, or of others that mark spans.
func marksSpans(labels []string) bool {
	inside := false
	for _, label := range labels {
		if !datasets.MarksSpan(label) {
			return false
		}
		inside = inside || label != datasets.Outside
	}
	return inside
}

// spanF1 measures 2 correct / (predicted + true) spans. With both sums over all sentences this is the harmonic mean of
// precision and recall. A span is correct if its begin, end and type are.
func spanF1(prediction models.Vertex, e *models.Example, labels []string) (num, den float64) {
	l := (len(e.Truth) + 1) / 2
	k := len(e.Cost) / l
	var unknown []Unknown
	if f, ok := models.BaseFeatures(e.Features).(*Features); ok {
		unknown = f.Unknown
	}
	before := [2]string{datasets.Outside, datasets.Outside} // of the truth, of the prediction
	same := false                                           // the present spans began together, with one kind
	for t := range l + 1 {
		now := [2]string{datasets.Outside, datasets.Outside}
		if t < l {
			now[0], now[1] = labels[e.Truth[t]-t*k], labels[prediction[t]-t*k]
			if len(unknown) > 0 && unknown[0].Position == t {
				now[0], unknown = unknown[0].Name, unknown[1:]
			}
		}
		ends := [2]bool{datasets.SpanEnds(before[0], now[0]), datasets.SpanEnds(before[1], now[1])}
		if same && ends[0] && ends[1] {
			num += 2
		}
		if ends[0] || ends[1] {
			same = false
		}
		begins := [2]bool{datasets.SpanBegins(before[0], now[0]), datasets.SpanBegins(before[1], now[1])}
		for i := range begins {
			if begins[i] {
				den++
			}
		}
		if begins[0] && begins[1] && datasets.SpanType(now[0]) == datasets.SpanType(now[1]) {
			same = true
		}
		before = now
	}
	return num, den
}
