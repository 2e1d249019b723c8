package schedule

import (
	"encoding/json"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// TestExperienceOfOtherRuns checks which earlier runs are like a run: those of the same problem and solver; for the
// time of a whole run, those that differ only in seed, fold, repetition and n, and in λ if C is given. The size of a
// file counts all rows of a run.
func TestExperienceOfOtherRuns(t *testing.T) {
	base := map[string]any{"problem": "p", "as": "a", "seed": 1., "n": 60., "lambda": 0.5, "C": 2., "eta": 3.}
	with := func(pairs ...any) map[string]any {
		out := maps.Clone(base)
		for i := 0; i < len(pairs); i += 2 {
			if out[pairs[i].(string)] = pairs[i+1]; pairs[i+1] == nil {
				delete(out, pairs[i].(string))
			}
		}
		return out
	}
	known := &trace.File{Manifest: trace.Manifest{Plan: "old", Labels: base},
		Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 4}}},
		End:  &trace.End{Status: trace.Done, Seconds: 7, CPUSeconds: 9, RecordSeconds: 3}}
	byLambda := *known
	byLambda.Manifest.Labels, byLambda.Manifest.Plan = with("problem", "l", "C", nil), "lambda"
	thinned := *known
	thinned.Manifest.Plan, thinned.Manifest.Thinned = "thinned", 1000
	took := newExperience([]*trace.File{known, &byLambda, &thinned})
	for _, c := range []struct {
		labels map[string]any
		want   float64 // for 10 passes: 12 s of a whole run, or 3 s per pass
	}{
		{base, 12}, {with("seed", 2.), 12}, {with("fold", 1.), 12}, {with(trace.Repetition, 2.), 12}, {with("n", 40.), 12},
		{with("lambda", 0.1), 12}, {with("n", nil, "lambda", nil), 12},
		{with("eta", 4.), 30}, {with("C", 9.), 30}, {with("as", "b"), 0}, {with("problem", "q"), 0},
		{with("problem", "l", "C", nil), 12}, {with("problem", "l", "C", nil, "lambda", 0.1), 30},
	} {
		got, ok := took.time(&job{Run: lang.Run{Labels: c.labels, Stop: lang.Stop{Passes: 10}}, plan: "new"})
		if got != c.want || ok != (c.want > 0) {
			t.Errorf("%v: predicted time %v s, known %v; want %v s", c.labels, got, ok, c.want)
		}
	}
	row, err := json.Marshal(known.Rows[0])
	if err != nil {
		t.Fatal(err)
	}
	if a, b := took.bytes["old"], took.bytes["thinned"]; a < int64(len(row)) || b < 999*int64(len(row)) ||
		b > a+1100*int64(len(row)) {
		t.Errorf("sizes %d and, with 1000 rows of %d bytes, %d", a, len(row), b)
	}
}

// TestTrialStop checks that a trial has the stop rule of its run, except for the passes or the epochs of the
// comparison, and that trials that end by different rules have different names.
func TestTrialStop(t *testing.T) {
	whole := lang.Stop{Gap: 0.1, Passes: 50, Epochs: 60, Seconds: 70}
	names := map[string]bool{}
	for at, want := range map[lang.At]lang.Stop{
		{Passes: 2}: {Gap: 0.1, Passes: 2, Epochs: 60, Seconds: 70},
		{Passes: 3}: {Gap: 0.1, Passes: 3, Epochs: 60, Seconds: 70},
		{Epochs: 2}: {Gap: 0.1, Passes: 50, Epochs: 2, Seconds: 70},
		{Epochs: 3}: {Gap: 0.1, Passes: 50, Epochs: 3, Seconds: 70},
	} {
		r := lang.Run{Stop: whole, Choose: &lang.Candidate{Rule: lang.Choose{At: at}}}
		if got := trialStop(r); got != want || r.Stop != whole {
			t.Errorf("comparison at %+v: the trial stops by %+v, want %+v", at, got, want)
		}
		names[pointOf(want)] = true
	}
	if len(names) != 4 {
		t.Errorf("four rules have the names %v", slices.Collect(maps.Keys(names)))
	}
}

