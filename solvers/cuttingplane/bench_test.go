package cuttingplane

import (
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// BenchmarkSeparation measures the time of the loops over examples of the 1-slack method, for each model with one and
// with two workers:
//
//	oracle   computes the most violated labelling of every example, and the constraint of these labellings
//	cache    computes the constraint from the best of five cached labellings, without an oracle call
//
// Compare ns/example. The reported memory per operation is the memory that the workers allocate, divided by the number
// of operations.
func BenchmarkSeparation(b *testing.B) {
	const n = 500
	for _, c := range []struct {
		name string
		task *models.Task
	}{
		{"multiclass", testbed.Build(b, multiclass.Model{LossScale: 1}, generated.Digits{Train: 2000, Seed: 1})},
		{"chain", testbed.Build(b, chain.Model{Edges: "tied"}, generated.Words{Train: n, MaxLetters: 8, Seed: 1})},
		{"cfg", testbed.Build(b, cfg.Model{LossScale: 1, Forests: 64},
			generated.GrammarTrees{Train: n, MaxWords: 12, Seed: 1})},
	} {
		p := c.task.Objective(models.Hinge(), 1e-3).(*models.Risk)
		for _, workers := range []int{1, 2} {
			s := newSeparation(p.Parallel(workers), 5)
			w := someWeights(b, p, s)
			for _, loop := range []struct {
				name string
				run  func() float64
			}{
				{"oracle", func() float64 { return s.call(w, 0) }},
				{"cache", func() float64 { return s.best(w, 0) }},
			} {
				b.Run(fmt.Sprintf("%s/%s/workers=%d", c.name, loop.name, workers), func(b *testing.B) {
					loop.run()
					b.ReportAllocs()
					for b.Loop() {
						if loop.run() <= 0 {
							b.Fatal("no constraint is violated")
						}
						s.constraint()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Examples)), "ns/example")
				})
			}
		}
	}
}

// someWeights returns the weights of an early iterate of the 1-slack method. It also puts several labellings of each
// example into the cache of s.
func someWeights(b *testing.B, p *models.Risk, s *separation) []float64 {
	b.Helper()
	w := make([]float64, p.Dim)
	o := &OneSlack{CacheRule: "svmstruct", Step: "qp"}
	for it := range testbed.Iterates(b, solvers.Run(o, p, solvers.Env{Seed: 1})) {
		copy(w, it.W)
		s.call(w, 0)
		if it.Epoch == 6 {
			break
		}
	}
	return w
}

// BenchmarkNSlackPass measures the time of one pass of the n-slack method at an early iterate, without the QPs. Package
// qp has benchmarks of the QPs.
func BenchmarkNSlackPass(b *testing.B) {
	p := testbed.Build(b, multiclass.Model{LossScale: 1}, generated.Digits{Train: 2000, Seed: 1}).Objective(models.Hinge(),
		1e-3).(*models.Risk)
	st := newNSlackState(&NSlack{Epsilon: 0.1, Precision: "fixed", QP: "coordinate", Batch: 1 << 30}, p,
		solvers.Env{Seed: 1})
	for i := range p.Examples {
		st.separate(i)
	}
	st.solve()
	st.precision = 1e9 // with this precision, no constraint is added
	b.ReportAllocs()
	for b.Loop() {
		for i := range p.Examples {
			st.separate(i)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(p.Examples)), "ns/example")
}
