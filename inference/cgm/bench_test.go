package cgm

import (
	"strconv"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
)

func migration(side int) generated.Migration {
	return generated.Migration{Side: side, Steps: 20, Walkers: 1000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 1, Seed: 1}
}

func BenchmarkSolve(b *testing.B) {
	for _, c := range []struct {
		name string
		side int
		s    Solver
	}{
		{"blocks", 5, BlockInterior{Tol: 1e-6, MaxSteps: 60}},
		{"blocks", 10, BlockInterior{Tol: 1e-6, MaxSteps: 60}},
		{"sparse", 5, SparseInterior{Tol: 1e-6, MaxSteps: 60}},
	} {
		b.Run(c.name+"/"+strconv.Itoa(c.side), func(b *testing.B) {
			p := problem(b, migration(c.side))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Solve(c.s, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
