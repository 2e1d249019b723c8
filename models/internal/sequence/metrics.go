package sequence

import (
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// Metrics returns the metrics of a chain: the share of wrong labels, the share of sequences with a wrong label, and, if
// the labels mark spans, the F1 of spans.
func Metrics(labels []string) []models.Metric {
	metrics := []models.Metric{
		{Name: "validation_error", Of: wrongLabels},
		{Name: "validation_sequence_error", Of: wrongSequence},
	}
	if MarkSpans(labels) {
		metrics = append(metrics,
			models.Metric{Name: "validation_f1", Of: func(prediction models.Vertex, e *models.Example) (num, den float64) {
				return spanF1(prediction, e, labels)
			}})
	}
	return metrics
}

// wrongLabels counts the wrong labels by their costs. If the true label is not in the training data, every label costs
// 1.
func wrongLabels(prediction models.Vertex, e *models.Example) (num, den float64) {
	l := (len(e.Truth) + 1) / 2
	for _, r := range prediction[:l] {
		num += e.Cost[r]
	}
	return num, float64(l)
}

// wrongSequence returns 1/1 if the prediction has a wrong label, otherwise 0/1.
func wrongSequence(prediction models.Vertex, e *models.Example) (num, den float64) {
	if wrong, _ := wrongLabels(prediction, e); wrong > 0 {
		return 1, 1
	}
	return 0, 1
}

// MarkSpans reports whether the labels mark spans, as B-NP, I-NP and O do.
func MarkSpans(labels []string) bool {
	inside := false
	for _, label := range labels {
		if !datasets.MarksSpan(label) {
			return false
		}
		inside = inside || label != datasets.Outside
	}
	return inside
}

// spanF1 returns twice the number of correct spans, and the number of predicted plus true spans. The ratio of the sums
// over all sentences is the harmonic mean of precision and recall. A span is correct if its begin, end and type are
// correct.
func spanF1(prediction models.Vertex, e *models.Example, labels []string) (num, den float64) {
	l := (len(e.Truth) + 1) / 2
	k := len(e.Cost) / l
	var unknown []Unknown
	if f, ok := models.BaseFeatures(e.Features).(*Features); ok {
		unknown = f.Unknown
	}
	before := [2]string{datasets.Outside, datasets.Outside} // last label of the truth and of the prediction
	same := false                                           // whether the current spans began together, with the same type
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
