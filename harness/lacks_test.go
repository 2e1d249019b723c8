package harness

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestLabelsOfResults checks the labels of a run with and without a result: n and λ come from the trace, and all other
// labels from the plan. A run on a path has neither C nor λ. The labels of the plan do not change.
func TestLabelsOfResults(t *testing.T) {
	labels := map[string]any{"as": "a", trace.C: 10., trace.Lambda: 7., "seed": 1.}
	own := maps.Clone(labels)
	for _, c := range []struct {
		about string
		got   map[string]any
		want  map[string]any
	}{
		{"made", labelsOf(lang.Run{Labels: own}, &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"n": 60.,
			trace.Lambda: 0.5, "as": "old", "seed": 9., "eta": 3.}}}),
			map[string]any{"as": "a", trace.C: 10., trace.Lambda: 0.5, "seed": 1., "n": 60.}},
		{"made without n", labelsOf(lang.Run{Labels: own}, &trace.File{}), labels},
		{"missing", plannedLabels(lang.Run{Labels: own}), labels},
		{"missing, on a path", plannedLabels(lang.Run{Labels: own, Solver: lang.Solver{Path: &lang.Path{}}}),
			map[string]any{"as": "a", "seed": 1.}},
	} {
		if !maps.Equal(c.got, c.want) || !maps.Equal(own, labels) {
			t.Errorf("%s: labels %v, want %v; labels of the plan %v, want %v", c.about, c.got, c.want, own, labels)
		}
	}
}

// TestCurrent checks which results of older revisions are left out, and the text about them, which has each reason
// once.
func TestCurrent(t *testing.T) {
	for _, c := range []struct {
		older []string // why each result is older; "": it is not
		kept  int
		text  string
	}{
		{nil, 0, ""}, {[]string{"", ""}, 2, ""},
		{[]string{"x", "x", "y"}, 3, "made by older revisions: x; y; make new results with `gaplab run`"},
		{[]string{"x", "", "x", "y", ""}, 2, "3 of 5 results were made by older revisions and are left out, because newer " +
			"results exist: x; y"},
	} {
		var files []*trace.File
		for _, why := range c.older {
			files = append(files, &trace.File{Older: why})
		}
		out, older, text := current(files)
		left := 0
		if c.kept < len(files) {
			left = len(files) - c.kept
		}
		if len(out) != c.kept || len(older) != left || text != c.text {
			t.Errorf("%q: %d results, %d left out, %q; want %d, %d, %q", c.older, len(out), len(older), text, c.kept, left,
				c.text)
		}
		for _, f := range older {
			if f.Older == "" || slices.Contains(out, f) {
				t.Errorf("%q: a result that is not older is left out, or one is in both lists", c.older)
			}
		}
	}
}

// TestResultsThatLack checks the texts about missing results: at most five runs are named, and LeftOut has files that
// cannot be read, older results and, if a part may be shown, the missing runs.
func TestResultsThatLack(t *testing.T) {
	for missing := range 9 {
		for _, partial := range []bool{false, true} {
			done := &trace.File{Manifest: trace.Manifest{Labels: map[string]any{"as": "done"}},
				End: &trace.End{Status: trace.Done}}
			r := &Result{Spec: &lang.Spec{ID: "p/a", File: "experiments/p/a.yaml", Scale: lang.ScaleQuick}, Left: "unread",
				Older: "aged", Planned: missing + 1, Files: []*trace.File{done}, Set: trace.NewSet([]*trace.File{done})}
			r.Set.Partial = partial
			for i := range missing {
				r.Set.Missing = append(r.Set.Missing,
					trace.NewMissing(map[string]any{"as": fmt.Sprint("run", i)}, trace.Missing, fmt.Sprint("why", i, "\nmore")))
			}
			err, whole, notes := r.Lacks(), r.Whole(), r.LeftOut()
			if r.Interrupted() != (missing > 0) || (err != nil) != (missing > 0) || err != nil && !errors.Is(err, ErrPartial) ||
				(whole != nil) != (missing > 0 && !partial) {
				t.Fatalf("%d missing, partial %v: interrupted %v, %v, %v", missing, partial, r.Interrupted(), err, whole)
			}
			want := []string{"p/a: unread", "p/a: aged"}
			if partial && missing > 0 {
				want = append(want, err.Error())
			}
			if !slices.Equal(notes, want) {
				t.Errorf("%d missing, partial %v: notes %q, want %q", missing, partial, notes, want)
			}
			if err == nil {
				continue
			}
			for i := range missing {
				if got := strings.Contains(err.Error(), fmt.Sprint("run", i, ": missing (why", i, " …)")); got != (i < 5) {
					t.Errorf("%d missing: %v; it names run %d: %v", missing, err, i, got)
				}
			}
			more := fmt.Sprintf("; and %d more; make them with `gaplab run p/a --scale quick`", missing-5)
			if strings.Contains(err.Error(), more) != (missing > 5) || strings.Contains(err.Error(), "more\n") {
				t.Errorf("%d missing: %v; want the number of the others only if there are more than five", missing, err)
			}
		}
	}
	end := func(s trace.Status) *Result {
		return &Result{Planned: 2, Files: []*trace.File{{End: &trace.End{Status: s}}, {End: &trace.End{Status: trace.Done}}}}
	}
	if !end(trace.Interrupted).Interrupted() || end(trace.Failed).Interrupted() || end(trace.Done).Interrupted() {
		t.Error("a result is interrupted if the first of two runs is, and not if it failed or is done")
	}
}
