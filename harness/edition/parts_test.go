package edition

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestAdoptedRecord checks the content of a copied record: all of the source except its experiments and sittings, the
// sittings of both once and in the order of their begin, and for each experiment the entry of the last call that copied
// it. A damaged record is neither copied nor replaced.
func TestAdoptedRecord(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "paper")
	record := func(name string, sittings ...string) *Record {
		r := &Record{Format: format, Scale: "scale " + name, Program: Program{Commit: name}, Machine: Machine{CPU: name},
			Began: "began " + name}
		for _, s := range sittings {
			r.Sittings = append(r.Sittings, Session{Began: s, End: name})
		}
		return r
	}
	adopt := func(r *Record, ids ...string) *Record {
		t.Helper()
		if err := errors.Join(r.write(from), Adopt(from, to, ids)); err != nil {
			t.Fatal(err)
		}
		got, err := Read(to)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	one := record("one", "2", "4")
	one.Experiments = []Entry{{ID: "b", State: Done, Runs: 1}, {ID: "a", State: Done, Runs: 2}, {ID: "c", State: Done}}
	adopt(one, "a", "b", "none")
	two := record("two", "1", "4", "3")
	two.Experiments = []Entry{{ID: "c", State: Done, Runs: 5}, {ID: "b", State: Done, Runs: 6}, {ID: "a", State: Done,
		Runs: 7}}
	got := adopt(two, "b")
	want := record("two", "1", "2", "3", "4")
	want.Sittings[1].End = "one"
	want.Experiments = []Entry{{ID: "a", State: Done, Runs: 2}, {ID: "b", State: Done, Runs: 6}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the record is %+v\nwant          %+v", got, want)
	}
	for _, broken := range []string{from, to} {
		path := filepath.Join(broken, File)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for text, says := range map[string]string{"{": "remove it to begin a new record",
			`{"format":"other"}`: `its format is "other"; this program reads ` + format} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := Adopt(from, to, []string{"b"}); err == nil || !strings.Contains(err.Error(), says) ||
				!strings.HasPrefix(err.Error(), path) {
				t.Errorf("a damaged record in %s: %v, want %q", path, err, says)
			}
			if _, err := Open(broken, "scale two", nil, 1); err == nil || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("Open with a damaged record: %v", err)
			}
			if there, err := os.ReadFile(path); err != nil || string(there) != text {
				t.Errorf("the damaged record became %q, %v", there, err)
			}
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBegin checks what the begin of a sitting records: its program and machine, the time, its experiments in the order
// of the edition behind those that are not part of it, with their forecasts and without the faults of earlier sittings,
// but with their times. A second sitting keeps the begin of the edition and the first sitting.
func TestBegin(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(dir, "own", []*Experiment{fresh("p/b", "abc", false), fresh("p/a", "d", false)}, 1)
	if err != nil || d.Record.Scale != "own" || d.Record.Format != format || d.Dir != dir || d.Workers != 1 {
		t.Fatalf("a new edition is %+v, %v", d, err)
	}
	if _, err := Read(dir); !errors.Is(err, ErrNoEdition) {
		t.Errorf("Open wrote a record: %v", err)
	}
	d.Record.Experiments = []Entry{{ID: "p/a", Seconds: 3, Fault: "old"}, {ID: "x/1", Fault: "stays"}, {ID: "p/b"},
		{ID: "x/0"}}
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("", 7200))
	for i := range 2 {
		p, m := Program{Commit: fmt.Sprint("commit ", i)}, Machine{CPU: fmt.Sprint("machine ", i)}
		at := begin.Add(time.Duration(i) * time.Hour)
		if err := d.begin(p, m, at); err != nil {
			t.Fatal(err)
		}
		r, err := Read(dir)
		if err != nil || len(r.Sittings) != i+1 {
			t.Fatalf("the record is %+v, %v", r, err)
		}
		stamp := at.UTC().Format(time.RFC3339)
		want := Session{Program: p, Machine: m, Began: stamp, Until: stamp, Experiments: []string{}}
		if !reflect.DeepEqual(r.Sittings[i], want) || r.Program != p || r.Machine != m || r.Began != "2026-05-01T10:00:00Z" ||
			r.Sittings[0].Machine.CPU != "machine 0" {
			t.Errorf("sitting %d is %+v of %+v, want %+v", i, r.Sittings[i], r, want)
		}
		got := ""
		for _, e := range r.Experiments {
			got += fmt.Sprintf("%s %v %v %s,", e.ID, e.Forecast, e.Seconds, e.Fault)
		}
		if want := "x/1 0 0 stays,x/0 0 0 ,p/a 10 3 ,p/b 30 0 ,"; got != want {
			t.Errorf("the experiments are %s want %s", got, want)
		}
	}
}

