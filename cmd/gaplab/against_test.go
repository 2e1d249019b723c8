package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHistory checks, in a repository with a side branch, which commits are in the history of the checkout, and which
// references a revision has.
func TestHistory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	commitOf := func(text string) string {
		t.Helper()
		if err := os.MkdirAll("results/smoke/my", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("results/smoke/my/a.jsonl", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		gitIn(t, dir, "add", "-A")
		gitIn(t, dir, "commit", "-q", "-m", text)
		return gitIn(t, dir, "rev-parse", "HEAD")
	}
	gitIn(t, dir, "init", "-q", "-b", "main")
	first := commitOf("first")
	gitIn(t, dir, "checkout", "-q", "-b", "side")
	side := commitOf("side")
	gitIn(t, dir, "checkout", "-q", "main")
	second := commitOf("second")
	for hash, want := range map[string]bool{first: true, second: true, second[:10]: true, side: false, "--all": false,
		strings.Repeat("0", 40): false, "": false} {
		if got := inHistory(hash); got != want {
			t.Errorf("commit %q is in the history: %v, want %v", hash, got, want)
		}
	}
	for revision, want := range map[string]string{first: "first", side: "side", "HEAD": "second", "": "second"} {
		root, drop, err := referencesOf(revision, "smoke")
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root, "smoke", "my", "a.jsonl"))
		if drop(); err != nil || string(text) != want {
			t.Errorf("the references at %q are %q, %v; want %q", revision, text, err, want)
		}
		if _, err := os.Stat(root); (err == nil) != (revision == "") {
			t.Errorf("revision %q: the folder %s still exists: %v", revision, root, err == nil)
		}
	}
	if _, _, err := referencesOf("--output=x", "smoke"); err == nil || !strings.Contains(err.Error(), "dash") {
		t.Errorf("a revision that is an option: error %v", err)
	}
	if root, _, err := referencesOf("results", "smoke"); err != nil || root != "results" {
		t.Errorf("a folder of references: %q, %v", root, err)
	}
}
