package interior

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSVMStep checks the variables after each of some steps: α_i are distributions, s is positive and equals ξ − h,
// w is w(α), and μ is the mean of α s. μ must fall fast. At the start, ξ_i exceeds its least value by at least the
// range of the h_ic.
func TestSVMStep(t *testing.T) {
	for name, p := range svmProblems(t, false) {
		st := newSVMState(p)
		for k := range 6 {
			before := st.mu
			st.evaluate()
			mean := floats.Dot(st.alpha, st.slack) / float64(len(st.alpha))
			if math.Abs(st.mu-mean) > 1e-12*mean || k > 1 && st.mu > 0.9*before {
				t.Errorf("%s, step %d: μ = %v after %v, want %v, less than before", name, k, st.mu, before, mean)
			}
			for j, w := range st.of {
				if math.Abs(w-st.w[j]) > 1e-8*(1+math.Abs(w)) {
					t.Fatalf("%s, step %d: w[%d] = %v, want w(α) = %v", name, k, j, st.w[j], w)
				}
			}
			for i := range p.Examples {
				e := &p.Examples[i]
				h := make([]float64, e.Features.Parts())
				e.Features.Score(h, st.w)
				truth := h[e.Truth[0]]
				for c := range h {
					h[c] += p.Loss.Margin*e.Cost[c] - truth
				}
				if want := 2*floats.Max(h) - floats.Min(h) + 1; k == 0 && math.Abs(st.xi[i]-want) > 1e-9 {
					t.Errorf("%s, example %d: ξ = %v, want %v at the start", name, i, st.xi[i], want)
				}
				alpha, slack := st.layout.Of(st.alpha, i), st.layout.Of(st.slack, i)
				if math.Abs(floats.Sum(alpha)-1) > 1e-12 || floats.Min(alpha) <= 0 || floats.Min(slack) <= 0 {
					t.Fatalf("%s, step %d, example %d: α = %v and s = %v, want a distribution and positive numbers", name, k, i,
						alpha, slack)
				}
				for c := range h {
					if want := st.xi[i] - h[c]; math.Abs(slack[c]-want) > 1e-8*(1+st.xi[i]) {
						t.Fatalf("%s, step %d, example %d: s_%d = %v, want ξ − h = %v", name, k, i, c, slack[c], want)
					}
				}
			}
			if !st.step() {
				t.Fatalf("%s, step %d: no progress", name, k)
			}
		}
	}
}

// TestSVMIterates checks the iterates of a run to its end: W has the least primal value so far, the dual never
// decreases, also when it is read later, complementarity is positive, and the gap at the end is within rounding errors.
func TestSVMIterates(t *testing.T) {
	for name, p := range svmProblems(t, false) {
		best, low, epoch := math.Inf(1), math.Inf(-1), 0
		var duals []func() float64
		var values []float64
		for it := range testbed.Iterates(t, NewSVM().Train(p, solvers.Env{})) {
			if it.Epoch != epoch {
				t.Fatalf("%s: epoch %d, want %d", name, it.Epoch, epoch)
			}
			epoch++
			if it.Epoch == 0 {
				continue
			}
			primal, dual := p.Primal(it.W), it.Dual()
			if primal > best*(1+1e-12) || dual < low || !(testbed.Stat(it, "complementarity") > 0) {
				t.Fatalf("%s, epoch %d: primal %v after %v, dual %v after %v", name, it.Epoch, primal, best, dual, low)
			}
			best, low = min(best, primal), dual
			duals, values = append(duals, it.Dual), append(values, dual)
		}
		for k, dual := range duals {
			if dual() != values[k] {
				t.Errorf("%s: the dual of iterate %d is %v at the end, and was %v", name, k, dual(), values[k])
			}
		}
		if best-low > 1e-10*best {
			t.Errorf("%s: bounds %v and %v at the end, want a gap of rounding errors", name, low, best)
		}
	}
}