// TestOthersOfAll checks which results of other programs are counted: the finished ones of all experiments, by commit.
func TestOthersOfAll(t *testing.T) {
	lost := run("c", 1, nil)
	lost.State, lost.Made = "failed", &schedule.Made{Status: trace.Failed, Commit: "old"}
	made := func(commit string) schedule.PlannedRun { return run("a", 1, &schedule.Made{Commit: commit}) }
	d := &Edition{All: []*Experiment{{Runs: []schedule.PlannedRun{made("old"), made("here"), made(""), lost, made("old")}},
		{Runs: []schedule.PlannedRun{made("older"), made("old"), run("d", 1, nil)}}}}
	if got, want := d.Others("here"), map[string]int{"old": 3, "older": 1, "unknown": 1}; !maps.Equal(got, want) {
		t.Errorf("results of others: %v, want %v", got, want)
	}
}

// TestForecastOfMemory checks the memory of a forecast, which is that of experiments with runs to make only, and that a
// timed experiment uses the run of another one if one run is made at a time.
func TestForecastOfMemory(t *testing.T) {
	for workers, want := range map[int]int{0: 6, 1: 4, 2: 6} {
		all := []*Experiment{fresh("p/a", "xy", false), fresh("p/b", "yxz", true), fresh("p/c", "w", false),
			fresh("p/none", "", false)}
		all[1].Process = "" // it may have results of several sittings
		for i, memory := range []int64{5, 9, 7, 100} {
			all[i].Memory = memory
		}
		each, whole := Forecast(all, workers)
		if len(each) != 4 || whole.Runs != want || whole.Memory != 9 || each[3] != (Need{}) || each[2].Memory != 7 {
			t.Errorf("%d workers: %+v in all, %+v each; want %d runs and the memory 9", workers, whole, each, want)
		}
	}
}

// TestGroupsAtRandom compares the groups of random experiments with the components of the graph of what is linked, and
// checks that within a group an experiment comes after all that it follows, if that is possible, and that Order loses
// none.
func TestGroupsAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 28))
	several := 0
	for range 300 {
		var all []*Experiment
		for i := range 2 + rng.IntN(7) {
			plans := ""
			for _, p := range rng.Perm(10)[:rng.IntN(3)] {
				plans += string(rune('a' + p))
			}
			e := fresh(fmt.Sprintf("%c/%d", 'p'+rng.IntN(2), i), plans, rng.IntN(3) == 0)
			for j := range e.Runs {
				e.Runs[j].Own, e.Runs[j].Saves = rng.IntN(5) == 0, rng.IntN(3) == 0
			}
			if i > 0 && rng.IntN(5) == 0 {
				e.Reads = []string{"none/0", all[rng.IntN(i)].ID}
			}
			all = append(all, e)
		}
		reach := map[[2]*Experiment]bool{}
		for _, a := range all {
			for _, b := range all {
				reach[[2]*Experiment{a, b}] = a == b || linked(a, b)
				if a != b && linked(a, b) != linked(b, a) {
					t.Fatalf("%s and %s are linked one way only", a.ID, b.ID)
				}
			}
		}
		for _, via := range all {
			for _, a := range all {
				for _, b := range all {
					if reach[[2]*Experiment{a, via}] && reach[[2]*Experiment{via, b}] {
						reach[[2]*Experiment{a, b}] = true
					}
				}
			}
		}
		group := map[*Experiment]int{}
		for i, g := range grouped(all) {
			several += min(len(g)/3, 1)
			for _, e := range g {
				group[e] = i
			}
		}
		for _, a := range all {
			for _, b := range all {
				if (group[a] == group[b]) != reach[[2]*Experiment{a, b}] {
					t.Fatalf("%s and %s are in one group: %v", a.ID, b.ID, group[a] == group[b])
				}
			}
		}
		ordered := slices.Clone(all)
		Order(ordered, 1+rng.IntN(2))
		if len(group) != len(all) || !slices.Equal(slices.Sorted(slices.Values(strings.Fields(ids(ordered)))),
			slices.Sorted(slices.Values(strings.Fields(ids(all))))) {
			t.Fatalf("the order %s of %s", ids(ordered), ids(all))
		}
		before := map[[2]*Experiment]bool{} // the pairs of which the first must come after the second, also by way of others
		for _, a := range all {
			for _, b := range all {
				before[[2]*Experiment{a, b}] = a != b && follows(a, b)
			}
		}
		for _, via := range all {
			for _, a := range all {
				for _, b := range all {
					if before[[2]*Experiment{a, via}] && before[[2]*Experiment{via, b}] {
						before[[2]*Experiment{a, b}] = true
					}
				}
			}
		}
		if slices.ContainsFunc(all, func(e *Experiment) bool { return before[[2]*Experiment{e, e}] }) {
			continue // they follow each other in a circle
		}
		for i, a := range ordered {
			for _, b := range ordered[i+1:] {
				if follows(a, b) {
					t.Fatalf("in the order %s, %s comes before %s, which it follows", ids(ordered), a.ID, b.ID)
				}
				if group[a] != group[b] && slices.ContainsFunc(ordered[i+1:], func(c *Experiment) bool {
					return group[c] == group[a]
				}) && group[ordered[i+1]] != group[a] {
					t.Fatalf("in the order %s, the group of %s is not together", ids(ordered), a.ID)
				}
			}
		}
	}
	if several < 50 {
		t.Errorf("%d groups with three experiments or more, want more", several)
	}
}

