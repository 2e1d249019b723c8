package harness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMissingFilesAreNoted checks that the notes of a forecast name each missing file once: the files of a data set,
// the file of a model's settings, and the files of each run.
func TestMissingFilesAreNoted(t *testing.T) {
	file := fileWith(t, "apiVersion: gaplab/v1\nid: test/own\ndataset: {format: conll, columns: word pos, path: a.txt, "+
		"validation: b.txt}\nmodel: {name: chain, loss: log, label: pos, lexicon: words.txt, "+
		"features: 'word[0] lexicon[0]'}\n"+
		passes(1, "eg")+"seeds: [1, 2]\nproblems: {one: {}, two: {dataset: {path: c.txt}}}\n")
	dir := filepath.Dir(file)
	for _, there := range []string{"", "words.txt", "a.txt", "b.txt", "c.txt"} {
		if there != "" {
			if err := os.WriteFile(filepath.Join(dir, there), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		f, err := forecast(at(t, found(t, file), ""), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(f.Notes, "\n")
		for _, name := range []string{"words.txt", "a.txt", "b.txt", "c.txt"} {
			_, err := os.Stat(filepath.Join(dir, name))
			early := name != "words.txt" && there == "" // the file of the model hides those of the data
			if strings.Contains(text, name) != (err != nil && !early) {
				t.Errorf("after %q: notes %q, and %s is missing: %v", there, f.Notes, name, err != nil)
			}
		}
		slices.Sort(f.Notes)
		if len(slices.Compact(slices.Clone(f.Notes))) != len(f.Notes) {
			t.Errorf("notes %q, want each once", f.Notes)
		}
	}
}
