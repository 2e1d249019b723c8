package kernel

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang/editor"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestLabelled checks the labels and the order of the runs of each combination of explored values. A label of the run
// keeps its value, even if it has the name of an explored setting: the seed of data is not the seed of a run. The runs
// of the result must not change.
func TestLabelled(t *testing.T) {
	c := editor.Cell{Explore: []editor.Sweep{{Path: "dataset.seed", Values: []string{"8", "9"}},
		{Path: "solvers.eg.order", Values: []string{"cyclic", "1e2", "random"}}}}
	r := &harness.Result{}
	for order := range 2 {
		f := &trace.File{Manifest: trace.Manifest{Order: 5 - order, Labels: map[string]any{"as": "eg"}}}
		if order == 1 {
			f.Manifest.Labels["seed"] = 3.
		}
		r.Files = append(r.Files, f)
	}
	orders := []any{"cyclic", 100., "random"}
	for i := range 6 {
		var got []map[string]any
		for k, f := range labelled(r, c, i) {
			if f.Manifest.Order != k {
				t.Errorf("combination %d: run %d has the order %d", i, k, f.Manifest.Order)
			}
			got = append(got, f.Manifest.Labels)
		}
		want := []map[string]any{{"as": "eg", "seed": float64(8 + i/3), "order": orders[i%3]},
			{"as": "eg", "seed": 3., "order": orders[i%3]}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("combination %d (-want +got):\n%s", i, diff)
		}
	}
	if len(r.Files[0].Manifest.Labels) != 1 || r.Files[0].Manifest.Order != 5 {
		t.Errorf("the run of the result has changed: %+v", r.Files[0].Manifest)
	}
}