// TestFollows checks when an experiment must come after another one, and when two share a run.
func TestFollows(t *testing.T) {
	for _, c := range []struct {
		name           string
		change         func(e, other *Experiment)
		follows, share bool
	}{
		{"the other one saves", func(_, _ *Experiment) {}, true, true},
		{"reads the other one", func(e, o *Experiment) { e.Reads, o.Runs = []string{"x/y", "p/other"}, nil }, true, false},
		{"is read", func(e, o *Experiment) { o.Reads, o.Runs = []string{"p/e"}, nil }, false, false},
		{"another paper", func(_, o *Experiment) { o.ID = "q/other" }, false, false},
		{"timed", func(e, _ *Experiment) { e.Timed = true }, false, true},
		{"both timed", func(e, o *Experiment) { e.Timed, o.Timed = true, true }, true, true},
		{"the other one is timed", func(_, o *Experiment) { o.Timed = true }, true, true},
		{"saves, too", func(e, _ *Experiment) { e.Runs[1].Saves = true }, false, true},
		{"its own run", func(e, _ *Experiment) { e.Runs[1].Own = true }, false, false},
		{"the other's own run", func(_, o *Experiment) { o.Runs[1].Own = true }, false, false},
		{"both own", func(e, o *Experiment) { e.Runs[1].Own, o.Runs[1].Own = true, true }, false, false},
		{"finished", func(_, o *Experiment) { o.Runs[1] = run("b", 1, &schedule.Made{}); o.Runs[1].Saves = true }, false,
			true},
		{"nobody saves", func(_, o *Experiment) { o.Runs[1].Saves = false }, false, true},
		{"other settings", func(_, o *Experiment) { o.Runs[1].Plan = "d" }, false, false},
	} {
		e, other := fresh("p/e", "ab", false), fresh("p/other", "xb", false)
		other.Runs[1].Saves = true
		c.change(e, other)
		if got := follows(e, other); got != c.follows {
			t.Errorf("%s: it must come after the other one: %v, want %v", c.name, got, c.follows)
		}
		if share(e, other) != c.share || share(other, e) != c.share || share(e, e) {
			t.Errorf("%s: they share a run: %v, want %v", c.name, share(e, other), c.share)
		}
	}
}

// TestCompareAtRandom compares the changes and the counts of random verdicts of several papers with those of a second
// implementation, which looks up each claim in both lists.
func TestCompareAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	outcomes := []claims.Outcome{claims.Reproduced, claims.NotReproduced, claims.Tie}
	for range 200 {
		lists := map[bool][]claims.Verdict{}
		of := map[bool]map[string]claims.Verdict{false: {}, true: {}}
		var names []string
		for _, experiment := range []string{"p/e", "p/f", "q/e"} {
			for _, claim := range []string{"c1", "c2"} {
				names = append(names, experiment+"/"+claim)
				for _, after := range []bool{false, true} {
					if rng.IntN(4) > 0 {
						v := claims.Verdict{Experiment: experiment, Claim: claim, Verdict: outcomes[rng.IntN(len(outcomes))]}
						lists[after] = append(lists[after], v)
						of[after][experiment+"/"+claim] = v
					}
				}
			}
		}
		changes, papers := Compare(lists[false], lists[true])
		want := map[string]Change{}
		counts := map[string]Count{}
		for _, name := range names {
			before, was := of[false][name]
			after, is := of[true][name]
			if before.Verdict != after.Verdict {
				want[name] = Change{name, before, after}
			}
			if !was && !is {
				continue
			}
			paper := name[:1]
			c, ok := counts[paper]
			if !ok {
				c = Count{paper, 0, map[claims.Outcome]int{}, map[claims.Outcome]int{}}
			}
			if is {
				c.Claims++
				c.After[after.Verdict]++
			}
			if was {
				c.Before[before.Verdict]++
			}
			counts[paper] = c
		}
		got := map[string]Change{}
		for _, c := range changes {
			got[c.ID] = c
		}
		byPaper := map[string]Count{}
		for _, c := range papers {
			byPaper[c.Paper] = c
		}
		if len(changes) != len(want) || !reflect.DeepEqual(got, want) || len(papers) != len(counts) ||
			!reflect.DeepEqual(byPaper, counts) {
			t.Fatalf("%v and %v: changes %v, counts %v; want %v, %v", lists[false], lists[true], got, byPaper, want, counts)
		}
		last := -1 // the changes of claims that are there come in the order of the verdicts after, the others behind them
		for _, c := range changes {
			if at := slices.Index(names, c.ID); c.After.Verdict != "" {
				if at < last {
					t.Fatalf("the change of %s comes too late", c.ID)
				}
				last = at
			} else if last = len(names); !slices.Contains(names, c.ID) {
				t.Fatalf("a change of %q", c.ID)
			}
		}
	}
}
