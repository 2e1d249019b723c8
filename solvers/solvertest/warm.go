package solvertest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// checkWarm runs one session at several λ, first decreasing, then increasing. Each run at one λ is a stage. A stage
// must start at the w that the dual variables of the previous stage define. Its dual must not exceed the optimum for
// its λ. Two stages must also converge to their optima.
func (s *suite) checkWarm(t testing.TB, all []*problem) {
	warm, ok := s.solver.(solvers.Warm)
	if !ok {
		return
	}
	for _, p := range typical(all) {
		if p.Risk == nil {
			continue
		}
		stages, lambda := siblings(p, all), p.Lambda
		session, err := warm.Start(p.Risk, env())
		if err != nil {
			t.Errorf("%s: Start failed: %v", p.name, err)
			continue
		}
		var end []float64 // λ·W at the end of the previous stage (the run at the previous λ)
		epoch := 0
		for _, q := range stages {
			name := fmt.Sprintf("%s, continued at λ = %g", p.name, q.Lambda)
			points, err := record(session.Run(q.Lambda), 25)
			if err != nil || len(points) == 0 {
				t.Errorf("%s: the session made %d yields and returned the error %v: want some yields and no error", name,
					len(points), err)
				break
			}
			first, last := points[0], points[len(points)-1]
			if first.epoch < epoch {
				t.Errorf("%s: the stage begins at epoch %d after epoch %d: want one count for the whole session", name,
					first.epoch, epoch)
			}
			if at := movedFrom(end, first.w, q.Lambda); at >= 0 {
				t.Errorf("%s: λ·W[%d] = %v at the first yield, want %v, since λ·W depends on the dual variables only", name, at,
					q.Lambda*first.w[at], end[at])
			}
			for _, x := range points {
				if value := q.Primal(x.w); x.dual > value+q.slop() || x.dual > q.high+q.slop() {
					t.Errorf("%s: dual = %v is no lower bound: primal = %v, optimum = %v", name, x.dual, value, q.high)
					break
				}
			}
			end, epoch = scaled(last.w, q.Lambda), last.epoch
		}
		// After all stages, the session must still find the optimum at the λ of each of these two problems.
		for _, q := range []*problem{stages[1], p} {
			budget := *s
			budget.epochs += epoch
			budget.converges(t, q, fmt.Sprintf("%s, continued to the end at λ = %g", p.name, q.Lambda), session.Run(q.Lambda))
		}
		if p.Lambda != lambda {
			t.Errorf("%s: the session changed Risk.Lambda to %v", p.name, p.Lambda)
		}
	}
}

// siblings returns the stages of checkWarm: p itself, then the problems that differ from p in λ only, by decreasing λ,
// and then back to p.
func siblings(p *problem, all []*problem) []*problem {
	out := []*problem{p}
	for _, q := range all {
		if q.data == p.data && q.Loss == p.Loss && q != p && q.Lambda >= 0.01 && q.Lambda <= 1 {
			out = append(out, q)
		}
	}
	slices.SortStableFunc(out[1:], func(a, b *problem) int {
		switch {
		case a.Lambda > b.Lambda:
			return -1
		case a.Lambda < b.Lambda:
			return 1
		}
		return 0
	})
	return append(out, p)
}

// scaled returns a new vector c·w.
func scaled(w []float64, c float64) []float64 {
	out := slices.Clone(w)
	for j := range out {
		out[j] *= c
	}
	return out
}

// movedFrom returns the first index where λ·w differs from was, its earlier value, by more than rounding errors. It
// returns −1 if there is no such index.
func movedFrom(was, w []float64, lambda float64) int {
	for j := range was {
		if math.Abs(lambda*w[j]-was[j]) > 1e-12*(1+math.Abs(was[j])) {
			return j
		}
	}
	return -1
}
