package simplicial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/solvers"
)

// TestRSDEnds checks when a run ends: at a gap of rounding errors if P at W is known, or after rounds without progress
// of any of the four numbers that count as progress.
func TestRSDEnds(t *testing.T) {
	for _, variant := range []string{rsdNone, rsdCoordinate} {
		r := New()
		r.WorkingSets, r.Sets, r.Inner = variant, 2, 3
		limit := rsdPatience
		if variant == rsdCoordinate {
			limit *= 6 // subsets times inner rounds
		}
		s := newRSDState(r, ringProblem(t, smallRing()), solvers.Env{})
		if s.ended() || s.idle != 0 {
			t.Error("a run ends before its first round")
		}
		s.rounds, s.primal, s.bound.value, s.lastDual = 1, 10, 5, 7
		idle := func(name string) {
			t.Helper()
			for k := range limit {
				if s.ended() {
					t.Fatalf("%s, %s: the run ends after %d rounds without progress, want %d", variant, name, k+1, limit+1)
				}
			}
			if s.idle != limit {
				t.Errorf("%s, %s: %d rounds without progress, want %d", variant, name, s.idle, limit)
			}
		}
		s.ended() // the first round always is progress
		for name, progress := range map[string]func(){
			"primal": func() { s.primal -= 1e-3 }, "bound": func() { s.bound.value += 1e-3 },
			"dual": func() { s.lastDual += 1e-3 }, "centre": func() { s.moved = 1e-8 },
			"dual after a fall": func() {
				s.lastDual -= 1 // the centre has moved: the dual of another proximal problem follows
				s.ended()
				s.lastDual += 1e-3
			},
		} {
			idle(name)
			progress()
			if s.ended() || s.idle != 0 {
				t.Errorf("%s: progress of the %s does not count", variant, name)
			}
			s.moved = 1e-10
		}
		idle("last")
		s.primal, s.bound.value = s.primal-1e-14, s.bound.value+1e-14 // rounding errors are no progress
		if !s.ended() {
			t.Errorf("%s: the run goes on after %d rounds without progress", variant, limit+1)
		}
		s.idle, s.bound.value, s.reached.bound = 0, s.primal, s.primal
		if !s.ended() {
			t.Errorf("%s: the run goes on without a gap", variant)
		}
		s.whole = false
		if s.ended() {
			t.Errorf("%s: the run ends because of a primal that is not known", variant)
		}
	}
}

// TestRSDBegins checks θ⁰ for each setting, on a model with several distributions, and that θ⁰ is feasible. The
// start of the problem goes before the setting and is not changed.
func TestRSDBegins(t *testing.T) {
	p := ringProblem(t, smallRing())
	for j := range p.Prior {
		p.Prior[j] = float64(j%3) / 2 // 0, 1/2, 1: not normalised
	}
	prior, uniform := make([]float64, p.Dim()), make([]float64, p.Dim())
	p.Uniform(uniform)
	for i := range p.Vectors() {
		sum := 0.0
		for j := p.First[i]; j < p.First[i+1]; j++ {
			sum += p.Prior[j] + 1e-9
		}
		for j := p.First[i]; j < p.First[i+1]; j++ {
			prior[j] = math.Log((p.Prior[j] + 1e-9) / sum)
		}
	}
	for name, want := range map[string][]float64{rsdUniform: uniform, rsdPrior: prior,
		rsdML: p.MaximumLikelihood(p.Examples, 0.1)} {
		r := New()
		r.Begin = name
		s := newRSDState(r, p, solvers.Env{})
		for what, got := range map[string][]float64{"W": s.best, "θˢ": s.shifted, "the centre": s.dual.centre} {
			if floats.Distance(got, want, math.Inf(1)) > 1e-12 {
				t.Errorf("start: %s: %s is %v, want %v", name, what, got, want)
			}
		}
	}
	r := New()
	r.Begin = rsdML
	q := *p
	q.Start = slices.Repeat([]float64{0.5}, p.Dim())
	given := slices.Clone(q.Start)
	s := newRSDState(r, &q, solvers.Env{})
	s.round()
	if first := newRSDState(r, &q, solvers.Env{}).best; floats.Distance(first, uniform, math.Inf(1)) > 1e-12 ||
		!slices.Equal(q.Start, given) {
		t.Errorf("θ⁰ is %v, want the start lowered to the uniform distribution; the start of the problem is %v", first,
			q.Start)
	}
}

