package solvertest

import (
	"bytes"
	"iter"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkResume: where iterates have a State, another run that is given it shows the same iterate again and goes on with
// the same bits, to the end if that is near. Writing it changes nothing in the run that does so.
func (s *suite) checkResume(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		want := s.observed(t, p, s.run(p.objective), shown)
		saved := s.saved(t, p, want)
		for k, state := range saved {
			if state == nil || k > 3 && k%7 != 0 && k < len(want)-2 {
				continue
			}
			got := s.observed(t, p, solvers.Run(s.solver, p.objective, resuming(t, state)), shown-k)
			if at := differing(want[k:], got); at >= 0 {
				t.Errorf("%s: a run that goes on from the State of yield %d differs from the whole run %d yields later", p.name, k,
					at)
				break
			}
		}
	}
	s.checkResumedStage(t, all)
}

// checkResumedStage is checkResume in the second stage of a warm session.
func (s *suite) checkResumedStage(t testing.TB, all []*problem) {
	warm, ok := s.solver.(solvers.Warm)
	if !ok {
		return
	}
	for _, p := range typical(all) {
		if p.Risk == nil {
			continue
		}
		lambda := p.Lambda / 2
		session, err := warm.Start(p.Risk, env())
		if err != nil {
			continue // which is said elsewhere
		}
		s.observed(t, p, session.Run(p.Lambda), 15)
		var states [][]byte
		var want []observed
		for it, err := range session.Run(lambda) {
			if err != nil || len(want) == shown {
				break
			}
			want, states = append(want, observe(it)), append(states, stateOf(t, it))
		}
		for k := 0; k < len(states); k += 6 {
			if states[k] == nil {
				continue
			}
			again, err := warm.Start(p.Risk, resuming(t, states[k]))
			if err != nil {
				t.Errorf("%s: a second Start failed: %v", p.name, err)
				break
			}
			got := s.observed(t, p, again.Run(lambda), shown-k)
			if at := differing(want[k:], got); at >= 0 {
				t.Errorf("%s, continued at another λ: a run that goes on from the State of yield %d differs %d yields later", p.name,
					k, at)
				break
			}
		}
	}
}

// saved are the states of a run at its yields, which must be those of a run that writes none.
func (s *suite) saved(t testing.TB, p *problem, want []observed) (states [][]byte) {
	var got []observed
	for it, err := range s.run(p.objective) {
		if err != nil || len(got) == shown {
			break
		}
		states = append(states, stateOf(t, it))
		got = append(got, observe(it))
	}
	if at := differing(want, got); at >= 0 {
		t.Errorf("%s: writing the State changes the run at yield %d", p.name, at)
	}
	return states
}

// stateOf is the State of an iterate; nil if it has none.
func stateOf(t testing.TB, it solvers.Iterate) []byte {
	if it.State == nil {
		return nil
	}
	if it.Watch != nil {
		it.Watch()
	}
	var b bytes.Buffer
	if err := solvers.SaveState(&b, it.State); err != nil {
		t.Errorf("SaveState failed: %v", err)
	}
	return b.Bytes()
}

// resuming is for a run that goes on from a state.
func resuming(t testing.TB, state []byte) solvers.Env {
	e := env()
	e.Resume = func(names func(*solvers.State)) bool {
		if state == nil {
			return false
		}
		if err := solvers.LoadState(bytes.NewReader(state), names); err != nil {
			t.Errorf("LoadState failed: %v", err)
		}
		state = nil
		return true
	}
	return e
}

// observed is a point with the solver's statistics.
type observed struct {
	point
	names  []string
	values []float64
}

func observe(it solvers.Iterate) observed {
	o := observed{point: pointOf(it)}
	if it.Stats != nil {
		it.Stats(func(name string, v float64) { o.names, o.values = append(o.names, name), append(o.values, v) })
	}
	return o
}

func (s *suite) observed(t testing.TB, p *problem, run iter.Seq2[solvers.Iterate, error], yields int) (out []observed) {
	for it, err := range run {
		if err != nil {
			t.Errorf("%s: Run failed: %v", p.name, err)
			break
		}
		if out = append(out, observe(it)); len(out) >= yields {
			break
		}
	}
	return out
}

// differing is the index of the first of the yields that differs, or −1.
func differing(a, b []observed) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || sameBits([]point{a[i].point}, []point{b[i].point}) >= 0 ||
			!slices.Equal(a[i].names, b[i].names) || !equalBits(a[i].values, b[i].values) {
			return i
		}
	}
	return -1
}
