package solvertest

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkColumns compares what a few epochs yield, and the phases that they enter, with the columns that are listed.
func (s *suite) checkColumns(t testing.TB, all []*problem) {
	if !s.listed {
		return
	}
	const epochs = 3
	seen := map[string]bool{}
	for _, p := range all {
		q, at, _ := counted(p.objective)
		phase := at.Phase
		at.Phase = func(name string) {
			if name != "" {
				seen[name+"_seconds"] = true
			}
			phase(name)
		}
		for it, err := range solvers.Run(s.solver, q, at) {
			if err != nil || it.Epoch > epochs {
				break
			}
			if it.Stats != nil {
				it.Stats(func(name string, _ float64) { seen[name] = true })
			}
		}
	}
	for name := range seen {
		if !slices.Contains(s.columns, name) {
			t.Errorf("its rows have the column %s: the list says %v", name, s.columns)
		}
	}
}
