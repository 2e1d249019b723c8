package store_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestAttempts checks which files are earlier attempts at a run: the readable ones that an interrupted, failed or
// killed run of the key has left, but not its result, its checkpoint or its trial, and no file of another key. A part
// that cannot be read may be a file that a process has just begun, so Runs does not list it, unless its format is
// unknown.
func TestAttempts(t *testing.T) {
	f := store.Open(t.TempDir()).Folder("test/one", "smoke")
	attempts := func(key string) (starts []string) {
		for _, file := range f.Attempts(key) {
			starts = append(starts, file.Manifest.Start)
		}
		return starts
	}
	if got := attempts("k"); len(got) > 0 {
		t.Errorf("attempts in a folder that does not exist: %q", got)
	}
	finished(t, f, manifest("q", "k2", "result of k2"))
	draft(t, f, manifest("q", "k2", "killed k2"))
	finished(t, f, manifest("p", "k", "result"))
	trial := draft(t, f, manifest("p", "k", "trial"))
	if err := trial.SaveState("point", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := trial.KeepTrial("point", trace.End{Status: trace.Done}); err != nil {
		t.Fatal(err)
	}
	draft(t, f, manifest("p", "k", "killed"))
	if _, err := draft(t, f, manifest("p", "k", "left")).Leave(trace.End{Status: trace.Failed}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(f.Dir(), "k.part.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"k.1.part.jsonl": "",
		"k.2.part.jsonl": string(text[:20]),
		"k.3.part.jsonl": strings.Replace(string(text), "gaplab-trace/2", "gaplab-trace/7", 1),
	} {
		if err := os.WriteFile(filepath.Join(f.Dir(), name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := attempts("k"); !sameWords(got, []string{"killed", "left"}) {
		t.Errorf("attempts at k: %q, want the killed run and the one that was left", got)
	}
	if got := attempts("k2"); !sameWords(got, []string{"killed k2"}) {
		t.Errorf("attempts at k2: %q, want the killed run", got)
	}
	runs, err := f.Runs()
	if err != nil || len(runs.Files) != 2 || len(runs.Left) != 1 || !strings.HasPrefix(runs.Left[0], "k.3.part.jsonl (") {
		t.Errorf("Runs returned %+v, %v; want two runs, and in Left the part with the unknown format", runs, err)
	}
	finished(t, f, manifest("p", "k", "again"))
	if got := attempts("k"); len(got) > 0 {
		t.Errorf("attempts after a result: %q, want none", got)
	}
}
