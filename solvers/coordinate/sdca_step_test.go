package coordinate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSDCAStepsOfABatch checks each step of a batch, whose direction was computed before the other steps moved w. No
// other step length gives a larger dual D~ (see SDCA), which the test computes by its definition. The stored values
// must be those of the step.
func TestSDCAStepsOfABatch(t *testing.T) {
	const n, batch = 4, 3
	for name, p := range sdcaProblems(t, n, 1) {
		for _, begin := range []string{"truth", "uniform"} {
			o := visitsOf(t, &SDCA{Order: "cyclic", Begin: begin, Minibatch: batch}, p)
			for first := range n + 2 {
				for slot := range batch {
					o.sdcaState.Prepare(slot, (first+slot)%n)
				}
				for slot := range batch {
					checkSDCAStep(t, name+", "+begin, o.sdcaState, slot, (first+slot)%n)
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// checkSDCAStep makes the step of a slot on example i, and checks it.
func checkSDCAStep(t *testing.T, name string, o *sdcaState, slot, i int) {
	t.Helper()
	v, parts := o.slots[slot], o.examples[i].parts
	mu, h := slices.Clone(o.marginals(i)), o.entropy[i]
	to, entropy := slices.Clone(v.to[:len(mu)]), v.logZ-v.there // of α̂
	at := func(g float64) float64 {                             // D~ after a step of length g
		trial := *o
		trial.mu, trial.entropy = slices.Clone(o.mu), slices.Clone(o.entropy)
		now := trial.marginals(i)
		for r, m := range mu {
			now[r] = (1-g)*m + g*to[r]
		}
		trial.entropy[i] = (1-g)*h + g*entropy + g*(1-g)/2*parts.curvature(mu, to)
		if parts == sdcaLabellings {
			trial.entropy[i] = entropyOf(now)
		}
		dual, _ := trial.bound()
		return dual
	}
	var others []float64
	for k := range 9 {
		others = append(others, at(float64(k)/8))
	}
	o.Step(slot, i, 0)
	want := at(v.step)
	got, w := o.bound()
	tol := 1e-11 * (1 + math.Abs(want))
	if !(math.Abs(got-want) <= tol) || !(math.Abs(o.dual()-want) <= tol) {
		t.Errorf("%s, slot %d, example %d: D~ = %v and dual() = %v after the step of length %v, want %v", name, slot, i, got,
			o.dual(), v.step, want)
	}
	if d := testbed.Distance(w, o.w); !(d <= 1e-11*(1+math.Sqrt(dualspace.Dot(w, w)))) {
		t.Errorf("%s, slot %d, example %d: the distance of w from w(α) = %v, want 0", name, slot, i, d)
	}
	for k, other := range others {
		if other > got+1e-4*(got-others[0])+tol {
			t.Errorf("%s, slot %d, example %d: D~ = %v for γ = %v, want the maximum: γ = %v gives %v", name, slot, i, got,
				v.step, float64(k)/8, other)
			break
		}
	}
}

// TestSDCANewton compares the step length that newton returns with a search that makes the interval of the maximiser
// smaller and smaller. Some probabilities are 0 at one end or at both ends of the step.
func TestSDCANewton(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 2))
	ends := map[string]int{}
	for range 1500 {
		k := 2 + rng.IntN(4)
		mu, to := randomDistribution(rng, k), randomDistribution(rng, k)
		v := &sdcaVisit{mixed: make([]float64, k), log: make([]float64, k)}
		d := make([]float64, k)
		for r := range d {
			d[r] = to[r] - mu[r]
		}
		size := math.Exp(2 * rng.NormFloat64())
		slope, bend := size*rng.NormFloat64(), []float64{0, 1, 100}[rng.IntN(3)]*rng.Float64()
		f := func(g float64) float64 {
			mix := slices.Clone(mu)
			for r := range mix {
				mix[r] = max(0, mix[r]+g*d[r])
			}
			return entropyOf(mix) + g*slope - g*g*bend/2
		}
		low, high := 0.0, 1.0
		for range 60 {
			if a, b := low+(high-low)/3, high-(high-low)/3; f(a) < f(b) {
				low = a
			} else {
				high = b
			}
		}
		best := max(f(low), f(0), f(1))
		got := v.newton(mu, d, slope, bend, []float64{0, rng.Float64(), 1}[rng.IntN(3)])
		if !(got >= 0 && got <= 1) || f(got) < best-1e-5*(best-f(0))-1e-8 {
			t.Fatalf("μ = %v, d = %v, slope %v, bend %v: newton = %v with the value %v, want the value %v as at %v", mu, d,
				slope, bend, got, f(got), best, low)
		}
		switch {
		case got == 1:
			ends["1"]++
		case got > 1e-6 && got < 1-1e-6:
			ends["inside"]++
		case got < 1e-6:
			ends["0"]++
		}
	}
	for _, end := range []string{"0", "inside", "1"} {
		if ends[end] < 50 {
			t.Errorf("%d maximisers are %s, want at least 50", ends[end], end)
		}
	}
}

// randomDistribution returns a random distribution, which may have zeros.
func randomDistribution(rng *rand.Rand, k int) []float64 {
	p := make([]float64, k)
	for r := range p {
		if rng.IntN(3) > 0 {
			p[r] = math.Exp(3 * rng.NormFloat64())
		}
	}
	p[rng.IntN(k)]++
	dualspace.Scale(p, 1/dualspace.Sum(p))
	return p
}

// TestSDCACurvatureIsTheLargest checks that curvature returns the largest c that its comment allows, not only a valid
// one: c = (p − q)²/max x(1−x), x from p to q, for the part with the largest c, or (p − q)²/max(p, q), summed.
func TestSDCACurvatureIsTheLargest(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 3))
	for range 500 {
		k := 1 + rng.IntN(5)
		p, q := randomDistribution(rng, k), randomDistribution(rng, k)
		largest, sum := 0.0, 0.0
		for r := range p {
			d := p[r] - q[r]
			if d == 0 {
				continue
			}
			const grid = 2000
			variance := 0.0
			for g := range grid + 1 {
				x := p[r] - d*float64(g)/grid
				variance = max(variance, x*(1-x))
			}
			largest = max(largest, d*d/variance)
			sum += d * d / max(p[r], q[r])
		}
		if c := sdcaIndicators.curvature(p, q); math.Abs(c-largest) > 1e-5*largest {
			t.Fatalf("indicators %v and %v: curvature = %v, want %v", p, q, c, largest)
		}
		if c := sdcaLabellings.curvature(p, q); math.Abs(c-sum) > 1e-12*sum {
			t.Fatalf("labellings %v and %v: curvature = %v, want %v", p, q, c, sum)
		}
	}
}

// sdcaSpy is a session whose steps are recorded.
type sdcaSpy struct {
	*sdcaSession
	steps, gaps []float64
}

func (s *sdcaSpy) Step(slot, i, visit int) {
	s.sdcaState.Step(slot, i, visit)
	s.steps, s.gaps = append(s.steps, s.slots[slot].step), append(s.gaps, s.slots[slot].gap)
}

// TestSDCAStats checks that step_mean and block_gap are the means of the step lengths and of the gaps over the visits
// since the last yield, and that the first yield has no statistics, also the first one at another λ.
func TestSDCAStats(t *testing.T) {
	p := sdcaProblems(t, 33, 1)["multiclass"]
	for _, batch := range []int{0, 1, 4} {
		s := &SDCA{Order: "random", Begin: "truth", Minibatch: batch}
		spy, visits, yields := &sdcaSpy{sdcaSession: visitsOf(t, s, p)}, 0, 0
		due := dualspace.NewCadence(len(p.Examples))
		for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
			if yields == 0 {
				it.Stats(func(name string, v float64) { t.Errorf("%s = %v at the start, want no statistics", name, v) })
			} else {
				recent := float64(len(spy.steps) - visits)
				step, gap := dualspace.Sum(spy.steps[visits:])/recent, dualspace.Sum(spy.gaps[visits:])/recent
				if a, b := testbed.Stat(it, "step_mean"), testbed.Stat(it, "block_gap"); math.Abs(a-step) > 1e-12 ||
					math.Abs(b-gap) > 1e-12*(1+gap) {
					t.Fatalf("minibatch %d, yield %d: step_mean = %v and block_gap = %v, want %v and %v", batch, yields, a, b,
						step, gap)
				}
				visits = len(spy.steps)
			}
			if yields++; yields == 25 {
				break
			}
			for next := due.Next(spy.visits.Done); spy.visits.Done < next; {
				spy.batches.Next(&spy.visits, next, spy)
			}
		}
		session := visitsOf(t, s, p)
		for it := range testbed.Iterates(t, session.Run(p.Lambda)) {
			if it.Epoch == 2 {
				break
			}
		}
		for it := range testbed.Iterates(t, session.Run(2*p.Lambda)) {
			it.Stats(func(name string, v float64) {
				t.Errorf("%s = %v at the start of another λ, want no statistics", name, v)
			})
			break
		}
	}
}
