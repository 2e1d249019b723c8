package qp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func bothSolvers() map[string]Solver {
	return map[string]Solver{
		"coordinate":          &Coordinate{Seed: 1},
		"decomposition":       &Decomposition{},
		"decomposition/5":     &Decomposition{Pairs: 5},
		"decomposition/small": &Decomposition{Pairs: 2, CacheBytes: 1}, // a cache for only the rows of one step
	}
}

// TestOptimalOnRandomBlocks checks that the conditions of optimality hold after Solve, that the dual objective D does
// not decrease, and that all solvers reach the same D.
func TestOptimalOnRandomBlocks(t *testing.T) {
	for _, capacity := range []float64{1e-9, 0.01, 1, 100} {
		best := math.NaN()
		for name, s := range bothSolvers() {
			t.Run(fmt.Sprintf("%s/%g", name, capacity), func(t *testing.T) {
				b := randomBlocks(3, 20, 5, 6, capacity)
				value := b.Value()
				for _, tol := range []float64{1, 0.1, 1e-3, 1e-6, 1e-10} {
					s.Solve(b, tol)
					checkOptimal(t, b, tol)
					if next := b.Value(); next < value-1e-13*math.Abs(value) {
						t.Errorf("tolerance %g: D decreased from %v to %v", tol, value, next)
					} else {
						value = next
					}
				}
				if math.IsNaN(best) {
					best = value
				}
				if math.Abs(value-best) > 1e-8*best {
					t.Errorf("D = %v, want %v as with another solver", value, best)
				}
			})
		}
	}
}

// TestDegenerateColumns checks the solvers on degenerate problems: duplicate columns, equal columns with different
// losses, zero columns, and negative losses.
func TestDegenerateColumns(t *testing.T) {
	for name, s := range bothSolvers() {
		for _, capacity := range []float64{1e-9, 0.3, 1e6} {
			b := NewBlocks(4, 3, capacity)
			for range 3 {
				b.Add(0, sparse(1, 0.1, 0, -0.3), 1)
			}
			b.Add(0, sparse(1, 0.1, 0, -0.3), 1.5)
			b.Add(0, sparse(1e-9, 0, 0, 0), 1e-10)
			b.Add(1, sparse(), 0.5)
			b.Add(1, sparse(), 0)
			b.Add(1, sparse(0.7, 0.2, -1, 0), 2)
			b.Add(1, sparse(0.7, 0.2, -1, 0), 2)
			b.Add(2, sparse(-1, 0, 0, 1), -1)
			b.Add(2, sparse(), 0)
			steps := s.Solve(b, 1e-9)
			checkOptimal(t, b, 1e-9)
			if steps > 1000 {
				t.Errorf("%s, capacity %g: %d steps, want at most 1000", name, capacity, steps)
			}
			if b.Alpha(0)[0] != 0 {
				t.Errorf("%s, capacity %g: alpha = %v: want 0 first, since the fourth column is the same with a larger loss", name,
					capacity, b.Alpha(0))
			}
		}
	}
}

// TestOneBlockIsASimplex checks that the solvers of Blocks and Simplex reach the same optimum of a problem with one
// block.
func TestOneBlockIsASimplex(t *testing.T) {
	for name, s := range bothSolvers() {
		for _, n := range []int{10, wideBlock + 30} { // with a stored Gram matrix, and without
			rng := rand.New(rand.NewPCG(5, uint64(n)))
			b, simplex := NewBlocks(20, 1, 3), NewSimplex(3)
			var columns [][]float64
			for k := range n {
				x := make([]float64, 20)
				for f := range x {
					x[f] = rng.NormFloat64() + 0.5
				}
				columns = append(columns, x)
				inner := make([]float64, k+1)
				for l, y := range columns {
					for f := range x {
						inner[l] += x[f] * y[f]
					}
				}
				d := 1 + rng.Float64()
				b.Add(0, sparse(x...), d)
				simplex.Add(inner, d)
			}
			s.Solve(b, 1e-10)
			simplex.Solve(1e-10)
			checkOptimal(t, b, 1e-10)
			if got, want := b.Value(), simplex.Value(); math.Abs(got-want) > 1e-9*want {
				t.Errorf("%s: %d columns in one block: D = %v, want %v as with Simplex", name, n, got, want)
			}
		}
	}
}

// TestWarmStarts checks that a warm start reaches the same optimum as a cold start on the remaining columns. As in a
// run of the n-slack method, columns are added and removed between the calls of Solve, and the capacity changes.
func TestWarmStarts(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test solves eighty problems")
	}
	for name, s := range bothSolvers() {
		rng := rand.New(rand.NewPCG(8, 8))
		b, dropped := NewBlocks(30, 12, 0.5), 0
		for round := range 40 {
			for range 8 {
				x := make([]float64, 30)
				for f := range x {
					x[f] = rng.NormFloat64()
				}
				x[0] += 2
				b.Add(rng.IntN(12), sparse(x...), 1+rng.Float64())
			}
			if round%20 == 19 {
				b.SetCapacity(2 * b.capacity)
			}
			s.Solve(b, 1e-8)
			checkOptimal(t, b, 1e-8)
			dropped += b.Age(3)
			checkOptimal(t, b, 1e-8)
		}
		cold := NewBlocks(30, 12, b.capacity)
		for i := range b.blocks {
			for _, k := range b.blocks[i].columns {
				x := slices.Clone(b.spread(k))
				b.unspread(k)
				cold.Add(i, sparse(x...), b.loss[k])
			}
		}
		(&Coordinate{}).Solve(cold, 1e-8)
		if got, want := b.Value(), cold.Value(); dropped == 0 || math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: D = %v after %d columns were dropped, want %v as after a cold start, and some dropped columns",
				name, got, dropped, want)
		}
	}
}

// TestNoEndlessLoop checks that Solve ends even if its tolerance is smaller than rounding errors.
func TestNoEndlessLoop(t *testing.T) {
	for name, s := range bothSolvers() {
		b := randomBlocks(9, 20, 5, 6, 1e4)
		for i := range b.blocks {
			for _, k := range b.blocks[i].columns {
				b.loss[k] *= 100
			}
		}
		if steps := s.Solve(b, 0); steps > 1000*b.Len() {
			t.Errorf("%s: %d steps for %d columns, want at most 1000 for each", name, steps, b.Len())
		}
		checkOptimal(t, b, 1e-8)
	}
}

// TestSolveAllocatesNothing checks that a later call of Solve allocates nothing, because it reuses the memory of the
// first call.
func TestSolveAllocatesNothing(t *testing.T) {
	for _, s := range []Solver{&Coordinate{}, &Decomposition{Pairs: 3}} {
		b := randomBlocks(4, 50, 5, 10, 0.1)
		s.Solve(b, 1e-6)
		if n := testing.AllocsPerRun(5, func() {
			for i := range b.blocks {
				clear(b.blocks[i].alpha)
			}
			b.sumW()
			s.Solve(b, 1e-6)
		}); n > 2 { // 2 allocations are for the random numbers
			t.Errorf("%T: %v allocations, want at most 2", s, n)
		}
	}
}
