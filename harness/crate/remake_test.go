package crate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/results"
)

// TestRemake makes runs of a crate again. One of them is changed in the copy in memory, and must differ.
func TestRemake(t *testing.T) {
	o := opened(t, zipped(t, small(t)))
	runs := Draw(o.Check("").Runs, 100, 1)
	wrong := *runs[0].File
	wrong.Rows = slices.Clone(wrong.Rows)
	values := map[string]float64{}
	for name, v := range wrong.Rows[0].Values {
		values[name] = v
	}
	values[trace.Passes] += 1e-9
	wrong.Rows[0].Values = values
	changed := slices.Clone(runs[:2])
	changed[0].File = &wrong
	stranger := *runs[1].File
	stranger.Manifest.Plan = "0123456789abcdef"
	changed = append(changed, Run{runs[1].Experiment, runs[1].Scale, &stranger, nil})
	rows, err := o.Remake(t.Context(), changed, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{Differs, Equal, Missing} {
		if rows[i].Verdict != want {
			t.Errorf("run %d: %s (%s); want %s", i, rows[i].Verdict, rows[i].Why, want)
		}
	}
	if !strings.Contains(rows[0].Why, "passes is") || !strings.Contains(rows[2].Why, "plans no such run") {
		t.Errorf("reasons %q and %q", rows[0].Why, rows[2].Why)
	}
}

// TestRemakeNeeds makes a run again that starts from weights, and one whose setting was chosen, with what they need.
func TestRemakeNeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("makes runs of two experiments")
	}
	c, err := Make(Contents{Results: results.References, Scale: "smoke", IDs: []string{"bethe/prop4", "eg/fig09"}})
	if err != nil {
		t.Fatal(err)
	}
	o := opened(t, zipped(t, c))
	var runs []Run
	for _, r := range o.Check("").Runs {
		m := r.File.Manifest
		_, from := m.Spec["from"]
		chosen, _ := r.File.End.Labels["chosen"].(bool)
		for _, is := range []bool{from, chosen} {
			if is && !slices.ContainsFunc(runs, func(old Run) bool { return old.Experiment == r.Experiment }) {
				runs = append(runs, r)
			}
		}
	}
	if len(runs) != 2 {
		t.Fatalf("%d runs; want one that starts from weights and one that was chosen", len(runs))
	}
	rows, err := o.Remake(t.Context(), runs, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Verdict != Equal || r.Needed == 0 {
			t.Errorf("%s %s: %s (%s), needed %d; want equal rows after other runs", r.Experiment, r.Run, r.Verdict, r.Why,
				r.Needed)
		}
	}
}

// TestNeeds checks that a run has the runs from whose weights it starts, and all runs of its choice.
func TestNeeds(t *testing.T) {
	for _, id := range []string{"eg/fig10", "bethe/tab3", "eg/lem1"} {
		e, err := harness.Find(id)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.At(lang.ScaleSmoke, nil)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range plan {
			got := needs(plan, origin.PlanKey(r))
			if !got[origin.PlanKey(r)] {
				t.Errorf("%s: the needs of a run lack the run", id)
			}
			for b := r.Base; b != nil; b = b.Base {
				if !got[origin.PlanKey(*b)] {
					t.Errorf("%s: the needs of a run lack its base", id)
				}
			}
			for _, other := range plan {
				grouped := r.Choose != nil && (r.Early() || r.Choose.Final) && other.Choose != nil &&
					other.Choose.Group == r.Choose.Group
				if grouped && !got[origin.PlanKey(other)] {
					t.Errorf("%s: the needs of a run lack another run of its choice", id)
				}
			}
			if r.Base == nil && r.Choose == nil && len(got) != 1 {
				t.Errorf("%s: a run that needs no other has %d needs", id, len(got))
			}
		}
		if needs(plan, "0123456789abcdef") != nil {
			t.Errorf("%s: a run that is not planned has needs", id)
		}
	}
}

