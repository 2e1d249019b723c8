package qp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// TestSimplexWarmStarts checks that a warm start reaches the same optimum as a cold start after each change. The
// changes occur in runs of the 1-slack method over a range of C: columns are added and removed, and C changes. When a
// column was added, Slack and Value are those of the present α at once, because the 1-slack method and its line
// search use them before they solve again.
func TestSimplexWarmStarts(t *testing.T) {
	for _, all := range randomSets(5, 60, 25) {
		t.Run(all.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 9))
			c := 1.0
			q, now := NewSimplex(c), &workingSet{}
			check := func() {
				t.Helper()
				q.Solve(1e-9)
				checkSolved(t, now, q, c, 1e-9)
				cold := now.simplex(c)
				cold.Solve(1e-9)
				_, _, rounding := now.primal(q.Alpha(), c)
				if got, want := q.Value(), cold.Value(); math.Abs(got-want) > c*(2e-9+100*rounding)+1e-12*math.Abs(want) {
					t.Errorf("D = %v after a warm start, want %v as after a cold start", got, want)
				}
			}
			for k := range all.g {
				now.g, now.d = append(now.g, all.g[k]), append(now.d, all.d[k])
				now.addTo(q, q.Len())
				checkSolved(t, now, q, c, math.Inf(1)) // the values are those of the present α also before Solve
				if k%3 == 0 {
					check()
				}
				if k%10 == 9 {
					dropUnused := k%20 == 9
					var kept workingSet
					alpha := slices.Clone(q.Alpha())
					q.Keep(func(l int) bool {
						keep := rng.IntN(3) > 0
						if dropUnused {
							keep = alpha[l] > 0
						}
						if keep {
							kept.g, kept.d = append(kept.g, now.g[l]), append(kept.d, now.d[l])
						}
						return keep
					})
					*now = kept
					check()
					c *= []float64{100, 1e-3, 30}[k%3]
					q.SetC(c)
					check()
				}
			}
		})
	}
}

// TestKeep checks that Keep does not change the α of the remaining columns, and that it does not change D if the α of
// the removed columns are 0.
func TestKeep(t *testing.T) {
	s := randomSets(2, 50, 20)[0]
	q := s.simplex(3)
	q.Solve(1e-9)
	before, value, steps := slices.Clone(q.Alpha()), q.Value(), 0
	var asked []int
	q.Keep(func(k int) bool {
		asked = append(asked, k)
		return before[k] > 0
	})
	if len(asked) != 50 || !slices.IsSorted(asked) {
		t.Errorf("keep was called for the columns %v: want each column once, in order", asked)
	}
	want := slices.DeleteFunc(slices.Clone(before), func(a float64) bool { return a == 0 })
	if len(want) == 50 || !slices.Equal(q.Alpha(), want) {
		t.Errorf("α = %v after Keep: want %v", q.Alpha(), want)
	}
	if math.Abs(q.Value()-value) > 1e-12*value {
		t.Errorf("D = %v after Keep of all columns with α > 0, want %v as before", q.Value(), value)
	}
	if steps = q.Solve(1e-9); steps != 0 {
		t.Errorf("%d steps at the solution: want none", steps)
	}
	// If Keep removes columns with α > 0, their α is added to the α of the zero constraint, and D and the gap are updated
	// at once.
	half := &workingSet{}
	var stay []float64
	for l, k := range slices.DeleteFunc(asked, func(k int) bool { return before[k] == 0 }) {
		if l%2 == 0 {
			half.g, half.d, stay = append(half.g, s.g[k]), append(half.d, s.d[k]), append(stay, before[k])
		}
	}
	q.Keep(func(k int) bool { return k%2 == 0 })
	p, d, _ := half.primal(stay, 3)
	if !slices.Equal(q.Alpha(), stay) || math.Abs(q.Value()-d) > 1e-12*math.Abs(d) || math.Abs(q.Gap()-(p-d)/3) > 1e-12*p {
		t.Errorf("α = %v, D = %v, gap = %v after Keep of half of the columns with α > 0: want %v, %v, %v", q.Alpha(),
			q.Value(), q.Gap(), stay, d, (p-d)/3)
	}
	q.Keep(func(k int) bool { return false })
	if q.Len() != 0 || len(q.Alpha()) != 0 || q.Value() != 0 || q.Slack() != 0 || q.Gap() != 0 || q.Solve(0) != 0 {
		t.Error("a problem without columns has a value, a slack, a gap or steps")
	}
}