// TestRSDLimits checks which settings are accepted at the limits, and that start: prior needs a prior.
func TestRSDLimits(t *testing.T) {
	p := bayesProblem(t)
	n := p.N()
	for _, c := range []struct {
		change func(r *RSD)
		ok     bool
	}{
		{func(r *RSD) { r.Points, r.Blocks, r.SimplexLimit = rsdBlock, 5, 7 }, true},
		{func(r *RSD) { r.Points, r.Blocks, r.SimplexLimit = rsdBlock, 5, 6 }, false},
		{func(r *RSD) { r.Points, r.Blocks, r.SimplexLimit = rsdTotal, 5, 2 }, true},
		{func(r *RSD) { r.WorkingSets, r.Sets = rsdCombined, n }, true},
		{func(r *RSD) { r.WorkingSets, r.Sets = rsdCoordinate, n+1 }, false},
		{func(r *RSD) { r.WorkingSets, r.Sets = rsdNone, n+1 }, true},
		{func(r *RSD) { r.Begin = rsdPrior }, true},
	} {
		r := New()
		c.change(r)
		if err := r.Check(p); (err == nil) != c.ok {
			t.Errorf("%+v: %v, want an error: %v", r, err, !c.ok)
		}
	}
	q := *p
	g := *p.Distributions
	q.Distributions, g.Terms, g.Prior = &g, pull{}, nil
	if err := (&RSD{Begin: rsdPrior}).Check(&q); !errors.Is(err, solvers.ErrUnsupported) {
		t.Errorf("start: prior without a prior: %v, want ErrUnsupported", err)
	}
}

// TestRSDFailure checks that a run with a number that is not finite ends with an error, and names its round.
func TestRSDFailure(t *testing.T) {
	s := newRSDState(New(), bayesProblem(t), solvers.Env{})
	s.rounds = 5
	for name, x := range map[string]*float64{"primal": &s.primal, "dual": &s.lastDual, "bound": &s.bound.value} {
		if err := s.failure(); err != nil {
			t.Errorf("the numbers are finite, but failure returns %v", err)
		}
		old := *x
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			*x = v
			if err := s.failure(); err == nil || !strings.Contains(err.Error(), "in epoch 5") {
				t.Errorf("%s = %v: %v, want an error in epoch 5", name, v, err)
			}
		}
		*x = old
	}
}

// TestRSDStops checks that a stopped run makes no further step of the master problem, and that the weights of the
// points still give the present point.
func TestRSDStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := newRSDState(New(), ringProblem(t, smallRing()), solvers.Env{Context: ctx})
	for range 3 {
		s.round()
	}
	steps := s.master.steps
	cancel()
	s.sets.present().points[0].alpha = 0
	s.master.solve(s.sets.free(), 0)
	z := make([]float64, len(s.master.z))
	mean(s.sets.present().points, z)
	if s.master.steps != steps || steps == 0 || floats.Distance(z, s.sets.present().z, 2) > 1e-12 {
		t.Errorf("%d steps before the stop and %d after it; the present point is off by %v", steps, s.master.steps-steps,
			floats.Distance(z, s.sets.present().z, 2))
	}
}

// TestRSDCarriesAll checks by reflection that a state that is loaded has the fields of the state that was saved. The
// listed fields are settings, data, or memory that each round writes before it reads.
func TestRSDCarriesAll(t *testing.T) {
	skip := []string{".r", ".p", ".g", ".env", ".direction.p", ".direction.blocks", ".dual.g", ".master.stop",
		".master.vars", ".master.offset", ".master.offsetW", ".master.stepL", ".master.fixedL", ".master.oldL",
		".master.gradient", ".master.newton", ".bound.g", ".bound.here", ".bound.delta", ".sets.order",
		".sets.simplices.largest", ".sets.simplices.spare"}
	for name, r := range rsdVariants() {
		p := ringProblem(t, smallRing())
		s, fresh := newRSDState(r, p, solvers.Env{Seed: 1}), newRSDState(r, p, solvers.Env{Seed: 1})
		for range 11 {
			s.round()
		}
		var saved strings.Builder
		if err := solvers.SaveState(&saved, s.carry); err != nil {
			t.Fatal(err)
		}
		from := &io.LimitedReader{R: strings.NewReader(saved.String()), N: int64(saved.Len())}
		if err := solvers.LoadState(from, fresh.carry); err != nil {
			t.Fatal(err)
		}
		var differ func(path string, a, b reflect.Value)
		differ = func(path string, a, b reflect.Value) {
			if slices.Contains(skip, path) {
				return
			}
			switch a.Kind() {
			case reflect.Pointer:
				differ(path, a.Elem(), b.Elem())
			case reflect.Struct:
				for i := range a.NumField() {
					differ(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))
				}
			case reflect.Slice:
				if a.Len() != b.Len() {
					t.Errorf("%s: %s has %d elements, want %d", name, path, b.Len(), a.Len())
					return
				}
				for i := range a.Len() {
					differ(path, a.Index(i), b.Index(i))
				}
			default:
				if x, y := fmt.Sprint(a), fmt.Sprint(b); x != y {
					t.Errorf("%s: %s is %s after loading, want %s", name, path, y, x)
				}
			}
		}
		differ("", reflect.ValueOf(s), reflect.ValueOf(fresh))
	}
}
