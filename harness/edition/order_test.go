package edition

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// run returns a run that takes the given time. A finished run has the sitting that made it.
func run(plan string, seconds float64, made *schedule.Made) schedule.PlannedRun {
	r := schedule.PlannedRun{State: "new", Details: schedule.Details{Plan: plan, Whole: seconds, Known: seconds > 0,
		Bytes: 100, Made: made}}
	if made != nil {
		r.State = "finished"
	}
	return r
}

// fresh returns an experiment without results; each letter of plans is a run of ten seconds.
func fresh(id, plans string, timed bool, reads ...string) *Experiment {
	e := &Experiment{ID: id, Timed: timed, Reads: reads}
	if timed {
		e.Process = "now"
	}
	for _, p := range plans {
		e.Runs = append(e.Runs, run(string(p), 10, nil))
	}
	return e
}

func ids(all []*Experiment) string {
	var out []string
	for _, e := range all {
		out = append(out, e.ID)
	}
	return strings.Join(out, " ")
}

// TestOrder checks the order of groups and within groups: short groups first, in a group timed and long experiments
// first, readers after what they read, unknown times first of all, failed experiments last of all.
func TestOrder(t *testing.T) {
	unknown := fresh("p/unknown", "uvwxyz0123", false)
	for i := range unknown.Runs {
		unknown.Runs[i].Whole, unknown.Runs[i].Known = 0, false
	}
	lost := fresh("p/lost", "L", false)
	lost.Runs[0].State, lost.Runs[0].Made = "failed", &schedule.Made{Status: "failed"}
	partly := fresh("r/partly", "klmnopqr", false) // it counts with its known times
	partly.Runs[0].Whole, partly.Runs[0].Known = 0, false
	complete := fresh("r/complete", "", false)
	complete.Runs = []schedule.PlannedRun{run("s", 10, &schedule.Made{})}
	all := []*Experiment{
		fresh("p/beside", "56", false, "p/unknown"), partly, complete, lost, fresh("p/part", "ab", true),
		fresh("p/untimed", "abc", false), fresh("p/whole", "abcd", true),
		fresh("q/other", "a", true), // another paper: no shared runs
		fresh("p/reader", "ef", false, "q/read"), fresh("q/read", "g", false), unknown,
	}
	Order(all, 2)
	want := "p/unknown p/beside r/complete q/other q/read p/reader r/partly p/whole p/part p/untimed p/lost"
	if got := ids(all); got != want {
		t.Errorf("order = %s\nwant    %s", got, want)
	}
}

// saving returns an experiment without results. A run whose letter is a capital saves its weights, and is otherwise the
// same as the run with the small letter.
func saving(id, plans string, timed bool, reads ...string) *Experiment {
	e := fresh(id, strings.ToLower(plans), timed, reads...)
	for i := range e.Runs {
		e.Runs[i].Saves = plans[i] < 'a'
	}
	return e
}

// TestOrderOfWeights checks that an experiment that saves the weights of a shared run comes before those that share the
// run and do not save them, and that the run is then made once. The other order would make it twice. Where the
// conditions contradict each other, any order is right.
func TestOrderOfWeights(t *testing.T) {
	for _, c := range []struct {
		name string
		all  []*Experiment
		want string
		runs int
	}{
		{"the short one saves", []*Experiment{fresh("p/long", "abcd", false), saving("p/short", "Ax", false)},
			"p/short p/long", 5},
		{"both save", []*Experiment{saving("p/long", "Abcd", false), saving("p/short", "Ax", false)}, "p/long p/short", 5},
		{"each saves a run of the other", []*Experiment{saving("p/long", "aBcd", false), saving("p/short", "Ab", false)},
			"p/long p/short", 5},
		{"a timed one cannot use the run", []*Experiment{fresh("p/long", "abcd", true), saving("p/short", "Ax", false)},
			"p/long p/short", 6},
		{"a timed one saves", []*Experiment{fresh("p/long", "abcd", true), saving("p/short", "Ax", true)},
			"p/short p/long", 5},
		{"its claims are read", []*Experiment{fresh("p/long", "abcd", false), saving("p/short", "Ax", false, "p/long")},
			"p/long p/short", 6},
		{"another paper", []*Experiment{fresh("p/long", "abcd", false), saving("q/short", "Ax", false),
			fresh("q/a", "ayzw", false)}, "p/long q/short q/a", 9},
	} {
		Order(c.all, 1)
		if got := ids(c.all); got != c.want {
			t.Errorf("%s: order %s, want %s", c.name, got, c.want)
		}
		if _, whole := Forecast(c.all, 1); whole.Runs != c.runs {
			t.Errorf("%s: %d runs, want %d", c.name, whole.Runs, c.runs)
		}
	}
}