// TestDraw checks that the same seed draws the same runs, that the drawn runs are in their order, that each run is
// drawn about equally often, and that runs of other programs are not drawn.
func TestDraw(t *testing.T) {
	var runs []Run
	for i := range 10 {
		f := &trace.File{Manifest: trace.Manifest{Key: fmt.Sprint(i), Outside: i == 9}}
		runs = append(runs, Run{File: f})
	}
	count := map[string]int{}
	for seed := range uint64(3000) {
		drawn := Draw(runs, 3, seed)
		if len(drawn) != 3 || fmt.Sprint(drawn) != fmt.Sprint(Draw(runs, 3, seed)) {
			t.Fatalf("seed %d: %d runs, or not the same again", seed, len(drawn))
		}
		if !slices.IsSortedFunc(drawn, func(a, b Run) int {
			return strings.Compare(a.File.Manifest.Key, b.File.Manifest.Key)
		}) {
			t.Fatalf("seed %d: the drawn runs are not in their order", seed)
		}
		for _, r := range drawn {
			count[r.File.Manifest.Key]++
		}
	}
	for i := range 9 {
		if n := count[fmt.Sprint(i)]; n < 850 || n > 1150 {
			t.Errorf("run %d was drawn %d times; want about 1000", i, n)
		}
	}
	if count["9"] > 0 || len(Draw(runs, 99, 1)) != 9 {
		t.Error("want no runs of other programs, and all others")
	}
}

// TestMatch checks which rows are compared.
func TestMatch(t *testing.T) {
	run := func(status trace.Status, why string, passes ...float64) *trace.File {
		f := &trace.File{End: &trace.End{Status: status, Why: why}}
		for _, p := range passes {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: p, trace.Primal: 1 / p,
				trace.Seconds: float64(len(f.Rows)) * 7}})
		}
		return f
	}
	thinned := func(f *trace.File, rows int) *trace.File { f.Manifest.Thinned = rows; return f }
	numbered := func(f *trace.File, rows int, kept ...int) *trace.File {
		f.Manifest.Thinned, f.Manifest.Kept = rows, kept
		return f
	}
	seconds := func(f *trace.File) *trace.File {
		end := *f.End
		end.Rule = "seconds"
		return &trace.File{Rows: f.Rows, End: &end}
	}
	other := run(trace.Done, "", 1, 2, 3, 4)
	other.Rows[2].Values[trace.Primal] = 5
	for _, test := range []struct {
		name      string
		kept, now *trace.File
		want      string
	}{
		{"equal", run(trace.Done, "", 1, 2, 3), run(trace.Done, "", 1, 2, 3), ""},
		{"status", run(trace.Done, "", 1), run(trace.Diverged, "", 1), "it ended as diverged, but in the crate as done"},
		{"rows", run(trace.Done, "", 1, 2), run(trace.Done, "", 1, 2, 3), "3 rows against 2"},
		{"thinned", thinned(run(trace.Done, "", 1, 4), 4), run(trace.Done, "", 1, 2, 3, 4), ""},
		{"thinned, other number", thinned(run(trace.Done, "", 1, 4), 5), run(trace.Done, "", 1, 2, 3, 4), "in the crate 5"},
		{"thinned, other row", thinned(run(trace.Done, "", 1, 3, 4), 4), other, "primal is 5 against"},
		{"thinned, other last row", thinned(run(trace.Done, "", 1, 3), 4), other, "primal is 5 against"},
		{"thinned, row that was left out", thinned(run(trace.Done, "", 1, 2, 4), 4), other, ""},
		{"thinned, no such row", thinned(run(trace.Done, "", 1, 2.5, 4), 4), run(trace.Done, "", 1, 2, 3, 4),
			"as many passes"},
		{"budget", run(trace.Budget, "3 s", 1, 2, 2.5), run(trace.Budget, "3 s", 1, 2, 3, 3.5), ""},
		{"budget, and now shorter", run(trace.Budget, "3 s", 1, 2, 3, 4, 5), run(trace.Budget, "3 s", 1, 2, 2.5), ""},
		{"budget, and now no rows", run(trace.Budget, "3 s", 1, 2), run(trace.Budget, "3 s"), ""},
		{"budget, no rows", run(trace.Budget, "3 s"), run(trace.Budget, "3 s", 1), ""},
		{"budget, no such row", run(trace.Budget, "3 s", 1, 1.5, 3), run(trace.Budget, "3 s", 1, 2, 3, 4), ""},
		{"budget of passes", run(trace.Budget, "3 passes", 1, 2), run(trace.Budget, "3 passes", 1, 2, 3), "3 rows against 2"},
		{"seconds", seconds(run(trace.Done, "", 1, 2, 2.5)), seconds(run(trace.Done, "", 1, 2, 3)), ""},
		{"seconds, only now", run(trace.Done, "", 1, 2, 2.5), seconds(run(trace.Done, "", 1, 2, 3)), ""},
		{"seconds, other row", seconds(run(trace.Done, "", 1, 2, 3, 3.1)), seconds(other), "row 3 of the crate (epoch 0, 3 "},
		{"numbered rows", numbered(run(trace.Done, "", 1, 3, 3), 4, 0, 2, 3), run(trace.Done, "", 1, 2, 3, 3), ""},
		{"numbered rows, another one", numbered(run(trace.Done, "", 1, 2, 3), 4, 0, 2, 3), run(trace.Done, "", 1, 2, 3, 4),
			"row 2 of the crate"},
		{"budget, other row", run(trace.Budget, "3 s", 1, 2, 3, 3.1), thinned(other, 0), "it ended as done"},
	} {
		got := match(test.kept, test.now)
		if !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%s: %q; want %q", test.name, got, test.want)
		}
	}
}

