package mutation

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func list(t *testing.T) []Bug {
	t.Helper()
	bugs, err := Bugs()
	if err != nil {
		t.Fatal(err)
	}
	return bugs
}

// TestBugsCanBePlanted: the old text of each bug stands exactly once in its file. Whoever changes that code changes the
// bug as well, and plants it again: go run ./internal/mutation/plant.
func TestBugsCanBePlanted(t *testing.T) {
	quick, classes := 0, map[string]int{}
	for _, b := range list(t) {
		if _, err := b.Changed("../.."); err != nil {
			t.Error(err)
		}
		if classes[b.Class]++; b.Quick {
			quick++
		}
	}
	for _, class := range Classes() {
		if classes[class] < 5 {
			t.Errorf("%d bugs of class %s: want at least 5", classes[class], class)
		}
	}
	if quick < 5 {
		t.Errorf("%d quick bugs: want at least 5", quick)
	}
}

// TestPage: docs/PLANTED.md is what the results say, and of the bugs that change results enough are caught.
func TestPage(t *testing.T) {
	bugs := list(t)
	results, _, err := Read("results.jsonl", bugs)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/PLANTED.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != Page(bugs, results) {
		t.Error("docs/PLANTED.md is not what the results say: go run ./internal/mutation/plant writes it")
	}
	if len(results) < 60 {
		t.Errorf("%d bugs have results: want at least 60", len(results))
	}
	if caught, of := Share(bugs, results); float64(caught) < Bar*float64(of) {
		t.Errorf("%d of %d bugs that change results are caught: want at least %v of them", caught, of, Bar)
	}
	for _, b := range bugs {
		if r, ok := results[b.ID]; ok && !r.Caught() && b.Survives == "" {
			t.Errorf("bug %s survived, and nobody says why: %s", b.ID, b.Wrong)
		}
	}
}

// toyTree is a copy of a checkout with one file, and the bug that makes two of its one.
func toyTree(t *testing.T) (Tree, Bug) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	tree := Tree{From: t.TempDir(), Dir: t.TempDir()}
	if out, err := exec.Command("git", "init", "-q", tree.From).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	write(t, filepath.Join(tree.From, "a/a.go"), "package a\n\nconst n = 1\n")
	write(t, filepath.Join(tree.From, ".gitignore"), "/bin/\n")
	write(t, filepath.Join(tree.From, "bin/large"), "")
	return tree, Bug{ID: "two", Class: "count", Wrong: "it is two", File: "a/a.go", Old: "n = 1", New: "n = 2"}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTree: a bug is in the copy and never in the checkout, and the next Sync undoes it with all that tests have left.
func TestTree(t *testing.T) {
	tree, bug := toyTree(t)
	file, clean := filepath.Join(tree.Dir, "a/a.go"), text(t, filepath.Join(tree.From, "a/a.go"))
	for range 2 {
		if err := tree.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if text(t, file) != clean {
			t.Fatalf("the copy has %q", text(t, file))
		}
		if err := tree.Plant(bug); err != nil {
			t.Fatal(err)
		}
		if got := text(t, file); got != "package a\n\nconst n = 2\n" {
			t.Fatalf("the copy has %q", got)
		}
		if err := tree.Plant(bug); err == nil || !strings.Contains(err.Error(), "stands 0 times in a/a.go: want once") {
			t.Errorf("planted twice: %v", err)
		}
		write(t, filepath.Join(tree.Dir, "a/testdata/rapid/left"), "")
	}
	if err := tree.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"a/testdata/rapid/left", "bin/large"} {
		if _, err := os.Stat(filepath.Join(tree.Dir, gone)); err == nil {
			t.Errorf("the copy has %s", gone)
		}
	}
	if got := text(t, filepath.Join(tree.From, "a/a.go")); got != clean {
		t.Errorf("the checkout has %q", got)
	}
	if err := os.Remove(filepath.Join(tree.From, "a/a.go")); err != nil {
		t.Fatal(err)
	}
	if err := tree.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the copy has a file that the checkout has no more")
	}
}

// TestRound: the first net that fails with the bug and not without it is the one; a net that fails without it, too, is
// an error, and one that compares catches what prints another text.
func TestRound(t *testing.T) {
	tree, bug := toyTree(t)
	net := func(name string, fails func(planted bool) bool) Net {
		return Net{Name: name, cast: func(_ context.Context, dir string, _ Bug) (outcome, error) {
			return outcome{failed: fails(strings.Contains(text(t, filepath.Join(dir, "a/a.go")), "2")), by: "x of " + name}, nil
		}}
	}
	prints := Net{Name: "prints", compares: true, cast: func(_ context.Context, dir string, _ Bug) (outcome, error) {
		return outcome{text: "same\n" + text(t, filepath.Join(dir, "a/a.go"))}, nil
	}}
	blind := net("blind", func(bool) bool { return false })
	sharp := net("sharp", func(planted bool) bool { return planted })
	broken := net("broken", func(bool) bool { return true })
	for _, c := range []struct {
		nets  []Net
		trust bool
		net   string
		by    string
		err   string
	}{
		{nets: []Net{blind, sharp, broken}, net: "sharp", by: "x of sharp"},
		{nets: []Net{blind, prints, sharp}, net: "prints", by: "const n = 2"},
		{nets: []Net{blind}},
		{nets: []Net{blind, broken, sharp}, err: "net broken fails without bug two as well: x of broken"},
		{nets: []Net{broken}, trust: true, net: "broken", by: "x of broken"},
	} {
		r := Round{Tree: tree, Nets: c.nets, Commit: "c", Trust: c.trust}
		got, err := r.Plant(t.Context(), bug)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%v: want %s", err, c.err)
			}
			continue
		}
		if err != nil || got.Net != c.net || got.By != c.by || got.Bug != "two" || got.Commit != "c" {
			t.Errorf("%+v, %v: want net %q, by %q", got, err, c.net, c.by)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	if _, err := (&Round{Tree: tree, Nets: []Net{blind}}).Plant(ctx, bug); err == nil {
		t.Error("a round that is over has a result")
	}
}

