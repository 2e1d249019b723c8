package solvertest

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkColumns checks that all statistics and phases of the first epochs are in the list that the option Columns
// promises.
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
			t.Errorf("the run has the column %s, which is not in the list %v", name, s.columns)
		}
	}
}