// TestForecastArithmetic checks the time, size and number of runs: a shared run is counted once, runs of untimed
// experiments share the processors, unknown times are counted, and a timed experiment does not use a run that was made
// beside others.
func TestForecastArithmetic(t *testing.T) {
	third := fresh("p/third", "x", false)
	third.Runs[0].Known, third.Runs[0].Whole = false, 0
	all := []*Experiment{fresh("p/timed", "abc", true), fresh("p/shares", "abcd", false), third,
		fresh("p/late", "d", true)}
	all[0].Memory = 7
	each, whole := Forecast(all, 2)
	want := []Need{{3, 0, 30, 300, 7}, {1, 0, 5, 100, 0}, {1, 1, 0, 100, 0}, {1, 0, 10, 100, 0}}
	if !slices.Equal(each, want) {
		t.Errorf("each = %+v\nwant  %+v", each, want)
	}
	if want := (Need{6, 1, 45, 600, 7}); whole != want {
		t.Errorf("whole = %+v, want %+v", whole, want)
	}
}

// TestState checks the state of an experiment with three runs. Each letter is a run: f has finished in the sitting old,
// n in the sitting now, u in no sitting of its own, x has failed, and a space is a run without a result. The runs of an
// experiment that one process must make are complete only if one sitting has made them all.
func TestState(t *testing.T) {
	for _, c := range []struct{ runs, several, one string }{
		{"   ", Waiting, Waiting},
		{"f  ", Begun, Begun},
		{"x  ", Begun, Begun},
		{"fx ", Begun, Begun},
		{"fff", Done, Done},
		{"ffn", Done, Begun},
		{"fuf", Done, Begun},
		{"uuu", Done, Begun},
		{"ffx", Failed, Failed},
		{"fnx", Failed, Begun},
		{"xxx", Failed, Failed},
	} {
		for process, want := range map[string]string{"": c.several, "now": c.one} {
			e := &Experiment{ID: "p/e", Process: process}
			for _, made := range c.runs {
				r := run("a", 1, nil)
				switch made {
				case 'x':
					r.State, r.Made = "failed", &schedule.Made{Status: trace.Failed}
				case ' ':
				default:
					r = run("a", 1, &schedule.Made{Sitting: map[rune]string{'f': "old", 'n': "now"}[made]})
				}
				e.Runs = append(e.Runs, r)
			}
			if got := e.State(); got != want {
				t.Errorf("the runs %q with the process %q: %s, want %s", c.runs, process, got, want)
			}
		}
	}
}

