package solvertest

import (
	"bytes"
	"io"
	"iter"
	"maps"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkResume checks that a run that resumes from a State first yields the iterate of the State again, and then
// continues with the same bits. It checks States at the start, in the middle and near the end of a run. If the solver
// has sessions, it also checks States of the second run of a session, at another λ.
func (s *suite) checkResume(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		if has := savable(s.run(p.objective)); s.saves != nil && has != *s.saves {
			t.Errorf("%s: iterates have a State: %v; want %v, as Saves promises", p.name, has, *s.saves)
		}
		Resumes(t, p.name, func(env solvers.Env) iter.Seq2[solvers.Iterate, error] {
			return solvers.Run(s.solver, p.objective, env)
		})
		warm, ok := s.solver.(solvers.Warm)
		if !ok || p.Risk == nil {
			continue
		}
		// the session runs at λ, and then at λ/2 with States; a session that resumes from such a State omits the run at λ
		Resumes(t, p.name+", continued at another λ", func(env solvers.Env) iter.Seq2[solvers.Iterate, error] {
			session, err := warm.Start(p.Risk, env)
			if err != nil {
				return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{}, err) }
			}
			if env.Resume == nil {
				recordOf(t, p.name, session.Run(p.Lambda), 15)
			}
			return session.Run(p.Lambda / 2)
		})
	}
}

// Resumes checks that a run can resume from its States with the same bits, as the suite checks it for its own problems.
// start returns the run for an Env.
func Resumes(t testing.TB, name string, start func(solvers.Env) iter.Seq2[solvers.Iterate, error]) {
	t.Helper()
	// A run has at most `most` yields. The test uses the States of the `first` first yields, of the `last` last yields,
	// and of one yield in each `between`.
	const most, first, last, between = 240, 2, 2, 40
	if !savable(start(env())) {
		return
	}
	want := recordOf(t, name, start(env()), most)
	states := map[int][]byte{}
	k := 0
	for it, err := range start(env()) {
		if err != nil || k >= len(want) {
			break
		}
		if it.State != nil && (k < first || k >= len(want)-last || k%between == between/2) {
			states[k] = stateOf(t, it)
		}
		if at := sameBits(want[k:k+1], []point{pointOf(it)}); at >= 0 {
			t.Errorf("%s: saving the State changes the run at yield %d", name, k)
			return
		}
		k++
	}
	for _, k := range slices.Sorted(maps.Keys(states)) {
		rest := want[k:]
		if len(rest) > between {
			rest = rest[:between]
		}
		more := len(rest)
		if k+more == len(want) && more < between && len(want) < most {
			more++ // ask for one yield too many, to check that the resumed run ends where the whole run ended
		}
		if at := sameBits(rest, recordOf(t, name, start(resuming(t, states[k])), more)); at >= 0 {
			t.Errorf("%s: a run resumed from the State of yield %d differs from the whole run %d yields later", name, k, at)
			return
		}
	}
}

// savable reports whether one of the first iterates has a State.
func savable(run iter.Seq2[solvers.Iterate, error]) bool {
	k := 0
	for it, err := range run {
		if err == nil && it.State != nil {
			return true
		}
		if k++; k == 3 {
			break
		}
	}
	return false
}

// stateOf returns the bytes that SaveState writes for the State of an iterate.
func stateOf(t testing.TB, it solvers.Iterate) []byte {
	if it.Watch != nil {
		it.Watch()
	}
	var b bytes.Buffer
	if err := solvers.SaveState(&b, it.State); err != nil {
		t.Errorf("SaveState failed: %v", err)
	}
	return b.Bytes()
}

// resuming returns the environment of a run that resumes from the saved state.
func resuming(t testing.TB, state []byte) solvers.Env {
	e := env()
	e.Resume = func(names func(*solvers.State)) (bool, error) {
		if state == nil {
			return false, nil
		}
		if err := solvers.LoadState(&io.LimitedReader{R: bytes.NewReader(state), N: int64(len(state))}, names); err != nil {
			t.Errorf("LoadState failed: %v", err)
		}
		state = nil
		return true, nil
	}
	return e
}