// TestEventLine checks the line about each kind of event.
func TestEventLine(t *testing.T) {
	run := lang.Run{Labels: map[string]any{"as": "eg"}}
	for _, c := range []struct {
		e    Event
		want string
	}{
		{Event{Kind: Started, Done: 2, Total: 5, Run: run, Passes: 3, Gap: 0.1}, "p/a: 2 of 5 runs, 12 s"},
		{Event{Kind: Recorded, Done: 2, Total: 5, Run: run, Passes: 3.00004, Gap: 0.123},
			"p/a: 2 of 5 runs, 12 s; eg at 3 passes, gap 0.12"},
		{Event{Kind: Recorded, Done: 0, Total: 1, Run: run, Passes: 12345.6, Gap: math.NaN()},
			"p/a: 0 of 1 runs, 12 s; eg at 1.235e+04 passes"},
	} {
		if got := c.e.Line("p/a", 12400*time.Millisecond); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
}

// TestWithoutFolders checks that absolute paths lose their folders wherever they stand in settings, and that nothing
// else changes.
func TestWithoutFolders(t *testing.T) {
	file := func(name string) string { return filepath.Join(string(filepath.Separator), "home", "me", name) }
	got := withoutFolders(map[string]any{"path": file("a.txt"), "list": []any{file("b"), "sub/c", 3, []any{file("d")}},
		"deep": map[string]any{"validation": file("e"), "x": true, "none": nil}})
	want := map[string]any{"path": "a.txt", "list": []any{"b", "sub/c", 3, []any{"d"}},
		"deep": map[string]any{"validation": "e", "x": true, "none": nil}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("settings %v, want %v", got, want)
	}
}

// TestOtherCodeCounts checks that results with other code are counted, and that each component is named once.
func TestOtherCodeCounts(t *testing.T) {
	var o otherCode
	for _, parts := range [][]string{{"solver eg", "model m"}, nil, {}, {"solver eg"}, {"data set d", "solver eg"}} {
		o.add(parts)
	}
	if o.runs != 3 || o.list() != "data set d, model m, solver eg" {
		t.Errorf("%d results with other code of %s; want 3 of three components", o.runs, o.list())
	}
}

// TestBusyNote checks the numbers in the note about runs on a busy machine.
func TestBusyNote(t *testing.T) {
	x := &experiment{}
	for _, p := range []trace.Pace{{Slowdown: 1}, {Slowdown: trace.Quiet}, {Slowdown: 2}} {
		x.count(p)
	}
	if got := x.busyness.note(); got != "" {
		t.Errorf("note %q without a run that was made again", got)
	}
	for _, p := range []trace.Pace{{Slowdown: 1, Remade: 1}, {Slowdown: 1.5, Remade: 2}, {Slowdown: 1.2, Remade: 2}} {
		x.count(p)
	}
	const want = "3 of 6 timed runs were made again because the machine was busy; 3 of them"
	if got := x.busyness.note(); !strings.HasPrefix(got, want) {
		t.Errorf("note %q, want %q", got, want)
	}
}

// TestUnit checks that a unit has all of its runs, in their order, and the most threads that one of their solvers uses.
func TestUnit(t *testing.T) {
	var jobs []*job
	for i, workers := range []int{0, 3, 2} {
		jobs = append(jobs, &job{Run: lang.Run{Labels: map[string]any{"as": string(rune('a' + i)), "C": 10.},
			Solver: lang.Solver{Workers: workers}}, plan: "plan" + string(rune('a'+i)), key: "key" + string(rune('a'+i)),
			data: "data" + string(rune('a'+i))})
	}
	u := unit(5, jobs...)
	if u.Seconds != 5 || u.Workers != 3 || len(u.Runs) != 3 || u.Trials || u.Shared || unit(0, jobs[0]).Workers != 1 {
		t.Errorf("unit %+v, want 5 s, three threads and three runs", u)
	}
	for i, r := range u.Runs {
		at := string(rune('a' + i))
		if r != (ShardRun{Plan: "plan" + at, Key: "key" + at, Data: "data" + at, Name: at + " C=10"}) {
			t.Errorf("run %d of the unit is %+v", i, r)
		}
	}
}

// TestComparableTimes checks which results count if all times must be of one process, and which have CPU times.
func TestComparableTimes(t *testing.T) {
	file := func(sitting string, resumed int, end bool) *trace.File {
		f := &trace.File{Manifest: trace.Manifest{Conditions: trace.Conditions{Sitting: sitting}}}
		if end {
			f.End = &trace.End{Resumed: resumed}
		}
		return f
	}
	for _, c := range []struct {
		alone bool
		oneOf string
		f     *trace.File
		want  bool
	}{
		{false, "now", file("then", 1, true), true}, {true, "", file("then", 1, true), true},
		{true, "now", file("now", 0, true), true}, {true, "now", file("now", 0, false), true},
		{true, "now", file("now", 1, true), false}, {true, "now", file("then", 0, true), false},
		{true, "now", file("", 0, true), false},
	} {
		x := &experiment{alone: c.alone, options: Options{OneOf: c.oneOf}}
		if got := x.comparable(c.f); got != c.want {
			t.Errorf("alone %v, one of %q, sitting %q, end %+v: comparable %v", c.alone, c.oneOf, c.f.Manifest.Sitting, c.f.End,
				got)
		}
	}
	_, measures := machine.Thread()
	for _, alone := range []bool{false, true} {
		for _, values := range []map[string]float64{nil, {trace.Seconds: 1}, {trace.CPUSeconds: 0}} {
			f := &trace.File{}
			if values != nil {
				f.Rows = []trace.Row{{Values: values}}
			}
			_, has := values[trace.CPUSeconds]
			x := &experiment{alone: alone}
			if got := x.clocked(f); got != (!alone || !measures || values == nil || has) {
				t.Errorf("alone %v, row %v: has the CPU times that it needs: %v", alone, values, got)
			}
		}
	}
}
