package trace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestReadDir checks that the files are sorted by their position in the plan, and that the error names unreadable
// files.
func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"z", "a", "m"} {
		m := manifest()
		m.Key, m.Order = name, i
		w, err := create(filepath.Join(dir, "sub", name+".jsonl"), m)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(trace.End{Status: trace.Done}); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"bad.jsonl": "{", ".hidden.jsonl": "{", "notes.txt": "{"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := trace.ReadDir(dir)
	if err == nil || !strings.Contains(err.Error(), "bad.jsonl:1") || strings.Contains(err.Error(), "hidden") {
		t.Errorf("error %v, want bad.jsonl in it and no hidden file", err)
	}
	var keys []string
	for _, f := range files {
		keys = append(keys, f.Manifest.Key)
	}
	if got := fmt.Sprint(keys); got != "[z a m]" {
		t.Errorf("order of the files = %s, want [z a m], the order of the plan", got)
	}
	if _, err := trace.ReadDir(filepath.Join(dir, "none")); !os.IsNotExist(err) &&
		!strings.Contains(fmt.Sprint(err), "no such file") {
		t.Errorf("error for a missing folder = %v, want fs.ErrNotExist", err)
	}
}
