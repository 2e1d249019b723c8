package schedule_test

import (
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestWhichResultsAreReused checks, for each property of an existing result and each option, whether Run reuses the
// result or makes the run again.
func TestWhichResultsAreReused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test runs an experiment tens of times")
	}
	clean := func(o *schedule.Options) { o.Clean = true }
	sameCode := func(o *schedule.Options) { o.SameCode = true }
	none := func(*schedule.Options) {}
	committed := func(commit string, dirty bool) func(*trace.File) {
		return func(f *trace.File) { f.Manifest.Commit, f.Manifest.Dirty = commit, dirty }
	}
	status := func(s trace.Status) func(*trace.File) {
		return func(f *trace.File) { f.End.Status, f.End.Rule = s, "" }
	}
	otherCode := func(f *trace.File) { f.Manifest.Sources["solver ascent"] = "earlier sources" }
	unknownCode := func(f *trace.File) { f.Manifest.Sources = nil }
	otherDefault := func(f *trace.File) {
		f.Manifest.Spec["solver"].(map[string]any)["params"].(map[string]any)["rate"] = 0.75
	}
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 1}\n")
	for i, c := range []struct {
		about  string
		edit   func(*trace.File)
		option toy.Option
		want   bool
	}{
		{"a result", func(*trace.File) {}, none, true},
		{"a result, Force", func(*trace.File) {}, toy.Force(), false},
		{"a commit, Clean", committed("abc", false), clean, true},
		{"a commit with changes, Clean", committed("abc", true), clean, false},
		{"no commit, Clean", committed("", false), clean, false},
		{"no commit and changes, Clean", committed("", true), clean, false},
		{"a commit with changes", committed("abc", true), none, true},
		{"other code", otherCode, none, true},
		{"other code, SameCode", otherCode, sameCode, false},
		{"unknown code, SameCode", unknownCode, sameCode, true},
		{"the same code, SameCode", func(*trace.File) {}, sameCode, true},
		{"no weights, Weights", func(*trace.File) {}, toy.Weights(), false},
		{"diverged without weights, Weights", status(trace.Diverged), toy.Weights(), true},
		{"unsupported without weights, Weights", status(trace.Unsupported), toy.Weights(), true},
		{"another default", otherDefault, none, false},
		{"stalled", status(trace.Stalled), none, true},
		{"budget", status(trace.Budget), none, true},
		{"failed", status(trace.Failed), none, false},
		{"interrupted", status(trace.Interrupted), none, false},
	} {
		dir := t.TempDir()
		f := toy.Only(t, toy.Run(t, dir, s))
		c.edit(f)
		f.Manifest.Command = []string{fmt.Sprint(i)} // marks the earlier result
		if err := f.Save(f.Path); err != nil {
			t.Fatal(err)
		}
		again := toy.Only(t, toy.Run(t, dir, s, c.option))
		if got := len(again.Manifest.Command) > 0; got != c.want {
			t.Errorf("%s: the result is reused: %v, want %v", c.about, got, c.want)
		}
	}
}

// TestForceMakesTrialsAgain checks that the option Force repeats the trials (runs up to a comparison), although an
// earlier process has made them.
func TestForceMakesTrialsAgain(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, toy.Choosing)
	o := toy.Options(dir)
	d, err := divide(t, s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	trials := 0
	for _, u := range d.Units {
		if u.Trials {
			trials++
			o.Shard = shard(u)
			if err := toy.Do(t.Context(), s, o); err != nil {
				t.Fatal(err)
			}
		}
	}
	for force, want := range map[bool]int{false: 0, true: trials} {
		started := 0
		o := toy.Options(dir, toy.OnEvent(func(e schedule.Event) {
			if e.Kind == schedule.Started && e.Target == 2 { // the comparison is after two passes
				started++
			}
		}))
		o.Force, o.Shard = force, &schedule.Shard{Runs: map[string]string{}, Trials: true}
		for _, u := range d.Units {
			for _, r := range u.Runs {
				if u.Trials {
					o.Shard.Runs[r.Plan] = ""
				}
			}
		}
		if err := toy.Do(t.Context(), s, o); err != nil {
			t.Fatal(err)
		}
		if started != want {
			t.Errorf("Force %v: %d of %d trials were made again, want %d", force, started, trials, want)
		}
	}
}

