package lang

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestNamesOfGrids checks the labels that the values of a grid have: the last key of its path, for an item of a list
// also its index, and the whole path if another label has this name.
func TestNamesOfGrids(t *testing.T) {
	parser := toyParser(t)
	for _, c := range []struct {
		dataset, model, solvers string
		want                    string // the labels beyond those of every run, in all runs
	}{
		{"", "", "{name: eg, eta: {grid: [1, 2]}}", "eta=1 eta=2"},
		{"", "", "{name: eg, step: {shrink: {grid: [0.1, 0.2]}}}", "shrink=0.1 shrink=0.2"},
		{"", "", "{name: eg, rates: [{grid: [1, 2]}, 3]}", "rates.0=1 rates.0=2"},
		{"", "", "{name: eg, rates: [3, {grid: [1, 2]}]}", "rates.1=1 rates.1=2"},
		{"", "", "{name: eg, rates: [{grid: [4]}, {grid: [1, 2]}]}", "rates.0=4 rates.1=1 rates.1=2"},
		{"", "", "{name: eg, rates: {grid: [[1, 2], [3]]}}", "rates=[1,2] rates=[3]"},
		{"train: {grid: [5, 6]}", "", "{name: eg}", "train=5 train=6"},
		{"seed: {grid: [5, 6]}", "", "{name: eg}", "dataset.seed=5 dataset.seed=6"},
		{"", "bias: {grid: [true, false]}", "{name: eg}", "bias=false bias=true"},
		{"", "", "{name: sgd, seed: {grid: [5, 6]}}", "solver.seed=5 solver.seed=6"},
	} {
		text := fmt.Sprintf("apiVersion: gaplab/v1\nid: my/grid\ndataset: {name: digits, %s}\n"+
			"model: {name: multiclass, loss: log, %s}\nregularisation: {convention: svm-struct, C: 1}\nsolvers: [%s]\n"+
			"stop: {passes: 3}\n", c.dataset, c.model, c.solvers)
		f, err := parser.Parse("grid.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		s, err := f.At("", nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		runs, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		labels := map[string]bool{}
		for _, r := range runs {
			for name, v := range r.Labels {
				if !slices.Contains([]string{"as", "solver", "dataset", "model", "loss", "C", "seed"}, name) {
					labels[fmt.Sprintf("%s=%v", name, v)] = true
				}
			}
		}
		if got := strings.Join(slices.Sorted(maps.Keys(labels)), " "); got != c.want {
			t.Errorf("%s: labels %s, want %s", text, got, c.want)
		}
	}
}