func TestSetCScales(t *testing.T) {
	s := randomSets(2, 30, 20)[0]
	q := s.simplex(3)
	q.Solve(1e-6)
	want := slices.Clone(q.Alpha())
	floats.Scale(7, want)
	q.SetC(21)
	if !floats.EqualApprox(q.Alpha(), want, 1e-13) {
		t.Errorf("α = %v after SetC, want %v", q.Alpha(), want)
	}
	_, d, _ := s.primal(want, 21)
	if math.Abs(q.Value()-d) > 1e-10*math.Abs(d) {
		t.Errorf("D = %v after SetC, want %v", q.Value(), d)
	}
}

// TestSimplexAscends checks that no step of Solve decreases the dual objective D by more than rounding errors.
func TestSimplexAscends(t *testing.T) {
	for _, s := range randomSets(8, 40, 15) {
		for _, c := range capacities {
			q := s.simplex(c)
			last := 0.0
			check := func(kind string) {
				q.refresh()
				_, d, rounding := s.primal(q.Alpha(), c)
				if d < last-1e-13*math.Abs(last)-4*c*rounding {
					t.Fatalf("%s, C = %g: %s decreases D from %v to %v", s.name, c, kind, last, d)
				}
				last = d
			}
			for range 30 {
				if q.exchange(1e-12, 1) == 0 {
					break
				}
				check("an exchange")
				if q.newton(1e-12) > 0 {
					check("Newton's method")
				}
			}
		}
	}
}

// TestSimplexEnds checks that Solve ends even if the tolerance cannot be reached or the problem contains infinite
// numbers or NaN.
func TestSimplexEnds(t *testing.T) {
	for _, s := range randomSets(1, 60, 20) {
		for _, c := range capacities {
			q := s.simplex(c)
			if steps := q.Solve(0); steps > 40000 {
				t.Errorf("%s, C = %g: %d steps with tolerance 0, want at most 40000", s.name, c, steps)
			}
			checkSolved(t, s, q, c, 0)
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e308} {
		for _, column := range [][]float64{{2, bad, 1}, {2, 1, bad}, {bad, 1, 2}} {
			q := NewSimplex(1)
			q.Add([]float64{1}, 1)
			q.Add([]float64{0.5, 1}, 1)
			q.Solve(1e-6)
			q.Add(column[:3], column[0])
			q.Solve(1e-6)
			q.LineSearch(2)
			q.SetC(2)
			q.Solve(1e-6)
		}
	}
}

func TestSimplexMisuse(t *testing.T) {
	for name, misuse := range map[string]func(){
		"C = 0":          func() { NewSimplex(0) },
		"C < 0":          func() { NewSimplex(-1) },
		"C undefined":    func() { NewSimplex(math.NaN()) },
		"C infinite":     func() { NewSimplex(math.Inf(1)) },
		"SetC(0)":        func() { NewSimplex(1).SetC(0) },
		"Add, too short": func() { NewSimplex(1).Add(nil, 1) },
		"Add, too long":  func() { NewSimplex(1).Add([]float64{1, 2}, 1) },
		"LineSearch":     func() { NewSimplex(1).LineSearch(0) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if message, ok := recover().(string); !ok || message[:4] != "qp: " {
					t.Errorf("the panic is %v, want one that begins with qp:", message)
				}
			}()
			misuse()
		})
	}
}

func TestSimplexAllocatesNothing(t *testing.T) {
	s := randomSets(1, 60, 40)[1]
	q := s.simplex(1e4)
	q.Solve(1e-9)
	if n := testing.AllocsPerRun(20, func() {
		for k := range 5 {
			q.LineSearch(k)
		}
		q.face.forget()
		q.Solve(1e-9)
	}); n > 0 {
		t.Errorf("%v allocations per solve, want none after the first", n)
	}
}

// TestBound checks that Bound is at most the optimum if a rounding error dominates Value. The columns are g = (±10¹²,
// 1), and rounding loses the effect of the second component in H. The optimum is ½, with α = ½ on each column and the
// rest of C on the zero constraint.
func TestBound(t *testing.T) {
	q := NewSimplex(10)
	q.Add([]float64{1e24 + 1}, 1)
	q.Add([]float64{-1e24 + 1, 1e24 + 1}, 1)
	q.Solve(0)
	if q.Value() < 1 {
		t.Fatalf("Value() = %v: want a problem with a larger rounding error", q.Value())
	}
	if q.Bound() > 0.5 {
		t.Errorf("Bound() = %v, want at most the optimum 0.5", q.Bound())
	}
	small := NewSimplex(10)
	small.Add([]float64{2}, 1)
	small.Solve(0)
	if small.Bound() != small.Value() {
		t.Errorf("Bound() = %v, want Value() = %v for a problem without large rounding errors", small.Bound(), small.Value())
	}
}
