package harness

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// TestForecast checks that a forecast is made of what earlier runs took, and of nothing else.
func TestForecast(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{as: a, name: eg, eta: {grid: [0.5, 0.25]}}, {as: b, name: eg}]\nstop: {passes: "+
		"4}\nbudget: {passes: 2}\n")
	states := func(want ...string) *schedule.Forecast {
		t.Helper()
		f, err := forecast(s, dir)
		if err != nil || len(f.Runs) != len(want) {
			t.Fatalf("%+v, %v", f, err)
		}
		sum := 0.0
		for i, r := range f.Runs {
			if r.State != want[i] || r.Passes != 4 || r.Labels["as"] == nil || r.Key == "" {
				t.Errorf("run %d: %+v, want it %s", i, r, want[i])
			}
			sum += r.Seconds
		}
		if f.Seconds != sum {
			t.Errorf("%v s of runs of %v s", f.Seconds, sum)
		}
		return f
	}
	if f := states("new", "new", "new"); f.Memory != 0 || f.Seconds != 0 {
		t.Errorf("%d bytes, %v s before any run", f.Memory, f.Seconds)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("a forecast has run something")
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Run(ctx, s, Options{Root: dir, OnEvent: func(e schedule.Event) {
		if e.Kind == schedule.Recorded && e.Run.Labels["eta"] == 0.25 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	first := r.Files[0]
	f := states("finished", "interrupted", "new")
	pace := max(first.End.Seconds, first.End.CPUSeconds) / first.Rows[len(first.Rows)-1].Values["passes"]
	if f.Runs[0].Seconds != 0 || f.Runs[1].Seconds != 2*pace || f.Runs[2].Seconds != 0 || f.Memory != first.End.PeakBytes {
		t.Errorf("%+v; want nothing for the first, two passes of %v s for the second, and the third not known", f, pace)
	}
}

// TestForecastReadsNothing checks that a forecast does not open the user's data file, and names it if it is missing.
func TestForecastReadsNothing(t *testing.T) {
	dir := t.TempDir()
	file := fileWith(t, specOn("format: libsvm, path: rows.txt", "multiclass, loss: log", passes(1, "eg")))
	notes := func() string {
		t.Helper()
		e := found(t, file)
		s := at(t, e, "")
		f, err := forecast(s, dir)
		if err != nil || len(f.Runs) != 1 {
			t.Fatalf("%+v, %v", f, err)
		}
		return strings.Join(f.Notes, "; ")
	}
	if got := notes(); !strings.Contains(got, "rows.txt") {
		t.Errorf("a missing file: %q", got)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "rows.txt"), []byte("no rows\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := notes(); got != "" {
		t.Errorf("a file that is no data: %q: it was read", got)
	}
}

// forecast plans a spec and predicts what it takes.
func forecast(s *lang.Spec, dir string) (*schedule.Forecast, error) {
	p, err := NewPlan(s, Options{Root: dir})
	if err != nil {
		return nil, err
	}
	return p.Forecast()
}
