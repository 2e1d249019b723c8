package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func list(t *testing.T) []bug {
	t.Helper()
	bugs, err := readBugs()
	if err != nil {
		t.Fatal(err)
	}
	return bugs
}

// TestBugs checks that the entries of bugs.yaml are complete, and that there are enough bugs of each class and enough
// quick ones. The test TestBugsCanBePlanted of the main module checks that the code of each bug is still in its file.
func TestBugs(t *testing.T) {
	quick, count := 0, map[string]int{}
	for _, b := range list(t) {
		if count[b.Class]++; b.Quick {
			quick++
		}
	}
	for _, class := range classes() {
		if count[class] < 5 {
			t.Errorf("bugs of class %s = %d, want at least 5", class, count[class])
		}
	}
	if quick < 5 {
		t.Errorf("quick bugs = %d, want at least 5", quick)
	}
}

// TestPage checks that docs/PLANTED.md shows the results, and that enough of the bugs that change results are caught.
func TestPage(t *testing.T) {
	bugs := list(t)
	results, _, err := readResults("results.jsonl", bugs)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/PLANTED.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != pageOf(bugs, results) {
		t.Error("docs/PLANTED.md does not show results.jsonl; write it: go -C tools/mutation run .")
	}
	if len(results) < 60 {
		t.Errorf("bugs with a result = %d, want at least 60", len(results))
	}
	if caught, of := share(bugs, results); float64(caught) < bar*float64(of) {
		t.Errorf("caught bugs among the %d that change results = %d, want a share of at least %v", of, caught, bar)
	}
	for _, b := range bugs {
		if r, ok := results[b.ID]; ok && !r.caught() && b.Survives == "" {
			t.Errorf("bug %s survived, and bugs.yaml gives no reason: %s", b.ID, b.Wrong)
		}
	}
}

// toyTree returns a tree whose checkout has one source file, and a bug that replaces the 1 in that file by 2.
func toyTree(t *testing.T) (tree, bug) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	copied := tree{from: t.TempDir(), dir: t.TempDir()}
	if out, err := exec.Command("git", "init", "-q", copied.from).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	write(t, filepath.Join(copied.from, "a/a.go"), "package a\n\nconst n = 1\n")
	write(t, filepath.Join(copied.from, ".gitignore"), "/bin/\n")
	write(t, filepath.Join(copied.from, "bin/large"), "")
	return copied, bug{ID: "two", Class: "count", Wrong: "it is two", File: "a/a.go", Old: "n = 1", New: "n = 2"}
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

// TestTree checks that a bug is written into the copy and never into the checkout, and that the next call of sync
// removes the bug and all files that tests left.
func TestTree(t *testing.T) {
	copied, two := toyTree(t)
	file, clean := filepath.Join(copied.dir, "a/a.go"), text(t, filepath.Join(copied.from, "a/a.go"))
	for range 2 {
		if err := copied.sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if text(t, file) != clean {
			t.Fatalf("a/a.go in the copy after sync = %q, want the text of the checkout", text(t, file))
		}
		if err := copied.plant(two); err != nil {
			t.Fatal(err)
		}
		if got := text(t, file); got != "package a\n\nconst n = 2\n" {
			t.Fatalf("a/a.go in the copy with the bug = %q", got)
		}
		if err := copied.plant(two); err == nil || !strings.Contains(err.Error(), "occurs 0 times in a/a.go, not once") {
			t.Errorf("error of planting the bug twice = %v", err)
		}
		write(t, filepath.Join(copied.dir, "a/testdata/rapid/left"), "")
	}
	if err := copied.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"a/testdata/rapid/left", "bin/large"} {
		if _, err := os.Stat(filepath.Join(copied.dir, gone)); err == nil {
			t.Errorf("the copy still has %s", gone)
		}
	}
	if got := text(t, filepath.Join(copied.from, "a/a.go")); got != clean {
		t.Errorf("a/a.go in the checkout = %q, want it unchanged", got)
	}
	if err := os.Remove(filepath.Join(copied.from, "a/a.go")); err != nil {
		t.Fatal(err)
	}
	if err := copied.sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the copy still has a file that was removed from the checkout")
	}
}

