package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
)

// TestWhichCampaign checks which campaign the arguments of a command name: the one planned last if there is no
// argument, and otherwise the one with this name or folder.
func TestWhichCampaign(t *testing.T) {
	out := t.TempDir()
	s := &campaigns{out: out}
	if _, err := s.find(nil); err == nil {
		t.Error("a folder without campaigns: want an error")
	}
	dir := func(name string) string { return filepath.Join(out, ".grids", name) }
	names := []string{"20261101-100000", "20261101-100000-2", "20261102-090000", "20261128-000000"}
	for i, name := range names {
		if err := os.MkdirAll(dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf(`{"format": %q, "id": %q}`, cluster.Format, name)
		if err := os.WriteFile(filepath.Join(dir(name), "manifest.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir(name+"-unfinished"), 0o755); err != nil { // its planning ended early
			t.Fatal(err)
		}
		if g, err := s.find(nil); err != nil || g.ID != name {
			t.Errorf("without an argument, of %d campaigns: %v, %v; want %s", i+1, g, err, name)
		}
		for _, known := range names[:i+1] {
			for _, arg := range []string{known, dir(known)} {
				if g, err := s.find([]string{arg}); err != nil || g.ID != known {
					t.Errorf("%s, of %d campaigns: %v, %v; want %s", arg, i+1, g, err, known)
				}
			}
		}
	}
	for _, arg := range []string{"2026", "20261102-09000", dir("other"), names[0] + "-unfinished"} {
		if g, err := s.find([]string{arg}); err == nil {
			t.Errorf("%s: the campaign %s, want an error", arg, g.ID)
		}
	}
}