// TestSpec checks which spec a run is made again from: the one in the crate, even if this program has another spec of
// the experiment or none. Only a spec that this program has, too, may run other programs (BuiltIn). A spec that is
// missing, of another experiment or damaged is an error.
func TestSpec(t *testing.T) {
	built, err := experiments.FS.ReadFile("eg/lem1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const title = "title: "
	at := strings.Index(string(built), title) + len(title)
	changed := string(built[:at]) + "Changed, " + string(built[at:])
	for _, c := range []struct{ id, text, want string }{
		{"eg/lem1", string(built), ""},
		{"eg/lem1", changed, ""},
		{"eg/own", strings.Replace(changed, "id: eg/lem1", "id: eg/own", 1), ""},
		{"eg/own", string(built), "specs/eg/own.yaml is the spec of eg/lem1"},
		{"eg/lem2", string(built), "specs/eg/lem2.yaml is the spec of eg/lem1"},
		{"eg/lem1", "id: [", "specs/eg/lem1.yaml"},
		{"eg/lem1", "", "the crate has no specs/eg/lem1.yaml"},
	} {
		o := &Opened{files: fstest.MapFS{}, sizes: map[string]int64{}}
		if name := "specs/" + c.id + ".yaml"; c.text != "" {
			o.files, o.sizes[name] = fstest.MapFS{name: {Data: []byte(c.text)}}, int64(len(c.text))
		}
		s, err := o.spec(Run{Experiment: c.id, Scale: lang.ScaleSmoke})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v; want %q", c.id, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.id, err)
		} else if same := c.text == string(built); s.ID != c.id || s.Scale != lang.ScaleSmoke || s.BuiltIn != same ||
			strings.HasPrefix(s.Title, "Changed") == same {
			t.Errorf("%s: the spec %s at scale %s with the title %q, built in: %v", c.id, s.ID, s.Scale, s.Title, s.BuiltIn)
		}
	}
}

// TestRepeats checks which runs are the repetitions of a run: those whose labels differ only in the repetition.
func TestRepeats(t *testing.T) {
	run := func(labels map[string]any) *trace.File { return &trace.File{Manifest: trace.Manifest{Labels: labels}} }
	files := []*trace.File{run(map[string]any{"as": "a", trace.Repetition: 1.0}), run(map[string]any{"as": "a"}),
		run(map[string]any{"as": "b", trace.Repetition: 1.0}), run(map[string]any{"as": "a", trace.Repetition: 2.0})}
	for i, want := range [][]*trace.File{{files[0], files[1], files[3]}, nil, {files[2]}, {files[0], files[1], files[3]}} {
		if got := repeats(files, files[i]); !slices.Equal(got, want) {
			t.Errorf("run %d has %d repetitions, want %d", i, len(got), len(want))
		}
	}
	if len(files) != 4 || files[3] == nil {
		t.Error("repeats changed the list of the runs")
	}
}