// TestForecastOfSeveralWorkers checks that the predicted time of an experiment is divided by the number of workers,
// unless the experiment shows times. It also checks the time of a trial (a run up to a comparison): the time of the
// whole run times the trial's share of the passes.
func TestForecastOfSeveralWorkers(t *testing.T) {
	t.Parallel()
	const timed = "figure: {x: seconds, y: primal}\n"
	for _, text := range []string{toy.AtC + toy.Three, toy.AtC + toy.Three + timed, toy.Choosing} {
		s := toy.Spec(t, text)
		var known []*trace.File
		plan, err := schedule.NewPlan(s, toy.Options(t.TempDir(), toy.Workers(4)))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range plan.Runs {
			known = append(known, &trace.File{Manifest: trace.Manifest{Labels: r.Labels},
				Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 5}}},
				End:  &trace.End{Status: trace.Done, Seconds: 10}})
		}
		f, err := plan.Forecast(t.Context(), known)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, r := range f.Runs {
			sum += r.Seconds
		}
		want := sum / 4
		if schedule.Timed(s) {
			want = sum
		}
		if f.Seconds != want || sum != 10*float64(len(plan.Runs)) {
			t.Errorf("predicted time = %v s, want %v s for runs of %v s together, on 4 workers", f.Seconds, want, sum)
		}
		d, err := plan.Divide(t.Context(), known)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range d.Units {
			if want := map[bool]float64{false: 10, true: 10 * 2. / 5}[u.Trials]; u.Seconds != want {
				t.Errorf("predicted time of a unit, trial %v: %v s, want %v s", u.Trials, u.Seconds, want)
			}
		}
	}
}

// TestForecastDescribesResults checks what a forecast reports of the existing file of a run: its state, its predicted
// times, and the details, from which an edition decides which results it can use.
func TestForecastDescribesResults(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 1}\n")
	for _, c := range []struct {
		about   string
		edit    func(*trace.File)
		options func(*schedule.Options)
		state   string
		sitting string
		remade  bool
	}{
		{"a result", func(*trace.File) {}, nil, "finished", "monday", false},
		{"a resumed run", func(f *trace.File) { f.End.Resumed = 1 }, nil, "finished", "", false},
		{"made again once", func(f *trace.File) { f.End.Remade = 1 }, nil, "finished", "monday", true},
		{"failed", func(f *trace.File) { f.End.Status, f.End.Why = trace.Failed, "why" }, nil, "failed", "monday", false},
		{"interrupted", func(f *trace.File) { f.End.Status = trace.Interrupted }, nil, "interrupted", "monday", false},
		{"an older revision", func(f *trace.File) { f.Manifest.Revisions["solver ascent"] = 0 }, nil, "new", "monday", false},
		{"not allowed", func(*trace.File) {}, func(o *schedule.Options) { o.Weights = true }, "new", "monday", false},
		{"forced", func(*trace.File) {}, func(o *schedule.Options) { o.Force = true }, "new", "", false},
	} {
		dir := t.TempDir()
		f := toy.Only(t, toy.Run(t, dir, s))
		f.Manifest.Sitting, f.Manifest.Alone, f.Manifest.Commit = "monday", c.remade, "abc"
		f.End.Seconds, f.End.CPUSeconds, f.End.RecordSeconds = 3, 2, 1
		c.edit(f)
		if err := f.Save(f.Path); err != nil {
			t.Fatal(err)
		}
		o := toy.Options(dir)
		if c.options != nil {
			c.options(&o)
		}
		p, err := schedule.NewPlan(s, o)
		if err != nil {
			t.Fatal(err)
		}
		forecast, err := p.Forecast(t.Context(), nil)
		if err != nil || len(forecast.Runs) != 1 {
			t.Fatalf("%s: forecast %+v, %v; want one run", c.about, forecast, err)
		}
		r := forecast.Runs[0]
		whole, left := 4., 4.
		if c.state == "failed" || c.state == "interrupted" {
			whole, left = 0, 0
		} else if c.state == "finished" {
			left = 0
		}
		if r.State != c.state || r.Whole != whole || r.Seconds != left || forecast.Seconds != left ||
			r.Known != (whole > 0) || r.Bytes > 0 != (whole > 0) {
			t.Errorf("%s: %+v; want it %s, and a predicted time of %v s, of which %v s are left", c.about, r, c.state, whole,
				left)
		}
		if c.about == "forced" {
			if r.Made != nil || r.Key != r.Plan {
				t.Errorf("%s: %+v with the file %+v, want no file, and the hash of the settings as the key", c.about, r, r.Made)
			}
			continue
		}
		want := schedule.Made{Status: f.Status(), Why: f.End.Why, Sitting: c.sitting, Alone: c.remade, Remade: c.remade,
			Commit: "abc"}
		if r.Made == nil || *r.Made != want || r.Key != f.Manifest.Key {
			t.Errorf("%s: file %+v with the key %s, want %+v with the key %s", c.about, r.Made, r.Key, want, f.Manifest.Key)
		}
	}
}
