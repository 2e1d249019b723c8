package schedule_test

import (
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestLabelsAgreeWithRows checks that a label of a run that has the name of a column agrees with this column in each
// row. Hence a run over a path of C has no label lambda, and its label C is the first C. The labels of a run with
// annealing are the values at its end. Every other run must have both labels.
func TestLabelsAgreeWithRows(t *testing.T) {
	t.Parallel()
	r := toy.Run(t, t.TempDir(), toy.Spec(t, toy.AtC+variety), toy.Workers(2))
	paths := 0
	for _, f := range r.Files {
		labels := f.Manifest.Labels
		if labels["as"] == "path" {
			paths++
			delete(labels, trace.C)
		} else if labels[trace.C] == nil || labels[trace.Lambda] == nil {
			t.Errorf("labels of %s = %v, want C and lambda among them", f.Describe(), labels)
		}
		for name, v := range labels {
			for i, row := range f.Rows {
				if got, ok := row.Values[name]; ok && labels["as"] != "annealed" && got != v {
					t.Errorf("%s has the label %s = %v, but its row %d has %v", f.Describe(), name, v, i+1, got)
					break
				}
			}
		}
		m := f.Manifest
		if labels["n"] != float64(toy.N) || m.N != toy.N || m.Validation != 40 || m.Dim != 18 {
			t.Errorf("size of %s = %+v with the label n = %v, want 60 and 40 examples", f.Describe(), m.Size, labels["n"])
		}
	}
	if paths != 2 {
		t.Errorf("%d runs over a path, want 2", paths)
	}
}