// TestDirectionMix checks that mix and set replace every field of a direction, and that the copy shares no memory.
func TestDirectionMix(t *testing.T) {
	random := func(rng *rand.Rand) *direction {
		return &direction{testbed.Gaussian(rng, 2), testbed.Gaussian(rng, 3), testbed.Gaussian(rng, 4),
			testbed.Gaussian(rng, 5), testbed.Gaussian(rng, 6)}
	}
	fields := func(d *direction) [][]float64 { return [][]float64{d.w, d.product, d.alpha, d.slack, d.xi} }
	if n := reflect.TypeFor[direction]().NumField(); n != len(fields(&direction{})) {
		t.Fatalf("direction has %d fields, but the test reads %d", n, len(fields(&direction{})))
	}
	rng := rand.New(rand.NewPCG(28, 7))
	for _, share := range []float64{0, 0.3, 1} {
		from, d := random(rng), random(rng)
		var want [][]float64
		for f, v := range fields(d) {
			x := append([]float64{}, fields(from)[f]...)
			floats.Scale(1-share, x)
			floats.AddScaled(x, share, v)
			want = append(want, x)
		}
		if d.mix(from, share); share == 0 {
			d = random(rng)
			d.set(from)
		}
		for f, v := range fields(d) {
			if !floats.EqualApprox(v, want[f], 1e-12) || &v[0] == &fields(from)[f][0] {
				t.Errorf("share %v: field %d = %v, want a copy %v", share, f, v, want[f])
			}
		}
	}
}

// TestBoundarySteps compares toBoundary, length and blend with steps that are tried out: the largest step at which no
// component is negative, for each of the shares 0, 0.1, ..., 1 of blend.
func TestBoundarySteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 8))
	if got := toBoundary([]float64{1, 0}, []float64{2, 0}, []float64{0, 0}, 0.5); !math.IsInf(got, 1) {
		t.Errorf("step = %v in a direction without negative components, want +Inf", got)
	}
	shares := map[int]int{}
	for trial := range 50 {
		n := 3 + trial%4
		random := func() direction {
			return direction{w: testbed.Gaussian(rng, 2), product: testbed.Gaussian(rng, n), alpha: testbed.Gaussian(rng, n),
				slack: testbed.Gaussian(rng, n), xi: testbed.Gaussian(rng, 1)}
		}
		st := &svmState{to: random(), kept: random()}
		for range n {
			st.alpha, st.slack = append(st.alpha, rng.Float64()), append(st.slack, rng.Float64())
		}
		step := func(share float64) float64 {
			longest := math.Inf(1)
			for j := range n {
				a := st.kept.alpha[j] + share*(st.to.alpha[j]-st.kept.alpha[j])
				s := st.kept.slack[j] + share*(st.to.slack[j]-st.kept.slack[j])
				if a < 0 {
					longest = min(longest, -st.alpha[j]/a)
				}
				if s < 0 {
					longest = min(longest, -st.slack[j]/s)
				}
			}
			return longest
		}
		if got, want := st.length(), step(1); math.Abs(got-want) > 1e-12*want {
			t.Errorf("trial %d: length = %v, want %v", trial, got, want)
		}
		best, tenth := 0.0, 0
		for k := range 11 {
			if s := step(float64(k) / 10); s > best {
				best, tenth = s, k
			}
		}
		shares[tenth]++
		want := st.kept.alpha[0] + float64(tenth)/10*(st.to.alpha[0]-st.kept.alpha[0])
		if got := st.blend(); math.Abs(got-best) > 1e-12*best || math.Abs(st.to.alpha[0]-want) > 1e-12 {
			t.Errorf("trial %d: blend = %v with Δα_0 = %v, want %v with %v, the share %d/10", trial, got, st.to.alpha[0], best,
				want, tenth)
		}
	}
	if shares[0] == 0 || shares[10] == 0 || len(shares) < 4 {
		t.Errorf("the best shares were %v tenths, want 0, 10 and others", shares)
	}
}

// TestWork checks the number of multiplications: a score costs a multiplication for each feature and class, or for each
// feature if two classes share their weights.
func TestWork(t *testing.T) {
	for name, want := range map[string]struct{ features, classes, dim float64 }{"two classes": {4, 1, 4},
		"two blocks": {4, 2, 8}, "four classes": {5, 4, 20}} {
		p := svmProblems(t, false)[name]
		products := want.features * want.classes
		scores := products * float64(p.N())
		iteration := products*products/2*float64(p.N()) + directions*2*scores + want.dim*want.dim*want.dim/6
		if i, s := Work(p); i != iteration || s != scores {
			t.Errorf("%s: Work = %v and %v, want %v and %v", name, i, s, iteration, scores)
		}
	}
}