// TestEnter checks the entry of an experiment in the record: the finished runs, the share of those made again, the
// first line of the reason of each failure, and each commit once. A new entry of the same experiment replaces the
// counts and keeps the time of the sittings.
func TestEnter(t *testing.T) {
	lost := run("d", 1, nil)
	lost.State, lost.Made = "failed", &schedule.Made{Status: trace.Failed, Why: "no memory\nat line 3"}
	lost.Labels = map[string]any{"as": "eg"}
	e := &Experiment{ID: "p/e", Runs: []schedule.PlannedRun{run("a", 1, &schedule.Made{Commit: "one", Remade: true}),
		run("b", 1, &schedule.Made{Commit: "two"}), run("c", 1, &schedule.Made{Commit: "one"}),
		run("e", 1, &schedule.Made{Commit: "two"}), lost, run("f", 1, nil)}}
	r := &Record{Experiments: []Entry{{ID: "p/other", Runs: 3}, {ID: "p/e", Seconds: 5, Failed: []string{"old"}}}}
	want := Entry{ID: "p/e", State: Begun, Runs: 4, Planned: 6, Failed: []string{"eg: no memory"}, Seconds: 5, Forecast: 8,
		Remade: 0.25, Commits: []string{"one", "two"}}
	for range 2 {
		if got := r.enter(e, Need{Seconds: 8}); !reflect.DeepEqual(*got, want) || !reflect.DeepEqual(r.Experiments[1], want) {
			t.Errorf("the entry is %+v\nwant         %+v", *got, want)
		}
	}
	once := &Experiment{ID: "p/e", Runs: e.Runs[:1]}
	if got := r.enter(once, Need{}); got.State != Done || got.Remade != 1 || got.Failed != nil || got.Seconds != 5 {
		t.Errorf("the entry with one run, which was made again, is %+v", *got)
	}
	if got := r.enter(fresh("p/new", "a", false), Need{}); got.State != Waiting || got.Planned != 1 || got.Remade != 0 {
		t.Errorf("the entry of a new experiment is %+v", got)
	}
	if len(r.Experiments) != 3 || r.Experiments[0].Runs != 3 {
		t.Errorf("the record has %+v, want three experiments, and the first one unchanged", r.Experiments)
	}
}

// TestOneSitting checks which results a timed experiment uses: those of one sitting only, of its own or of others that
// ran alone. Otherwise all of them are made in the present sitting.
func TestOneSitting(t *testing.T) {
	made := func(sitting string, alone bool) *schedule.Made { return &schedule.Made{Sitting: sitting, Alone: alone} }
	other := fresh("p/other", "", true)
	other.Runs = []schedule.PlannedRun{run("a", 1, made("old", true)), run("b", 1, made("old", true)),
		run("c", 1, made("now", true)), run("d", 1, made("old", false))}
	for _, c := range []struct {
		name, plans string
		own         *schedule.Made // of the first run
		want, one   string
	}{
		{"all of an earlier sitting", "ab", nil, "", "old"},
		{"of two sittings", "abc", nil, "ab", "now"},
		{"a run that was made beside others", "ad", nil, "ad", "now"},
		{"an own run of another sitting", "ab", made("older", true), "ab", "now"},
		{"an own run of that sitting", "ab", made("old", true), "", "old"},
		{"an own run of this sitting", "ac", made("now", true), "", "now"},
	} {
		e := fresh("p/e", c.plans, true)
		if c.own != nil {
			e.Runs[0] = run("a", 1, c.own)
		}
		runs, one := newStock([]*Experiment{other, e}).remaining(e)
		got := ""
		for _, r := range runs {
			got += r.Plan
		}
		if got != c.want || one != c.one {
			t.Errorf("%s: runs %q of sitting %q, want %q of %q", c.name, got, one, c.want, c.one)
		}
	}
}

