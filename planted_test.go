package gaplab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestBugsCanBePlanted checks that the old text of each bug in tools/mutation/bugs.yaml occurs exactly once in its
// file. If that code has changed, adapt the bug in bugs.yaml and plant it again: go -C tools/mutation run .
func TestBugsCanBePlanted(t *testing.T) {
	list, err := os.ReadFile(filepath.FromSlash("tools/mutation/bugs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var bugs []struct{ ID, File, Old string }
	if err := yaml.Unmarshal(list, &bugs); err != nil {
		t.Fatal(err)
	}
	if len(bugs) < 60 {
		t.Fatalf("planted bugs = %d, want at least 60: the test does not find them", len(bugs))
	}
	for _, b := range bugs {
		if b.File == "" || b.Old == "" {
			t.Errorf("bug %s needs file and old", b.ID)
			continue
		}
		text, err := os.ReadFile(filepath.FromSlash(b.File))
		if err != nil {
			t.Errorf("bug %s: %v", b.ID, err)
			continue
		}
		if n := strings.Count(string(text), b.Old); n != 1 {
			t.Errorf("bug %s: its old text occurs %d times in %s, not once: adapt the bug in tools/mutation/bugs.yaml",
				b.ID, n, b.File)
		}
	}
}
