package playground

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Problem is a problem of the form, with the solvers that the form offers for it.
type Problem struct {
	ID      string           `json:"id"`
	Name    string           `json:"name"`
	Dataset map[string]any   `json:"dataset"`
	Model   map[string]any   `json:"model"`
	C       float64          `json:"C"` // in convention svm-struct; 0: no regularisation
	Gap     float64          `json:"gap"`
	Passes  float64          `json:"passes"`
	Solvers []map[string]any `json:"solvers"`
	Chosen  []string         `json:"chosen"` // names of the solvers that are chosen at first
}

// Problems returns the problems of the form.
func Problems() ([]Problem, error) {
	text, err := page.ReadFile("page/problems.json")
	if err != nil {
		return nil, err
	}
	var out []Problem
	err = json.Unmarshal(text, &out)
	return out, err
}

// Text returns a spec with all solvers of the problem, at most n training examples, and a number of passes.
func (p Problem) Text(n int, passes float64) string {
	data := maps.Clone(p.Dataset)
	if train, ok := data["train"].(float64); ok {
		data["train"] = min(train, float64(n))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: gaplab/v1\nid: playground/%s\ndataset: %s\nmodel: %s\n", p.ID, flow(data), flow(p.Model))
	if p.C > 0 {
		fmt.Fprintf(&b, "regularisation: {convention: svm-struct, C: %v}\n", p.C)
	}
	b.WriteString("solvers:\n")
	for _, s := range p.Solvers {
		fmt.Fprintf(&b, "  - %s\n", flow(s))
	}
	fmt.Fprintf(&b, "stop: {gap: 1e-9, passes: %v}\nrecord: {every: {passes: 1}}\n", passes)
	return b.String()
}

// flow returns settings as a map in YAML.
func flow(settings map[string]any) string {
	var items []string
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		items = append(items, fmt.Sprintf("%s: %v", key, settings[key]))
	}
	return "{" + strings.Join(items, ", ") + "}"
}
