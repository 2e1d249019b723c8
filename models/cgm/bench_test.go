package cgm

import (
	"strconv"
	"testing"
)

func migration(b *testing.B, side int) *Problem {
	made, err := Grid{Side: side, Steps: 20, Walkers: 1000, Distance: 1, Drift: 0.5, Noise: 0.1, Rate: 1, Seed: 1}.Generate()
	if err != nil {
		b.Fatal(err)
	}
	return made.Problem
}

// BenchmarkMarginals is one call of the oracle, the work of an iteration of Bethe projections.
func BenchmarkMarginals(b *testing.B) {
	for _, side := range []int{5, 10} {
		b.Run(strconv.Itoa(side), func(b *testing.B) {
			p := migration(b, side)
			mu := make([]float64, len(p.TiedTheta))
			b.ReportAllocs()
			for b.Loop() {
				p.TiedExp.LogSum(mu, p.TiedTheta)
			}
		})
	}
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
			p := migration(b, c.side)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Solve(c.s, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