// TestStock checks which results of another experiment an experiment can use. The timed experiment needs a run whose
// weights are saved, of the sitting old. It can use the first result, but no result that differs from it in one of the
// conditions; an experiment that does not need the condition can.
func TestStock(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(e *Experiment, other *Experiment)
		strict bool // whether the timed experiment can use the result
		free   bool // whether one can that is not timed, takes results of any sitting and does not save weights
	}{
		{"the same run", func(_, _ *Experiment) {}, true, true},
		{"another paper", func(_, o *Experiment) { o.ID = "q/other" }, false, false},
		{"other settings", func(_, o *Experiment) { o.Runs[0].Plan = "b" }, false, false},
		{"its own result, listed again", func(_, o *Experiment) { o.ID = "p/e" }, false, false},
		{"a private result", func(_, o *Experiment) { o.Runs[0].Own = true }, false, false},
		{"a private run", func(e, _ *Experiment) { e.Runs[0].Own = true }, false, false},
		{"both private", func(e, o *Experiment) { e.Runs[0].Own, o.Runs[0].Own = true, true }, false, false},
		{"not finished", func(_, o *Experiment) { o.Runs[0].State = "failed" }, false, false},
		{"another sitting", func(_, o *Experiment) { o.Runs[0].Made.Sitting = "older" }, false, true},
		{"made beside others", func(_, o *Experiment) { o.Runs[0].Made.Alone = false }, false, true},
		{"without weights", func(_, o *Experiment) { o.Runs[0].Made.Weights = false }, false, true},
		{"weights that it should have saved", func(_, o *Experiment) {
			o.Runs[0].Made.Weights, o.Runs[0].Saves = false, true
		}, false, true},
	} {
		for _, strict := range []bool{false, true} {
			e, other := fresh("p/e", "a", strict), fresh("p/other", "", true)
			other.Runs = []schedule.PlannedRun{run("a", 1, &schedule.Made{Sitting: "old", Alone: true, Weights: true})}
			c.change(e, other)
			one, want := "", c.free
			if e.Runs[0].Saves = strict; strict {
				one, want = "old", c.strict
			}
			if got := newStock([]*Experiment{other, e}).has(e, e.Runs[0], one); got != want {
				t.Errorf("%s, timed %v: can use the result: %v, want %v", c.name, strict, got, want)
			}
		}
	}
}

// TestCompare checks the list of changed verdicts and the counts: a claim may change, be new, or be gone.
func TestCompare(t *testing.T) {
	v := func(claim string, o claims.Outcome) claims.Verdict {
		return claims.Verdict{Experiment: "p/e", Claim: claim, Verdict: o}
	}
	changes, papers := Compare(
		[]claims.Verdict{v("same", claims.Reproduced), v("lost", claims.Reproduced), v("gone", claims.Tie)},
		[]claims.Verdict{v("same", claims.Reproduced), v("lost", claims.NotReproduced), v("new", claims.Reproduced)})
	var got []string
	for _, c := range changes {
		got = append(got, c.ID+" "+string(c.Before.Verdict)+">"+string(c.After.Verdict))
	}
	want := []string{"p/e/lost reproduced>not-reproduced", "p/e/new >reproduced", "p/e/gone tie>"}
	if !slices.Equal(got, want) {
		t.Errorf("changes = %q, want %q", got, want)
	}
	if len(papers) != 1 || papers[0].Claims != 3 || papers[0].Before[claims.Reproduced] != 2 ||
		papers[0].After[claims.Reproduced] != 2 || papers[0].Before[claims.Tie] != 1 {
		t.Errorf("counts = %+v", papers)
	}
}

// TestReadBy checks which experiments the claims of a spec read: each one once, from the assertion and from the
// measure, but never the experiment itself.
func TestReadBy(t *testing.T) {
	for _, c := range []struct {
		claims []lang.Claim
		want   []string
	}{
		{nil, nil},
		{[]lang.Claim{{Assert: `all(series, final(#, "gap") < 1)`}}, nil},
		{[]lang.Claim{{Assert: `mean(experiment("q/b").gap) < 1`}}, []string{"q/b"}},
		{[]lang.Claim{{Assert: `1 < 2`, Measure: `experiment("q/b")`}}, []string{"q/b"}},
		{[]lang.Claim{{Assert: `experiment("p/a") == 1`, Measure: `experiment("p/a")`}}, nil},
		{[]lang.Claim{{Assert: `experiment("p/a") < experiment("p/ab")`, Measure: `[experiment("p/a"), experiment("a")]`}},
			[]string{"p/ab", "a"}},
		{[]lang.Claim{{Assert: `experiment("q/b") < experiment("q/c")`}, {Assert: `experiment("p/a") < 1`},
			{Assert: `experiment("q/c") < 1`, Measure: `experiment("q/d") - experiment("q/b")`}}, []string{"q/b", "q/c", "q/d"}},
		{[]lang.Claim{{Assert: `some_experiment("q/b") < 1`}}, nil},
	} {
		if got := readBy(&lang.Spec{ID: "p/a", Claims: c.claims}); !slices.Equal(got, c.want) {
			t.Errorf("the claims %v read %v, want %v", c.claims, got, c.want)
		}
	}
}
