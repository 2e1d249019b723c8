package eg

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/real"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// BenchmarkEpochOfStructures measures one epoch of EG an operation, on one core, for each structured model with
// generated data and, where GAPLAB_DATA has them, real ones. The shares of its time are
//
//	features    θ = A w; |Aᵀv|² or Aᵀv; w ← w + c Aᵀv
//	inference   marginals of the trial scores
//	update      loops over parts: directions, trial scores, dual terms, differences
//
// and parts/s counts the part scores of the visits. A visit reads and writes scores and marginals that are not in the
// cache, 32 bytes a part: BenchmarkCopy tells how many of these the memory could carry.
func BenchmarkEpochOfStructures(b *testing.B) {
	list := []func() testbed.Structured{}
	for _, s := range testbed.Structures(b, 1000) {
		list = append(list, func() testbed.Structured { return s })
	}
	for _, s := range append(list, realStructures(b)...) {
		s := s()
		for _, name := range s.Losses {
			loss, _ := models.LossNamed(name)
			b.Run(s.Name+"/"+name, func(b *testing.B) {
				benchmarkVisits(b, s.Task.Objective(loss, 1/float64(len(s.Task.Train))).(*models.Risk))
			})
		}
	}
}

// BenchmarkCopy copies 64 MB, more than caches hold. Bytes are those that are read and those that are written.
func BenchmarkCopy(b *testing.B) {
	from, to := make([]float64, 8<<20), make([]float64, 8<<20)
	b.SetBytes(16 * int64(len(from)))
	for b.Loop() {
		copy(to, from)
	}
}

// clocks sum up the time of calls: two readings of the clock each, which is little beside a call.
type clocks struct{ features, inference time.Duration }

func (c *clocks) since(sum *time.Duration, start time.Time) { *sum += time.Since(start) }

// timedMap passes on a Gram, so that it may stand for one only.
type timedMap struct {
	models.SparseMap
	*clocks
}

func (f timedMap) Score(theta, w []float64) {
	defer f.since(&f.features, time.Now())
	f.SparseMap.Score(theta, w)
}

func (f timedMap) AddAdjoint(w []float64, c float64, mu []float64) {
	defer f.since(&f.features, time.Now())
	f.SparseMap.AddAdjoint(w, c, mu)
}

func (f timedMap) Adjoint(dst *models.Sparse, mu []float64) {
	defer f.since(&f.features, time.Now())
	f.SparseMap.Adjoint(dst, mu)
}

type timedGram struct{ timedMap }

func (f timedGram) NormSq(v []float64) float64 {
	defer f.since(&f.features, time.Now())
	return f.SparseMap.(models.Gram).NormSq(v)
}

type timedExp struct {
	models.ExpOracle
	*clocks
	parts int // of all calls
}

func (o *timedExp) LogSum(mu, theta []float64) float64 {
	defer o.since(&o.inference, time.Now())
	o.parts += len(theta)
	return o.ExpOracle.LogSum(mu, theta)
}

func benchmarkVisits(b *testing.B, p *models.Risk) {
	q, c := *p, &clocks{}
	q.Examples = slices.Clone(p.Examples)
	timed := make([]timedExp, len(q.Examples))
	for i := range q.Examples {
		e := &q.Examples[i]
		timed[i] = timedExp{ExpOracle: e.Exp, clocks: c}
		e.Exp = &timed[i]
		f := timedMap{e.Features.(models.SparseMap), c}
		if _, ok := e.Features.(models.Gram); ok {
			e.Features = timedGram{f}
		} else {
			e.Features = f
		}
	}
	o := newEGOnline(newEGState(&q, solvers.Env{Seed: 1}, 0, 0.5), &Solver{Order: "random", Rate: "adaptive"})
	tol := egTol
	epoch := func() {
		for range q.Examples {
			o.next(tol)
		}
	}
	epoch() // rates that are too large
	visits := o.visits
	*c = clocks{}
	for i := range timed {
		timed[i].parts = 0
	}
	b.ReportAllocs()
	for b.Loop() {
		epoch()
	}
	parts := 0
	for i := range timed {
		parts += timed[i].parts
	}
	seconds := b.Elapsed().Seconds()
	b.ReportMetric(float64(parts)/seconds, "parts/s")
	b.ReportMetric(1e6*seconds/float64(o.visits-visits), "µs/visit")
	b.ReportMetric(100*c.features.Seconds()/seconds, "%features")
	b.ReportMetric(100*c.inference.Seconds()/seconds, "%inference")
	b.ReportMetric(100-100*(c.features+c.inference).Seconds()/seconds, "%update")
}

// realStructures returns the tasks of real data, made when they are called for: none without GAPLAB_DATA.
func realStructures(b *testing.B) (out []func() testbed.Structured) {
	b.Helper()
	dir := os.Getenv("GAPLAB_DATA")
	if dir == "" {
		return nil
	}
	for _, s := range []struct {
		name  string
		model models.Builder
		data  datasets.Loader
	}{
		{"cast3lb", deptree.Model{Cutoff: 3, Between: "count", Roots: "single"},
			real.CAST3LB{Split: "eg", Projective: true}},
		{"conll2000", chain.Model{Edges: "tied", Label: "pos", Cutoff: 1}, real.CoNLL2000{Train: 8936}},
		{"ocr-letters", chain.Model{Edges: "tied"}, real.OCRLetters{TrainOn: "others"}},
	} {
		out = append(out, func() testbed.Structured {
			set, err := s.data.Load(context.Background(), datasets.Source{Data: dir, Offline: true})
			if err != nil {
				b.Log(err) // the folder does not have it
				return testbed.Structured{}
			}
			task, err := s.model.Build(set.Train, nil)
			if err != nil {
				b.Fatal(err)
			}
			return testbed.Structured{Name: s.name, Task: task, Losses: []string{"log"}}
		})
	}
	return out
}