// TestRead: the last result of a bug counts, if the bug is as it was.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "results.jsonl")
	a, b := Bug{ID: "a", File: "f", Old: "1", New: "2"}, Bug{ID: "b", File: "f", Old: "1", New: "3"}
	if results, order, err := Read(path, []Bug{a}); err != nil || len(results)+len(order) > 0 {
		t.Errorf("of no file: %v, %v, %v", results, order, err)
	}
	for _, r := range []Result{{Bug: "a", Text: a.Text(), Net: "full"}, {Bug: "b", Text: b.Text(), Net: "gate"},
		{Bug: "gone", Text: "0"}, {Bug: "a", Text: a.Text(), Net: "unit"}, {Bug: "b", Text: "another", Net: "unit"}} {
		if err := Append(path, r); err != nil {
			t.Fatal(err)
		}
	}
	results, order, err := Read(path, []Bug{a, b})
	if err != nil || len(results) != 2 || results["a"].Net != "unit" || results["b"].Net != "gate" ||
		strings.Join(order, " ") != "b a" {
		t.Errorf("%v, %v, %v", results, order, err)
	}
	write(t, path, "{\n")
	if _, _, err := Read(path, nil); err == nil || !strings.Contains(err.Error(), "results.jsonl:1: ") {
		t.Errorf("of a damaged file: %v", err)
	}
}

// TestWhatCaught: the test, the curve or the message that a net ends with.
func TestWhatCaught(t *testing.T) {
	for out, want := range map[string]string{
		"ok  \tgithub.com/gaplab/gaplab/a\t0.1s\n--- FAIL: TestB (0.1s)\n    --- FAIL: TestB/sub (0s)\nFAIL\n" +
			"FAIL\tgithub.com/gaplab/gaplab/solvers/b\t0.2s\nFAIL\n": "TestB of solvers/b",
		"panic: test timed out after 5m0s\nrunning tests:\nFAIL\tgithub.com/gaplab/gaplab/c\t300s\n": "panic: test timed " +
			"out after 5m0s of c",
		"# github.com/gaplab/gaplab/d\nd/d.go:1:1: undefined: x\nFAIL\tgithub.com/gaplab/gaplab/d [build failed]\n": "the " +
			"compiler of d",
		"no go files\n": "no go files",
	} {
		if got := failure(out); got != want {
			t.Errorf("%q: %q; want %q", out, got, want)
		}
	}
	const ok, not = `{"experiment":"p/a","curve":"eg C=1","ok":true}`, `{"experiment":"p/a","curve":"eg C=2","ok":false}`
	if got := moved(ok + "\n" + not + "\ngaplab: 1 of 2 curves moved\n"); got != "p/a, eg C=2" {
		t.Errorf("a curve that moved: %q", got)
	}
	if got := moved(ok + "\ngaplab: p/a: weak duality is broken\n"); got != "gaplab: p/a: weak duality is broken" {
		t.Errorf("an error: %q", got)
	}
	if got := claimed(`{"experiment":"p/a","claim":"c1","verdict":"reproduced"}` + "\n"); got != "claim p/a/c1" {
		t.Errorf("a verdict: %q", got)
	}
}

// TestPageShows: each class against each net, and survivors with their reason.
func TestPageShows(t *testing.T) {
	bugs := []Bug{{ID: "a", Class: "solver", Wrong: "it is a|b", Results: true},
		{ID: "b", Class: "clock", Wrong: "it is b", Results: true, Survives: "nobody looks"},
		{ID: "c", Class: "key", Wrong: "it is c"}}
	page := Page(bugs, map[string]Result{"a": {Bug: "a", Net: "unit", By: "TestA of a"}, "b": {Bug: "b"}})
	for _, want := range []string{
		"Of the 2 bugs that change results, go test or the gate catches 1: 50.0 %. A test wants at least 95 %.\n",
		"| unit: `go test` of the package | 1 |  |  |  |  |  |  |  | 1 | 1 |\n",
		"| none |  |  |  | 1 |  |  |  |  | 1 | 1 |\n", "| not planted yet |  |  |  |  |  | 1 |  |  | 1 | 0 |\n",
		"- `b`: it is b. Nobody looks.\n", "| `a` | it is a\\|b | unit | TestA of a |\n",
		"| `c` | it is c | not planted yet |  |\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}
