package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
)

// small is a spec of two short runs.
const small = `apiVersion: gaplab/v1
id: playground/small
dataset: {name: digits, train: 30, validation: 10}
model: {name: multiclass, loss: hinge}
regularisation: {convention: svm-struct, C: 1}
solvers:
  - {name: bcfw}
  - {name: one-slack}
stop: {passes: 3}
`

func opened(t *testing.T) *Session {
	t.Helper()
	s, err := New(t.TempDir(), func(key string) string {
		return map[string]string{"github.com/gaplab/gaplab/harness/lang.Stop.Gap": "the gap"}[key]
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestCheck checks that the faults of a spec have their lines, and the texts of the program.
func TestCheck(t *testing.T) {
	t.Parallel()
	s := opened(t)
	if r := s.Check(small); len(r.Faults) != 0 || r.Runs != 2 || r.Spec["stop"] == nil {
		t.Errorf("the report is %+v, want 2 runs and the keys of the spec", r)
	}
	text := strings.Replace(small, "passes: 3", "passses: 3", 1)
	r := s.Check(text)
	file := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := harness.Find(file)
	if len(r.Faults) != 1 || r.Faults[0].Line != 9 || r.Faults[0].Key != "stop.passses" || err == nil ||
		strings.TrimPrefix(err.Error(), filepath.Dir(file)+"/") != r.Faults[0].Text {
		t.Errorf("the faults are %+v; the program says %v", r.Faults, err)
	}
	if r := s.Check("a: [\n"); len(r.Faults) == 0 || r.Spec != nil {
		t.Errorf("text that is not YAML gives %+v, want a fault", r)
	}
}

// TestComplete checks that the accepted words have descriptions.
func TestComplete(t *testing.T) {
	t.Parallel()
	s := opened(t)
	at := strings.Index(small, "passes: 3}") + len("pas")
	c := s.Complete(small, at)
	found := map[string]Word{}
	for _, w := range c.Words {
		found[w.Word] = w
	}
	if got := small[c.Start:c.End]; got != "passes" {
		t.Errorf("the word at the cursor is %q, want passes", got)
	}
	if w := found["gap"]; !w.Key || !strings.HasPrefix(w.Says, "the gap; accepted: ") {
		t.Errorf("the key gap is %+v, want its description and accepted values", w)
	}
	s.Complete(small, -1)
	s.Complete(small, 1<<20)
}

// rowsOf returns the rows of a spec's runs, without clocks.
func rowsOf(t *testing.T, run func(context.Context, string, func(Step)) error,
	text string) map[string][]map[string]float64 {
	t.Helper()
	out := map[string][]map[string]float64{}
	err := run(t.Context(), text, func(step Step) {
		if step.Kind == Row {
			out[step.Run] = append(out[step.Run], withoutClocks(step.Values))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func withoutClocks(values map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for name, v := range values {
		if !strings.HasSuffix(name, "seconds") {
			out[name] = v
		}
	}
	return out
}

// TestRowsOfProgram checks that a run has the rows of the program, and that a second run has the same rows again. A run
// without a check has them too.
func TestRowsOfProgram(t *testing.T) {
	t.Parallel()
	s := opened(t)
	got := rowsOf(t, s.Run, small)
	file := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(file, []byte(small), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := harness.Find(file)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := e.At("", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := harness.Run(t.Context(), spec, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]map[string]float64{}
	for _, f := range r.Files {
		for _, row := range f.Rows {
			name := trace.DescribeLabels(map[string]any{"as": f.Manifest.Labels["as"], "C": f.Manifest.Labels["C"],
				"seed": f.Manifest.Labels["seed"]})
			want[name] = append(want[name], withoutClocks(row.Values))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows of the program and of the playground:\n%s", diff)
	}
	if diff := cmp.Diff(got, rowsOf(t, s.Run, small)); diff != "" {
		t.Errorf("rows of two runs:\n%s", diff)
	}
	if diff := cmp.Diff(got, rowsOf(t, opened(t).RunKnown, small)); diff != "" {
		t.Errorf("rows with and without a check:\n%s", diff)
	}
}

// TestOwnFile checks that a file in the working directory is used, and that published data sets are not downloaded.
func TestOwnFile(t *testing.T) {
	s := opened(t)
	t.Chdir(s.folder)
	text := strings.Replace(small, "{name: digits, train: 30, validation: 10}", "{format: libsvm, path: own.txt}", 1)
	if err := s.Run(t.Context(), text, func(Step) {}); err == nil ||
		!strings.Contains(err.Error(), "data not found: stat own.txt") {
		t.Errorf("a missing file gives %v", err)
	}
	data := strings.Repeat("1 1:1 2:0.5\n2 1:-1 2:0.25\n", 5)
	if err := os.WriteFile(filepath.Join(s.folder, "own.txt"), []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(t, s.Run, text); len(got) != 2 {
		t.Errorf("the runs on a file are %v, want 2", got)
	}
	text = strings.Replace(small, "{name: digits, train: 30, validation: 10}", "{name: mnist}", 1)
	if err := s.Run(t.Context(), text, func(Step) {}); !errors.Is(err, datasets.ErrMissing) ||
		!strings.Contains(err.Error(), "add your own file") {
		t.Errorf("a published data set gives %v", err)
	}
}

// TestStop checks that runs end as interrupted when the context ends.
func TestStop(t *testing.T) {
	t.Parallel()
	s := opened(t)
	ctx, stop := context.WithCancel(t.Context())
	status := ""
	err := s.Run(ctx, strings.Replace(small, "passes: 3", "passes: 1e6", 1), func(step Step) {
		if step.Kind == Ended {
			status = step.Status
		}
		stop()
	})
	if err != nil || status != string(trace.Interrupted) {
		t.Errorf("the run ended as %q, %v; want interrupted", status, err)
	}
}
