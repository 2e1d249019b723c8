package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestKindsOfArguments checks which arguments are keys or files of runs, and which are specs.
func TestKindsOfArguments(t *testing.T) {
	for arg, want := range map[string]string{
		"abcdef": "abcdef", "0123456789abcdef": "0123456789abcdef", "abcde": "", "0123456789abcdef0": "", "abcdeg": "",
		"ABCDEF": "", "abcdef.jsonl": "abcdef", "runs/my/0123456789abcdef.jsonl": "0123456789abcdef", "my/abcdef": "",
		"abcdef.yaml": "", "x.jsonl": "", "eg/fig06": "", "": "", "a/012345.part.jsonl": "012345", " abcdef": "",
	} {
		key, ok := keyOf(filepath.FromSlash(arg))
		if ok != (want != "") || ok && key != want {
			t.Errorf("%q: key %q, %v; want %q", arg, key, ok, want)
		}
		keys := keysOf([]string{"aaaaaa", filepath.FromSlash(arg)})
		if ok && strings.Join(keys, " ") != "aaaaaa "+want || !ok && keys != nil {
			t.Errorf("aaaaaa and %q: keys %q", arg, keys)
		}
	}
	for arg, want := range map[string]bool{"a.yaml": true, "b/a.yml": true, "A.YAML": true, "yaml": false, "a.gz": false,
		"a.yaml.gz": false, "": false} {
		if isSpec(arg) != want {
			t.Errorf("%q is a spec: %v, want %v", arg, !want, want)
		}
	}
}

// TestFigureFile checks the path of a figure for each folder, scale and format, with and without changes of the spec.
func TestFigureFile(t *testing.T) {
	t.Chdir(t.TempDir())
	spec := &lang.Spec{ID: "my/x", Scale: "quick"}
	for _, c := range []struct{ out, format, want string }{{"", "svg", "results/figures/my/x-quick.svg"},
		{"other", "png", "other/my/x-quick.png"}} {
		s := &selection{out: c.out}
		if got := filepath.ToSlash(s.figureFile(spec, c.format)); got != c.want {
			t.Errorf("--out %q: %s, want %s", c.out, got, c.want)
		}
		changed := *spec
		changed.Overrides = []string{"stop.passes=5"}
		got := filepath.ToSlash(s.figureFile(&changed, c.format))
		begin, end := strings.TrimSuffix(c.want, "."+c.format)+"-stop-passes-5-", "."+c.format
		if !strings.HasPrefix(got, begin) || !strings.HasSuffix(got, end) || len(got) != len(begin)+12+len(end) {
			t.Errorf("with a change: %s, want %s and a hash", got, begin)
		}
	}
}

// TestUnusedFlags checks which flags a weights file excludes.
func TestUnusedFlags(t *testing.T) {
	for flag, refused := range map[string]bool{"": false, "--scale=quick": true, "--set=a=b": true, "--seed=0": true,
		"--out=x": true, "--decode=risk": false} {
		cmd := &cobra.Command{}
		weights := addTrained(cmd)
		if err := cmd.ParseFlags(strings.Fields(flag)); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(flag, "=")
		if err := weights.unused(); (err != nil) != refused || err != nil && !strings.HasPrefix(err.Error(), name+" ") {
			t.Errorf("%s: error %v, want one: %v", flag, err, refused)
		}
	}
}

// TestNotesOnSolvers checks that the choice of a solver by auto is noted once for each model.
func TestNotesOnSolvers(t *testing.T) {
	run := func(solver, model, why string) (r lang.Run) {
		r.Solver.Name, r.Model.Name, r.Solver.Why = solver, model, why
		return r
	}
	var out bytes.Buffer
	system{err: &out}.noteChosen("my/x", []lang.Run{run("eg", "chain", ""), run("sdca", "chain", "fast"),
		run("sdca", "cfg", "fast"), run("sdca", "chain", "fast"), run("svm", "chain", "hinge")})
	const want = "gaplab: note: my/x: solver sdca for model chain: fast\ngaplab: note: my/x: solver sdca for model cfg: " +
		"fast\ngaplab: note: my/x: solver svm for model chain: hinge\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

// TestTaskTells checks what a task prints about its runs, and which numbers of tasks it accepts.
func TestTaskTells(t *testing.T) {
	var out bytes.Buffer
	v := &taskVerb{sys: system{err: &out}}
	r := lang.Run{Experiment: "my/x", Labels: map[string]any{"as": "eg", "C": 10.}}
	for _, e := range []schedule.Event{{Kind: schedule.Noted, Why: "a note"}, {Kind: schedule.Started},
		{Kind: schedule.Recorded, Passes: 3}, {Kind: schedule.Reused},
		{Kind: schedule.Ended, Status: trace.Failed, Passes: 12.34567, Seconds: 3.14159, Why: "no memory\nstack"}} {
		e.Run = r
		v.tell(e)
	}
	const want = "a note\nmy/x: eg C=10: started\nmy/x: eg C=10: finished before\n" +
		"my/x: eg C=10: failed, 12.35 passes, 3.14 s: no memory\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	dir := t.TempDir()
	const one = `{"parts": [{"spec": 0, "runs": [{"name": "eg"}]}]}`
	text := `{"format": "` + cluster.Format + `", "specs": [{"id": "my/x"}], "arrays": [{"count": 3}], ` +
		`"tasks": [` + one + "," + one + "," + one + "]}"
	if err := written(filepath.Join(dir, "manifest.json"), text, 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		first int
		n     string
		want  int // -1: refused
	}{{0, "0", 0}, {0, "2", 2}, {0, "3", -1}, {2, "0", 2}, {1, "1", 2}, {1, "2", -1}, {0, "-1", -1}, {2, "-1", 1},
		{1, "x", -1}, {0, "", -1}, {-1, "0", -1}} {
		v.first = c.first
		_, n, err := v.task([]string{dir, c.n})
		if (err != nil) != (c.want < 0) || err == nil && n != c.want {
			t.Errorf("--first %d and %q: task %d, error %v; want %d", c.first, c.n, n, err, c.want)
		}
	}
}

// TestManualPages checks that indented lines of a help text become blocks of Markdown: indented by four spaces, with
// empty lines around them.
func TestManualPages(t *testing.T) {
	below := &cobra.Command{Use: "b", Long: "  x  y\n  z"}
	cmd := &cobra.Command{Use: "a", Long: "One:\n\n  x\n    y\n\nTwo\n  z\nThree"}
	cmd.AddCommand(below)
	forPages(cmd)
	const want = "One:\n\n\n    x\n      y\n\n\nTwo\n\n    z\n\nThree"
	if cmd.Long != want || below.Long != "\n    x  y\n    z\n" {
		t.Errorf("got %q and %q, want %q", cmd.Long, below.Long, want)
	}
}
