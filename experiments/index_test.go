package experiments_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
)

var update = flag.Bool("update", false, "write the index of each paper")

// TestIndexIsCurrent checks that the index of each paper agrees with its specs. `go test ./experiments -run Index
// -update` writes it.
func TestIndexIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all specs at all scales")
	}
	all, err := harness.Experiments()
	if err != nil {
		t.Fatal(err)
	}
	papers := map[string][]experiments.Item{}
	for _, e := range all {
		item, err := e.Item()
		if err != nil {
			t.Fatal(err)
		}
		papers[path.Dir(e.ID)] = append(papers[path.Dir(e.ID)], item)
	}
	folders, err := fs.Glob(experiments.FS, "*/*.yaml")
	if err != nil || len(folders) == 0 {
		t.Fatal("no specs: ", err)
	}
	for paper, items := range papers {
		want, err := marshal(items)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Join(paper, "index.json")
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is out of date (%v): run `go test ./experiments -run TestIndexIsCurrent -update`", name, err)
		}
	}
}

// marshal returns the text of a paper's index.json: one item per line.
func marshal(items []experiments.Item) ([]byte, error) {
	text := []byte("[")
	for i, item := range items {
		line, err := json.Marshal(item)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, '\n'), line...)
	}
	return append(text, "\n]\n"...), nil
}
