package report

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestChangesOfCode checks what is said of the code that made a run, beside that of this program, for each combination
// of revisions and hashes.
func TestChangesOfCode(t *testing.T) {
	for _, c := range []struct {
		made      int // revision; 0: the run does not use the component
		hash, now string
		want      string
	}{
		{0, "", "a", ""}, {0, "a", "a", ""}, {2, "a", "a", "same code now"}, {2, "a", "b", "other code now"},
		{2, "", "b", ""}, {2, "", "", "same code now"}, {2, "a", "", "other code now"}, {1, "a", "a", "revision 2 now"},
		{3, "a", "b", "revision 2 now"}, {1, "", "", "revision 2 now"},
	} {
		m := trace.Manifest{}
		m.Revisions, m.Sources = map[string]int{"gone": 1}, map[string]string{"gone": "x"}
		if c.made > 0 {
			m.Revisions["solver"] = c.made
		}
		if c.hash != "" {
			m.Sources["solver"] = c.hash
		}
		want := map[string]string{}
		if c.want != "" {
			want["solver"] = c.want
		}
		got := changes(m, []component{{"other", 1, "y"}, {"solver", 2, c.now}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: changes differ (-want +got):\n%s", c, diff)
		}
	}
}

// TestEndings checks the text on the end of a run, with each value that is known and without those that are not.
func TestEndings(t *testing.T) {
	row := func(values map[string]float64) []trace.Row { return []trace.Row{{}, {Values: values}} }
	for want, f := range map[string]*trace.File{
		"interrupted, without an end line": {},
		"failed: a panic, no rows":         {End: &trace.End{Status: trace.Failed, Why: "a panic\nstack"}},
		"done: 5 passes, 1.235 s of CPU, resumed 2 times, 2 rows, passes 5, primal 0.25, dual 0.125": {Rows: row(
			map[string]float64{trace.Passes: 5, trace.Primal: 0.25, trace.Dual: 0.125, trace.Gap: 7}),
			End: &trace.End{Status: trace.Done, Why: "5 passes", CPUSeconds: 1.23456, Resumed: 2, Rows: 2}},
		"budget, resumed 1 time, 1 row, primal 1.23456789": {Rows: row(map[string]float64{trace.Primal: 1.234567891}),
			End: &trace.End{Status: trace.Budget, Resumed: 1, Rows: 1}},
	} {
		if got := ending(f); got != want {
			t.Errorf("end %q, want %q", got, want)
		}
	}
}

// TestFactsOfARun checks all facts about the origin of a run, of one of which everything is known and of one of which
// as little as possible.
func TestFactsOfARun(t *testing.T) {
	load := func(x float64) *float64 { return &x }
	full := &trace.File{End: &trace.End{Status: trace.Done, Load: load(2)}}
	m := &full.Manifest
	m.Data = trace.DataManifest{Name: "digits", Synthetic: true, Checksum: "c0", Files: map[string]string{"b": "f1",
		"a": "f0"}}
	m.N, m.Validation = 100, 20
	m.Revisions, m.Sources = map[string]int{"eg": 3, "chain": 1}, map[string]string{"eg": "s1"}
	m.Commit, m.Dirty, m.Program = "0123456789abcdef", true, "p0"
	m.CPU, m.Platform, m.GoVersion, m.Processors = "cpu", "linux", "go1", 4
	m.Command, m.Start, m.Load, m.Workers = []string{"gaplab", "run"}, "today", load(1), 3
	m.Auto, m.Because, m.Warnings = "eg: fast", "of --force", []string{"w1", "w2"}
	plain := &trace.File{End: &trace.End{Status: trace.Done}}
	plain.Manifest.Data = trace.DataManifest{Name: "own", Checksum: "c1"}
	plain.Manifest.N, plain.Manifest.Alone, plain.Manifest.Workers = 1, true, 3
	for _, c := range []struct {
		file *trace.File
		want []Fact
	}{
		{full, []Fact{{"data", "digits (generated), 100 examples and 20 to validate, SHA-256 c0"}, {"", "a, SHA-256 f0"},
			{"", "b, SHA-256 f1"}, {"code", "chain, revision 1"},
			{"code", "eg, revision 3, sources s1: same code now"},
			{"program", "commit 0123456789abcdef (changed since), all sources p0"}, {"command", "gaplab run"},
			{"machine", "cpu, linux, go1, 4 processors"},
			{"ran", "in a process with other runs, 3 at a time, from today, load 1 to 2"}, {"solver", "eg: fast"},
			{"because", "of --force"}, {"ended", "done, no rows"}, {"note", "w1"}, {"note", "w2"}}},
		{plain, []Fact{{"data", "own, 1 example, SHA-256 c1"}, {"program", "commit unknown"}, {"command", ""},
			{"machine", ", , "}, {"ran", "alone in its process, from "}, {"solver", ""}, {"because", ""},
			{"ended", "done, no rows"}}},
	} {
		if diff := cmp.Diff(c.want, originOf(c.file, []component{{"eg", 3, "s1"}})); diff != "" {
			t.Errorf("facts differ (-want +got):\n%s", diff)
		}
	}
}

// TestOriginsAreFew checks that the origin of many runs names each fact once, and at most twelve of a kind; that it has
// no facts about single runs; and that only the first fact of a kind has the name of the kind.
func TestOriginsAreFew(t *testing.T) {
	for _, n := range []int{1, 2, 12, 13, 20} {
		var files []*trace.File
		for i := range 2 * n {
			f := &trace.File{End: &trace.End{Status: trace.Failed, Why: fmt.Sprint(i)}}
			f.Manifest.CPU, f.Manifest.Commit, f.Manifest.Warnings = fmt.Sprint("cpu", i/2), "c", []string{fmt.Sprint(i)}
			files = append(files, f)
		}
		var got []Fact
		name := ""
		for _, fact := range origins(files) {
			if fact.Name != "" {
				name = fact.Name
			}
			switch name {
			case "ran", "ended", "note":
				t.Errorf("%d machines: the fact %v is about one run", n, fact)
			case "machine":
				got = append(got, fact)
			}
		}
		var want []Fact
		for i := range min(n, mostTexts) {
			want = append(want, Fact{"", fmt.Sprintf("cpu%d, , ", i)})
		}
		if n > mostTexts {
			want = append(want, Fact{"", fmt.Sprintf("and %d more; `gaplab show KEY` prints them for each run", n-mostTexts)})
		}
		want[0].Name = "machine"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d machines: facts differ (-want +got):\n%s", n, diff)
		}
	}
}