// TestTimes checks how new CPU seconds are compared with the range over the repetitions.
func TestTimes(t *testing.T) {
	run := func(seconds float64) *trace.File { return &trace.File{End: &trace.End{CPUSeconds: seconds}} }
	repeats := []*trace.File{run(2), run(3), run(2.5)}
	for now, want := range map[float64]string{2.2: "inside", 3: "inside", 3.5: "near", 1.2: "near", 4.5: "outside"} {
		row := Row{Then: 2}
		row.times(Run{File: repeats[0], Repeats: repeats}, run(now))
		if row.Times != want || row.Low != 2 || row.High != 3 || row.Ratio != now/2 {
			t.Errorf("%v s: %+v; want %s of 2 to 3", now, row, want)
		}
	}
	row := Row{Then: 2}
	for _, few := range [][]*trace.File{{run(2)}, {run(0), run(3)}, {{}, run(2)}} {
		if row.times(Run{File: few[0], Repeats: few}, run(8)); row.Times != "" || row.Low != 0 || row.High != 0 {
			t.Errorf("%d repetitions, or one of unknown time: %+v; want no range", len(few), row)
		}
	}
	for _, c := range [][3]float64{{0, 2, 0}, {2, 0, 0}, {2, 1, 0.5}} {
		row := Row{Then: c[0]}
		if row.times(Run{}, run(c[1])); row.Ratio != c[2] || row.Now != c[1] {
			t.Errorf("%v s then and %v s now: %+v; want the ratio %v", c[0], c[1], row, c[2])
		}
	}
	if row.times(Run{File: run(2)}, run(8)); row.Times != "" || row.Ratio != 4 {
		t.Errorf("a run without repetitions: %+v; want only the ratio", row)
	}
}

// TestRowsOfRemake checks what the comparison says about each run, that it is told after each, that components with
// other code are named, that a run on other data is missing, and that an interruption ends the comparison.
func TestRowsOfRemake(t *testing.T) {
	o := opened(t, zipped(t, small(t)))
	runs := o.Check("").Runs
	first := runs[0]
	change := func(edit func(f *trace.File)) Run {
		f := *first.File
		end := *f.End
		f.End = &end
		edit(&f)
		return Run{first.Experiment, first.Scale, &f, nil}
	}
	list := []Run{
		change(func(f *trace.File) {
			sources := map[string]string{}
			for part, sum := range f.Manifest.Sources {
				sources[part] = sum
				if strings.HasPrefix(part, "solver ") {
					sources[part] += "x"
				}
			}
			f.Manifest.Sources, f.End.CPUSeconds = sources, 1e6
		}),
		change(func(f *trace.File) { f.Manifest.Data.Checksum = "other" }),
		{"eg/none", first.Scale, first.File, nil},
	}
	var told []Row
	rows, err := o.Remake(t.Context(), list, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}, Workers: 2},
		func(r Row) { told = append(told, r) })
	if err != nil || len(rows) != 3 || fmt.Sprint(told) != fmt.Sprint(rows) {
		t.Fatalf("rows %+v, %v; told %+v", rows, err, told)
	}
	m := first.File.Manifest
	for i, want := range []struct{ experiment, verdict, why string }{{first.Experiment, Equal, ""},
		{first.Experiment, Missing, "other data than planned"}, {"eg/none", Missing, "the crate has no specs/eg/none.yaml"}} {
		r := rows[i]
		if r.Experiment != want.experiment || r.Scale != first.Scale || r.Key != m.Key || r.Run != first.File.Describe() ||
			r.Rows != len(first.File.Rows) || r.Verdict != want.verdict || !strings.Contains(r.Why, want.why) ||
			(r.Why == "") != (want.why == "") || r.Needed != 0 || r.NeededTook != 0 {
			t.Errorf("row %d: %+v; want %s, %q", i, r, want.verdict, want.why)
		}
	}
	if r := rows[0]; r.Then != 1e6 || r.Now <= 0 || r.Ratio != r.Now/1e6 ||
		!slices.ContainsFunc(r.OtherCode, func(part string) bool { return strings.HasPrefix(part, "solver ") }) {
		t.Errorf("the times and the other code are %+v; want the solver in it", r)
	}
	if r := rows[1]; r.Then != first.File.End.CPUSeconds || r.Now != 0 || r.OtherCode != nil {
		t.Errorf("a run that was not made has %+v", r)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	rows, err = o.Remake(ctx, []Run{runs[0], runs[1]}, harness.Options{Out: t.TempDir(), Source: &datasets.Source{}},
		func(Row) { cancel(stop) })
	if err != stop || len(rows) != 1 || rows[0].Verdict != Equal {
		t.Errorf("interrupted after a run: %+v, %v; want this run", rows, err)
	}
}
