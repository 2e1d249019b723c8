package toy

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// This file has what tests ask of results: single runs, their columns, and whether two results are the same.

// Failed describes the runs that failed.
func (r *Result) Failed() []string { return trace.Failures(r.Files) }

// Ended reports whether all runs of the plan have a file and none was interrupted.
func (r *Result) Ended() bool {
	return len(r.Files) == r.Planned &&
		!slices.ContainsFunc(r.Files, func(f *trace.File) bool { return f.Status() == trace.Interrupted })
}

// Only returns the only run of a result.
func Only(t *testing.T, r *Result) *trace.File {
	t.Helper()
	if len(r.Files) != 1 {
		t.Fatalf("%d runs, want 1", len(r.Files))
	}
	return r.Files[0]
}

// Labelled returns the only run whose labels have the given values. Names and values alternate in pairs; values are
// written as by trace.FormatLabel.
func Labelled(t *testing.T, r *Result, pairs ...string) *trace.File {
	t.Helper()
	var found *trace.File
files:
	for _, f := range r.Files {
		for i := 0; i < len(pairs); i += 2 {
			if trace.FormatLabel(f.Manifest.Labels[pairs[i]]) != pairs[i+1] {
				continue files
			}
		}
		if found != nil {
			t.Fatalf("two runs have the labels %v, want one", pairs)
		}
		found = f
	}
	if found == nil {
		t.Fatalf("no run has the labels %v, want one", pairs)
	}
	return found
}

// Last returns the last row of a run, as values by column.
func Last(t *testing.T, f *trace.File) map[string]float64 {
	t.Helper()
	if len(f.Rows) == 0 {
		t.Fatalf("%s has no rows; it ended as %s: %v", f.Describe(), f.Status(), f.End)
	}
	return f.Rows[len(f.Rows)-1].Values
}

// WantStatus checks that the run ended with the status and the rule.
func WantStatus(t *testing.T, f *trace.File, status trace.Status, rule string) {
	t.Helper()
	if f.Status() != status {
		t.Fatalf("%s: status = %s (%+v), want %s", f.Describe(), f.Status(), f.End, status)
	}
	if f.End != nil && f.End.Rule != rule {
		t.Errorf("%s: rule = %q, want %q", f.Describe(), f.End.Rule, rule)
	}
}

// Column returns the values of a column in all rows. If a row lacks the column, it fails the test.
func Column(t *testing.T, f *trace.File, name string) []float64 {
	t.Helper()
	var out []float64
	for i, r := range f.Rows {
		v, ok := r.Values[name]
		if !ok {
			t.Fatalf("%s: row %d has no column %s", f.Describe(), i, name)
		}
		out = append(out, v)
	}
	return out
}

// SameRows checks that two results have the same runs with the same rows, except for times.
func SameRows(t *testing.T, name string, a, b []*trace.File) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%s: %d runs in the first result, %d in the second", name, len(a), len(b))
	}
	for i := range a {
		if a[i].Manifest.Key != b[i].Manifest.Key {
			t.Errorf("%s: run %d has the key %s in the first result, %s in the second", name, i, a[i].Manifest.Key,
				b[i].Manifest.Key)
		}
		if d := trace.Diff(a[i], b[i]); d != "" {
			t.Errorf("%s: %s: the rows differ: %s", name, a[i].Describe(), d)
		}
		if a[i].Status() != trace.Unsupported && len(a[i].Rows) < 2 {
			t.Errorf("%s: %s: %d rows are too few to compare, want at least 2", name, a[i].Describe(), len(a[i].Rows))
		}
	}
}

// Journal records which runs ended and which were reused.
type Journal struct {
	Ended, Reused []string // names of the solvers, as in the spec
	Last          schedule.Event
}

// Option returns the option that records the events of a run in the journal.
func (j *Journal) Option() Option { return OnEvent(j.Event) }

// Event records an event.
func (j *Journal) Event(e schedule.Event) {
	switch e.Kind {
	case schedule.Ended:
		j.Ended = append(j.Ended, e.Run.Solver.As)
	case schedule.Reused:
		j.Reused = append(j.Reused, e.Run.Solver.As)
	}
	j.Last = e
}

// Want checks that the solvers in ended have made runs, and that existing results of the solvers in reused were used.
// It also checks that the last event counts all runs as done.
func (j *Journal) Want(t *testing.T, ended, reused []string) {
	t.Helper()
	slices.Sort(j.Ended)
	slices.Sort(j.Reused)
	if !slices.Equal(j.Ended, ended) || !slices.Equal(j.Reused, reused) {
		t.Errorf("runs that ended = %q, want %q; runs that were reused = %q, want %q", j.Ended, ended, j.Reused, reused)
	}
	if j.Last.Done != j.Last.Total {
		t.Errorf("the last event counts %d of %d runs as done, want all", j.Last.Done, j.Last.Total)
	}
}

// BytesOf returns the contents and modification times of the traces of the experiment test/tiny in a folder, by file.
func BytesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	paths, err := filepath.Glob(filepath.Join(dir, "test/tiny/own/*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p] = info.ModTime().String() + string(text)
	}
	return out
}