// TestFactsOfAnExperiment checks what the page says an experiment reproduces, and its number of runs.
func TestFactsOfAnExperiment(t *testing.T) {
	runs := func(n, failed int) (out []Run) {
		for i := range n {
			out = append(out, Run{Failed: i < failed})
		}
		return out
	}
	for _, c := range []struct {
		paper *lang.Paper
		kind  string
		a     Account
		want  []string
	}{
		{&lang.Paper{Figure: 3}, "figure", Account{Runs: runs(4, 0)}, []string{"figure 3", "4 runs"}},
		{&lang.Paper{Figure: 3, Table: 2}, "ablation", Account{Runs: runs(1, 0)}, []string{"figure 3", "ablation", "1 run"}},
		{&lang.Paper{Table: 2}, "table", Account{Runs: runs(3, 2)}, []string{"table 2", "3 runs", "2 failed"}},
		{&lang.Paper{Section: "7.1"}, "section", Account{Runs: runs(3, 1), Share: "3 of 4 runs"},
			[]string{"section 7.1", "3 of 4 runs", "1 failed"}},
		{&lang.Paper{}, "theorem", Account{Missing: errors.New("none")}, []string{"theorem", "no results"}},
		{nil, "own", Account{}, []string{"own", "0 runs"}},
	} {
		c.a.Spec = &lang.Spec{}
		c.a.Spec.Paper, c.a.Spec.Kind = c.paper, c.kind
		if got := factsOf(&c.a); !slices.Equal(got, c.want) {
			t.Errorf("%+v, %s: facts %q, want %q", c.paper, c.kind, got, c.want)
		}
	}
}