// TestRound checks that a bug is caught by the first check that fails with the bug and passes without it; that a check
// which also fails without the bug is an error; and that a check which compares catches a bug that changes its output.
func TestRound(t *testing.T) {
	copied, two := toyTree(t)
	fake := func(name string, fails func(planted bool) bool) check {
		return check{name: name, run: func(_ context.Context, dir string, _ bug) (outcome, error) {
			return outcome{failed: fails(strings.Contains(text(t, filepath.Join(dir, "a/a.go")), "2")), by: "x of " + name}, nil
		}}
	}
	prints := check{name: "prints", compares: true, run: func(_ context.Context, dir string, _ bug) (outcome, error) {
		return outcome{text: "same\n" + text(t, filepath.Join(dir, "a/a.go"))}, nil
	}}
	blind := fake("blind", func(bool) bool { return false })
	sharp := fake("sharp", func(planted bool) bool { return planted })
	broken := fake("broken", func(bool) bool { return true })
	for _, c := range []struct {
		checks []check
		trust  bool
		check  string
		by     string
		err    string
	}{
		{checks: []check{blind, sharp, broken}, check: "sharp", by: "x of sharp"},
		{checks: []check{blind, prints, sharp}, check: "prints", by: "const n = 2"},
		{checks: []check{blind}},
		{checks: []check{blind, broken, sharp}, err: "check broken fails without bug two as well: x of broken"},
		{checks: []check{broken}, trust: true, check: "broken", by: "x of broken"},
	} {
		r := round{tree: copied, checks: c.checks, commit: "c", trust: c.trust}
		got, err := r.plant(t.Context(), two)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("error = %v, want %s", err, c.err)
			}
			continue
		}
		if err != nil || got.Check != c.check || got.By != c.by || got.Bug != "two" || got.Commit != "c" {
			t.Errorf("result = %+v, error %v; want check %q, by %q", got, err, c.check, c.by)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	if _, err := (&round{tree: copied, checks: []check{blind}}).plant(ctx, two); err == nil {
		t.Error("plant returned a result after its round had ended")
	}
}

// TestRead checks that readResults returns the last result of each bug, and leaves out results from before the bug was
// changed.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "results.jsonl")
	a, b := bug{ID: "a", File: "f", Old: "1", New: "2"}, bug{ID: "b", File: "f", Old: "1", New: "3"}
	if results, order, err := readResults(path, []bug{a}); err != nil || len(results)+len(order) > 0 {
		t.Errorf("without a file: results %v, order %v, error %v; want none", results, order, err)
	}
	for _, r := range []result{{Bug: "a", Text: a.hash(), Check: "full"}, {Bug: "b", Text: b.hash(), Check: "gate"},
		{Bug: "gone", Text: "0"}, {Bug: "a", Text: a.hash(), Check: "unit"}, {Bug: "b", Text: "another", Check: "unit"}} {
		if err := appendResult(path, r); err != nil {
			t.Fatal(err)
		}
	}
	results, order, err := readResults(path, []bug{a, b})
	if err != nil || len(results) != 2 || results["a"].Check != "unit" || results["b"].Check != "gate" ||
		strings.Join(order, " ") != "b a" {
		t.Errorf("results %v, order %v, error %v; want a from unit and b from gate, in the order b, a", results, order, err)
	}
	write(t, path, "{\n")
	if _, _, err := readResults(path, nil); err == nil || !strings.Contains(err.Error(), "results.jsonl:1: ") {
		t.Errorf("error of a damaged file = %v, want one at results.jsonl:1", err)
	}
}

// TestWhatCaught checks that the test, curve, claim or message that caught a bug is found in the output of a check.
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
			t.Errorf("failure(%q) = %q, want %q", out, got, want)
		}
	}
	const ok, not = `{"experiment":"p/a","curve":"eg C=1","ok":true}`, `{"experiment":"p/a","curve":"eg C=2","ok":false}`
	if got := moved(ok + "\n" + not + "\ngaplab: 1 of 2 curves moved\n"); got != "p/a, eg C=2" {
		t.Errorf("moved, for a curve that moved = %q", got)
	}
	if got := moved(ok + "\ngaplab: p/a: weak duality is broken\n"); got != "gaplab: p/a: weak duality is broken" {
		t.Errorf("moved, for an error = %q", got)
	}
	if got := claimed(`{"experiment":"p/a","claim":"c1","verdict":"reproduced"}` + "\n"); got != "claim p/a/c1" {
		t.Errorf("claimed, for a verdict = %q", got)
	}
}

// TestPageShows checks that the page has the table of classes and checks, and the reasons why bugs survive.
func TestPageShows(t *testing.T) {
	bugs := []bug{{ID: "a", Class: "solver", Wrong: "it is a|b", Results: true},
		{ID: "b", Class: "clock", Wrong: "it is b", Results: true, Survives: "nobody looks"},
		{ID: "c", Class: "key", Wrong: "it is c"}}
	page := pageOf(bugs, map[string]result{"a": {Bug: "a", Check: "unit", By: "TestA of a"}, "b": {Bug: "b"}})
	for _, want := range []string{
		"Of the 2 bugs that change results, go test or the gate catches 1: 50.0 %. A test requires at least 95 %.\n",
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
