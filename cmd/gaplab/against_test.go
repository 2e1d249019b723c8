package main

import (
	"archive/tar"
	"bytes"
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

// TestUntar checks that the files of an archive are written with their content, in their folders, and that a name that
// leads out of the folder is an error.
func TestUntar(t *testing.T) {
	pack := func(files map[string]string) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		if err := w.WriteHeader(&tar.Header{Name: "results/", Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
			t.Fatal(err)
		}
		for name, text := range files {
			h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Size: int64(len(text)), Mode: 0o644}
			if err := w.WriteHeader(h); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	dir := t.TempDir()
	files := map[string]string{"results/smoke/a.jsonl": "one\n", "results/b": "", "top": strings.Repeat("x", 5000)}
	if err := untar(dir, pack(files)); err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
	}
	inner := filepath.Join(dir, "inner")
	if err := os.Mkdir(inner, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := untar(inner, pack(map[string]string{"../out": "x"})); err == nil {
		t.Error("no error for a file outside of the folder")
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a file was written outside of the folder")
	}
}
