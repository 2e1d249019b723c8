package lang

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// numbers writes n distinct numbers as a YAML list.
func numbers(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(i + 1)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// TestPlanSize checks that the plan has one run per combination of the values in a spec, and that no two runs have
// equal labels.
func TestPlanSize(t *testing.T) {
	parser := toyParser(t)
	rapid.Check(t, func(t *rapid.T) {
		size := func(name string) int { return rapid.IntRange(1, 2).Draw(t, name) }
		train, losses, c, eta, shrink, eta0, seeds, folds := size("train"), rapid.IntRange(1, 2).Draw(t, "losses"),
			size("C"), size("eta"), size("shrink"), size("eta0"), size("seeds"), rapid.IntRange(2, 3).Draw(t, "folds")
		times := rapid.IntRange(2, 3).Draw(t, "times")
		text := fmt.Sprintf(`apiVersion: gaplab/v1
id: my/grid
dataset: {name: digits, train: {grid: %s}}
model: {name: multiclass, loss: {grid: %s}}
regularisation: {convention: svm-struct, C: %s}
solvers:
  - {name: eg, eta: {grid: %s}, step: {shrink: {grid: %s}}}
  - {name: sgd, eta0: {grid: %s}}
  - {name: lbfgs, path: {C: {from: 9, factor: 0.5, steps: 4}, until: {gap: 0.1}}}
repeat: {seeds: %s, folds: %d, times: %d}
stop: {passes: 3}
`, numbers(train), []string{"[log]", "[log, hinge]"}[losses-1], numbers(c), numbers(eta),
			[]string{"[0.5]", "[0.5, 0.6]"}[shrink-1], numbers(eta0), numbers(seeds), folds, times)
		f, err := parser.Parse("grid.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.At("", nil)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if want := train * losses * (c*eta*shrink + c*eta0 + 1) * seeds * folds * times; len(runs) != want {
			t.Errorf("%d runs, want %d", len(runs), want)
		}
		seen := make(map[string]bool)
		for _, r := range runs {
			seen[string(r.Canonical())] = true
		}
		if len(seen) != len(runs) {
			t.Errorf("%d different runs among %d", len(seen), len(runs))
		}
	})
}

// TestOverlayOfDataset checks that an overlay with another name or format replaces the whole data set.
func TestOverlayOfDataset(t *testing.T) {
	tests := []struct{ base, over, want string }{
		{"{name: mnist, train: 5}", "{train: 3}", "map[name:mnist train:3]"},
		{"{name: mnist, train: 5}", "{name: mnist, validation: 3}", "map[name:mnist train:5 validation:3]"},
		{"{name: mnist, train: 5}", "{name: digits, validation: 3}", "map[name:digits validation:3]"},
		{"{name: mnist, train: 5}", "{format: libsvm, path: x}", "map[format:libsvm path:x]"},
		{"{format: libsvm, path: x}", "{name: digits}", "map[name:digits]"},
		{"{format: libsvm, path: x}", "{path: y}", "map[format:libsvm path:y]"},
		{"{name: mnist, n: {grid: [1, 2]}}", "{n: {grid: [3]}}", "map[n:map[grid:[3]] name:mnist]"},
		{"{name: mnist, n: {grid: [1, 2]}}", "{n: null}", "map[name:mnist]"},
	}
	for _, tt := range tests {
		base, over := node(t, "dataset: "+tt.base), node(t, "dataset: "+tt.over)
		got := tree.Value(tree.At(Overlay(base, over), "dataset"))
		if fmt.Sprint(got) != tt.want {
			t.Errorf("%s with %s: got %v, want %s", tt.base, tt.over, got, tt.want)
		}
	}
}

// FuzzParse checks that no input makes Parse, At or Plan panic, and that every fault is a *Fault of the file.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/good/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "stop.passes=5")
	}
	for _, tt := range edits(f) {
		f.Add([]byte(tt.text), "solvers.eg.eta={grid: [1, 2]}")
	}
	parser := toyParser(f)
	f.Fuzz(func(t *testing.T, text []byte, set string) {
		file, err := parser.Parse("f.yaml", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Errorf("the error does not start with its file: %v", err)
			}
			return
		}
		for _, scale := range file.Scales() {
			if _, err := file.At(scale, nil); err != nil {
				t.Errorf("Parse accepts what At refuses: %v", err)
			}
			s, err := file.At(scale, []string{set})
			if err != nil {
				continue
			}
			runs, err := s.Plan()
			if err != nil {
				t.Errorf("At accepts what Plan refuses: %v", err)
			}
			for _, r := range runs[:min(len(runs), 3)] {
				r.Canonical()
			}
		}
	})
}
