package harness

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestForecast checks the forecast before any run and after an interrupted one: the state, time and memory of each run.
// Times and memory must come from earlier runs only.
func TestForecast(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{as: a, name: eg, eta: {grid: [0.5, 0.25]}}, {as: b, name: eg}]\nstop: {passes: "+
		"4}\nbudget: {passes: 2}\n")
	states := func(want ...string) *schedule.Forecast {
		t.Helper()
		f, err := forecast(s, dir)
		if err != nil || len(f.Runs) != len(want) {
			t.Fatalf("forecast = %+v, %v, want %d runs", f, err, len(want))
		}
		sum := 0.0
		for i, r := range f.Runs {
			if r.State != want[i] || r.Passes != 4 || r.Labels["as"] == nil || r.Key == "" {
				t.Errorf("run %d = %+v, want 4 passes, state %s", i, r, want[i])
			}
			sum += r.Seconds
		}
		if f.Seconds != sum {
			t.Errorf("total seconds = %v, want the sum over the runs, %v", f.Seconds, sum)
		}
		return f
	}
	if f := states("new", "new", "new"); f.Memory != 0 || f.Seconds != 0 {
		t.Errorf("before any run: %d bytes, %v s, want 0 of both", f.Memory, f.Seconds)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("a forecast made runs")
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
	took := max(first.End.Seconds, first.End.CPUSeconds) + first.End.RecordSeconds
	pace := took / first.Rows[len(first.Rows)-1].Values["passes"]
	if f.Runs[0].Seconds != 0 || f.Runs[1].Seconds != 2*pace || f.Runs[2].Seconds != 0 || f.Memory != first.End.PeakBytes {
		t.Errorf("forecast = %+v; want 0 s for the first run, 2 passes of %v s for the second, 0 (not known) for the third",
			f, pace)
	}
}

// TestForecastReadsNothing checks that a forecast does not open the user's data file. If the file is missing, a note
// must name it.
func TestForecastReadsNothing(t *testing.T) {
	dir := t.TempDir()
	file := fileWith(t, specOn("format: libsvm, path: rows.txt", "multiclass, loss: log", passes(1, "eg")))
	notes := func() string {
		t.Helper()
		e := found(t, file)
		s := at(t, e, "")
		f, err := forecast(s, dir)
		if err != nil || len(f.Runs) != 1 {
			t.Fatalf("forecast = %+v, %v, want 1 run", f, err)
		}
		return strings.Join(f.Notes, "; ")
	}
	if got := notes(); !strings.Contains(got, "rows.txt") {
		t.Errorf("notes with a missing file = %q, want its name", got)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(file), "rows.txt"), []byte("no rows\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := notes(); got != "" {
		t.Errorf("notes with a file that is not valid data = %q, want none, because the file must not be read", got)
	}
}

// forecast plans a spec and returns the plan's forecast.
func forecast(s *lang.Spec, dir string) (*schedule.Forecast, error) {
	p, err := NewPlan(s, Options{Root: dir})
	if err != nil {
		return nil, err
	}
	return p.Forecast(context.Background())
}

// TestPlanningIsInterrupted checks that planning stops if the context has ended, before any run begins.
func TestPlanningIsInterrupted(t *testing.T) {
	s := readSpec(t, atC+three)
	p, err := NewPlan(s, Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("interrupted by a test")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := p.Forecast(ctx); !errors.Is(err, why) {
		t.Errorf("Forecast: error %v, want %v", err, why)
	}
	if r, err := p.Run(ctx); err != nil || len(r.Files) != 0 {
		t.Errorf("Run = %d files, %v, want none", len(r.Files), err)
	}
}

// TestChangedCode checks that a forecast names the components whose code is not the code that made the kept results:
// each once, and no component that the plan does not have.
func TestChangedCode(t *testing.T) {
	p, err := NewPlan(readSpec(t, specOn("name: sparse-text, train: 9, validation: 0", "multiclass, loss: log",
		passes(1, "eg"))), Options{Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	kept := func(changes ...string) *trace.File {
		f := &trace.File{Manifest: trace.Manifest{Components: trace.Components{
			Sources: origin.Sources(p.Options.Catalogue, p.Runs[0])}}}
		for _, name := range changes {
			f.Manifest.Sources[name] = "other"
		}
		return f
	}
	for _, c := range []struct {
		known []*trace.File
		want  []string
	}{
		{nil, nil},
		{[]*trace.File{kept(), {}}, nil},
		{[]*trace.File{kept("solver eg", "rows"), kept("rows", "solver that is not in the plan")},
			[]string{"rows", "solver eg"}},
	} {
		if got := p.changed(c.known); !slices.Equal(got, c.want) {
			t.Errorf("changed components = %q, want %q", got, c.want)
		}
	}
}
