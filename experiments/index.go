package experiments

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// indexes holds the descriptions of all experiments, one file per paper. They serve to list experiments without reading
// the specs.
//
//go:embed */index.json
var indexes embed.FS

// Item describes one experiment in a list.
type Item struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Paper  string   `json:"paper"`  // key of the paper; empty if the experiment reproduces no item of a paper
	Kind   string   `json:"kind"`   // figure, table, theorem, or own (a user's)
	Claims []string `json:"claims"` // ids of the claims, with the experiment's id: eg/fig06/c1
	Scales []string `json:"scales"`
	// names of the lines of its figure (methods); a method has the same colour in all figures
	Series []string `json:"series,omitempty"`
}

// IDs returns the ids of all experiments, which are the names of their files, in natural order: eg/fig9 before
// eg/fig10.
func IDs() []string {
	names, err := fs.Glob(FS, "*/*.yaml")
	if err != nil {
		panic("experiments: " + err.Error()) // impossible: the pattern is a constant
	}
	for i, name := range names {
		names[i] = strings.TrimSuffix(name, ".yaml")
	}
	slices.SortFunc(names, natural)
	return names
}

// Index returns the items of all papers by id. It leaves out papers without an index.json, such as one that is being
// added.
func Index() (map[string]Item, error) {
	names, err := fs.Glob(indexes, "*/index.json")
	if err != nil {
		return nil, err
	}
	out := map[string]Item{}
	for _, name := range names {
		text, err := indexes.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var items []Item
		if err := json.Unmarshal(text, &items); err != nil {
			return nil, fmt.Errorf("experiments/%s: %w", name, err)
		}
		for _, item := range items {
			if path.Dir(item.ID) != path.Dir(name) {
				return nil, fmt.Errorf("experiments/%s: lists %s; accepted: experiments of its own folder", name, item.ID)
			}
			out[item.ID] = item
		}
	}
	return out, nil
}

// digits matches a number in an id.
var digits = regexp.MustCompile(`\d+`)

// natural compares two ids. Numbers in them are compared by value: fig9 comes before fig10.
func natural(a, b string) int {
	padded := func(id string) string {
		return digits.ReplaceAllStringFunc(id, func(n string) string { return strings.Repeat("0", max(0, 9-len(n))) + n })
	}
	return strings.Compare(padded(a), padded(b))
}
