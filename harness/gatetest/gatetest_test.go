package gatetest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/gatetest"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// spec is an experiment of two runs.
const spec = `apiVersion: gaplab/v1
id: ours/two
dataset: {name: digits, train: 30, validation: 10}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: [0.1, 0.01]}
solvers: [{name: lbfgs}]
stop: {passes: 8}
record: {every: {passes: 1}}
figure: {x: passes, y: gap_percent, yscale: log}
`

const reference = "testdata/smoke/ours/two.jsonl"

// TestInner calls Check as a test of a team does. It runs only in a process that TestCheck starts.
func TestInner(t *testing.T) {
	names := os.Getenv("GATETEST_OF")
	if names == "" {
		t.Skip("a test of TestCheck")
	}
	var o harness.Options
	for _, option := range strings.Fields(os.Getenv("GATETEST_OPTIONS")) {
		switch option {
		case "exact":
			o.Exact = true
		default:
			o.Root = option
		}
	}
	gatetest.Check(t, names, o)
}

// inner runs TestInner on a spec in a folder, and returns its exit code and its output.
func inner(t *testing.T, dir, names string, env ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestInner$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GAPLAB_") }),
		append(env, "GATETEST_OF="+names)...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// wanted checks the exit code of TestInner, the texts that its output must have, and those, after "!", that it must not
// have.
func wanted(t *testing.T, what string, code, wantCode int, out string, want ...string) {
	t.Helper()
	if code != wantCode {
		t.Errorf("%s: exit code %d, want %d:\n%s", what, code, wantCode, out)
	}
	for _, w := range want {
		if absent, isAbsent := strings.CutPrefix(w, "!"); strings.Contains(out, absent) == isAbsent {
			t.Errorf("%s: output has %q: %v, want %v:\n%s", what, absent, isAbsent, !isAbsent, out)
		}
	}
}

// changed writes the references below a folder again with each row changed.
func changed(t *testing.T, dir string, change func(lambda float64, r *trace.Row)) {
	t.Helper()
	kept := store.Keep(filepath.Join(dir, "testdata"))
	files, err := kept.Read("ours/two", "smoke")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for i := range f.Rows {
			change(f.Rows[i].Values["lambda"], &f.Rows[i])
		}
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(reference))); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Write("ours/two", "smoke", files, true); err != nil {
		t.Fatal(err)
	}
}

// TestCheck checks Check in processes of their own, since it fails the test that calls it. Without a reference it names
// the command that writes one. This command writes the same curves as baseline.Update. A curve that differs fails with
// its name, alone, and is drawn; an update logs it and writes the reference of before.
func TestCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test starts go test tens of times")
	}
	dir := t.TempDir()
	write(t, dir, "two.yaml", spec)
	first, second := "lbfgs lambda=0.1 seed=1", "lbfgs lambda=0.01 seed=1"
	pass := func(curve string) string { return "--- PASS: TestInner/" + strings.ReplaceAll(curve, " ", "_") }
	fail := func(curve string) string { return "--- FAIL: TestInner/" + strings.ReplaceAll(curve, " ", "_") }

	code, out := inner(t, dir, "two.yaml")
	wanted(t, "without a reference", code, 1, out, "to create it from go test, run: GAPLAB_UPDATE=1 go test "+
		"-run '^TestInner$'")
	code, out = inner(t, dir, "two.yaml", "GAPLAB_UPDATE=1")
	wanted(t, "the first update", code, 0, out, "wrote "+filepath.FromSlash(reference), "!differs", "!TestInner/")

	e, err := harness.Find(filepath.Join(dir, "two.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	same := func(what string) {
		t.Helper()
		other := t.TempDir()
		if _, err := baseline.Update(t.Context(), []*harness.Experiment{e}, "smoke",
			harness.Options{Root: other}); err != nil {
			t.Fatal(err)
		}
		compared, err := baseline.Diff(other, filepath.Join(dir, "testdata"), "smoke", []string{"ours/two"},
			harness.Options{Exact: true})
		if err != nil || len(compared) != 2 {
			t.Fatalf("%s: comparison of both references: %v, error %v; want two curves", what, compared, err)
		}
		for _, c := range compared {
			if !c.OK {
				t.Errorf("%s: the references are not those of baseline.Update: %s", what, c.Message)
			}
		}
	}
	same("the first update")
	whole := read(t, dir, reference)
	for _, env := range []string{"", "GATETEST_OPTIONS=exact"} {
		code, out = inner(t, dir, "two.yaml", env)
		wanted(t, "unchanged "+env, code, 0, out, pass(first), pass(second), "!differs", "!moved.svg")
	}

	changed(t, dir, func(_ float64, r *trace.Row) { r.Values["primal"] *= 1 + 1e-13 })
	code, out = inner(t, dir, "two.yaml")
	wanted(t, "within the tolerance", code, 0, out, pass(first), pass(second))
	code, out = inner(t, dir, "two.yaml", "GATETEST_OPTIONS=exact")
	wanted(t, "within the tolerance, exact", code, 1, out, fail(first), fail(second))

	changed(t, dir, func(lambda float64, r *trace.Row) {
		if lambda == 0.01 {
			r.Values["primal"] *= 1.5
		}
	})
	code, out = inner(t, dir, "two.yaml")
	wanted(t, "one curve differs", code, 1, out, pass(first), fail(second), "ours/two, "+second+" differs from its "+
		"reference: at epoch ", "!ours/two, "+first+" differs", "drew both curves in ", "moved.svg")
	code, out = inner(t, dir, "two.yaml", "GAPLAB_UPDATE=1")
	wanted(t, "the update of one curve", code, 0, out, second+": at epoch ", "!"+first+": ", "!TestInner/",
		"wrote "+filepath.FromSlash(reference))
	same("the second update")
	code, out = inner(t, dir, "two.yaml", "GAPLAB_UPDATE=1")
	wanted(t, "an update without a change", code, 0, out, "!wrote", "!"+second+": ", "!"+first+": ")

	if err := os.Rename(filepath.Join(dir, "testdata"), filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	code, out = inner(t, dir, "two.yaml", "GATETEST_OPTIONS=elsewhere")
	wanted(t, "in another folder", code, 0, out, pass(first), pass(second))

	write(t, dir, reference, string(whole[:len(whole)/2]))
	code, out = inner(t, dir, "two.yaml")
	wanted(t, "a damaged reference", code, 1, out, "to create it from go test, run: GAPLAB_UPDATE=1", "!TestInner/")
	code, out = inner(t, dir, "two.yaml", "GAPLAB_UPDATE=1")
	wanted(t, "an update of a damaged reference", code, 0, out, "wrote "+filepath.FromSlash(reference))
	same("an update of a damaged reference")

	for names, want := range map[string]string{"absent.yaml": "absent.yaml", "eg": "names "} {
		code, out = inner(t, dir, names)
		wanted(t, names, code, 1, out, want, "!to create it")
	}
}
