package simplicial

import (
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// trackingProblem returns a problem of the size of the tracking problem in the paper of Yu, Bertsekas and Rousu: 100
// sequences of length 50, with 180 parameters. The noise is chosen such that maximum likelihood has about the same loss
// as in that paper.
func trackingProblem(tb testing.TB) *models.Generative {
	return ringProblem(tb, generated.Tracking{Train: 100, Length: 50, States: 10, Observations: 7, P: 0.5, Q: 0.65,
		Seed: 7})
}

// BenchmarkRSDTracking measures the time of a run to a certified gap of 0.1%.
func BenchmarkRSDTracking(b *testing.B) {
	p := trackingProblem(b)
	for b.Loop() {
		rounds, steps := 0, 0.0
		for it := range testbed.Iterates(b, solvers.Run(New(), p, solvers.Env{Seed: 1})) {
			rounds = it.Epoch
			if primal := it.Primal(); primal-it.Dual() <= 1e-3*primal {
				it.Stats(func(name string, v float64) {
					if name == "master_steps" {
						steps = v
					}
				})
				break
			}
		}
		b.ReportMetric(float64(rounds), "rounds")
		b.ReportMetric(steps, "master-steps")
	}
}

// BenchmarkRSDRound measures the time of a round of RSD on trackingProblem. It uses rounds 100 to 200, in which the
// simplex has as many points as its limit allows.
func BenchmarkRSDRound(b *testing.B) {
	p := trackingProblem(b)
	var s *rsdState
	b.ReportAllocs()
	for b.Loop() {
		if s == nil || s.rounds == 200 {
			b.StopTimer()
			s = newRSDState(New(), p, solvers.Env{Seed: 1})
			for range 100 {
				s.round()
			}
			b.StartTimer()
		}
		s.round()
	}
}

// BenchmarkRSDMaster measures the time to solve one master problem of RSD on trackingProblem, when the simplex has as
// many points as its limit allows. Each solve starts with all weight on the first point.
func BenchmarkRSDMaster(b *testing.B) {
	s := newRSDState(New(), trackingProblem(b), solvers.Env{Seed: 1})
	for range 200 {
		s.round()
	}
	steps := 0
	b.ReportAllocs()
	for b.Loop() {
		x := s.sets.present()
		for k, p := range x.points {
			p.alpha = 0
			if k == 0 {
				p.alpha = 1
			}
		}
		before := s.master.steps
		s.master.solve(s.sets.free(), 1e-3)
		steps += s.master.steps - before
	}
	b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
}
