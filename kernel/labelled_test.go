package kernel

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

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

// TestCombinations checks that all parts of an explored cell have the same combination of values at each index: the
// assignments that are run, the labels of the runs, the positions of the sliders, and the frame that the script of the
// sliders shows at these positions.
func TestCombinations(t *testing.T) {
	slider := regexp.MustCompile(`max="(\d+)" value="(\d+)".*?<output>(.*?)</output>`)
	r := &harness.Result{Files: []*trace.File{{Manifest: trace.Manifest{Labels: map[string]any{"as": "eg"}}}}}
	rapid.Check(t, func(t *rapid.T) {
		var c editor.Cell
		for j := range rapid.IntRange(1, 3).Draw(t, "settings") {
			s := editor.Sweep{Name: fmt.Sprintf("n%d", j), Path: fmt.Sprintf("solvers.eg.p%d", j)}
			for k := range rapid.IntRange(1, 3).Draw(t, "values") {
				s.Values = append(s.Values, fmt.Sprintf("v%d%d", j, k))
			}
			c.Explore = append(c.Explore, s)
		}
		for at, sets := range c.Frames() {
			labels := labelled(r, c, at)[0].Manifest.Labels
			page := pageOf(c, nil, at)
			sliders := slider.FindAllStringSubmatch(page["text/html"], -1)
			if len(sets) != len(c.Explore) || len(sliders) != len(c.Explore) {
				t.Fatalf("combination %d sets %v and has %d sliders, want one for each of %v", at, sets, len(sliders), c.Explore)
			}
			shown := 0 // index of the frame that the script shows
			for j, s := range c.Explore {
				value := fmt.Sprint(labels[fmt.Sprintf("p%d", j)])
				if want := s.Path + "=" + value; sets[j] != want || sliders[j][3] != value {
					t.Errorf("combination %d sets %s and has a slider at %s, want both at the label, %s", at, sets[j], sliders[j][3],
						want)
				}
				last, _ := strconv.Atoi(sliders[j][1])
				place, _ := strconv.Atoi(sliders[j][2])
				shown = shown*(last+1) + place
			}
			visible := fmt.Sprintf(`<div data-frame="%d"><p>%s: not computed yet`, shown, strings.Join(sets, ", "))
			if shown != at || !strings.Contains(page["text/html"], visible) {
				t.Errorf("the sliders of combination %d show frame %d, want a visible frame %s", at, shown, visible)
			}
			if want := strings.Join(sets, ", ") + " not computed yet"; strings.Split(page["text/plain"], "\n")[at] != want {
				t.Errorf("the text of combination %d in\n%s\nis not %s", at, page["text/plain"], want)
			}
		}
	})
}
