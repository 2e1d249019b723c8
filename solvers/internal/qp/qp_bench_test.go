package qp

import (
	"fmt"
	"testing"
)

// BenchmarkBlocks measures the time to solve a working set from α = 0. The working set and the tolerance are similar to
// a working set and tolerance of the n-slack method after a pass over n multiclass examples. steps/op is the number of
// steps of one solve.
func BenchmarkBlocks(b *testing.B) {
	for _, n := range []int{500, 2000} {
		set := randomBlocks(1, n, 7, 12, 100/float64(n))
		for _, s := range []struct {
			name   string
			solver Solver
		}{
			{"coordinate", &Coordinate{Seed: 1}},
			{"decomposition/1", &Decomposition{Pairs: 1}},
			{"decomposition/5", &Decomposition{Pairs: 5}},
		} {
			b.Run(fmt.Sprintf("%s/n=%d", s.name, n), func(b *testing.B) {
				steps := 0
				for b.Loop() {
					for i := range set.blocks {
						clear(set.blocks[i].alpha)
					}
					set.sumW()
					steps += s.solver.Solve(set, 1e-3)
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				b.ReportMetric(float64(set.Len()), "columns")
			})
		}
	}
}
