package eg

import (
	"iter"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

func visits(p *models.Risk) *egOnline {
	o := newEGOnline(newEGState(p, solvers.Env{Seed: 1}, 10, 0.5), &Solver{Order: "random", Rate: "adaptive"})
	o.tol = 1e-12
	return o
}

func TestVisitAllocatesNothing(t *testing.T) {
	o := visits(testbed.Digits(t, 2000))
	if n := testing.AllocsPerRun(5000, func() {
		o.batches.Next(&o.updates, o.updates.Done+1, o)
	}); n != 0 {
		t.Errorf("an update allocates %v times", n)
	}
}

// TestVisitOfStructuresAllocatesNothing: an update on structures allocates nothing once each example has been visited,
// whether the map is a Gram or not; nor does a step of batch EG.
func TestVisitOfStructuresAllocatesNothing(t *testing.T) {
	testbed.EachStructure(t, 30, 3, func(t *testing.T, p *models.Risk) {
		for name, p := range map[string]*models.Risk{"": p, " with norms": testbed.WithFeatures(p, testbed.NewNormOnly),
			" without norms": testbed.WithFeatures(p, testbed.NewSparseOnly)} {
			o := visits(p)
			o.updates.Order = "cyclic"
			update := func() { o.batches.Next(&o.updates, o.updates.Done+1, o) }
			for range p.Examples {
				update()
			}
			if n := testing.AllocsPerRun(2*len(p.Examples), update); n != 0 {
				t.Errorf("an update%s allocates %v times", name, n)
			}
		}
		b := newEGBatch(newEGState(p, solvers.Env{Seed: 1}, 0, 0.1), true)
		if n := testing.AllocsPerRun(3, func() {
			for i := range p.Examples {
				b.direction(b.egVisit, i)
				copy(b.step[b.Start[i]:b.Start[i+1]], b.gradient)
			}
			b.advance()
		}); n != 0 {
			t.Errorf("a batch step allocates %v times", n)
		}
	})
}

// TestSGDAllocatesNothing: SGD allocates nothing from its second epoch on, yields included.
func TestSGDAllocatesNothing(t *testing.T) {
	testbed.EachStructure(t, 30, 3, func(t *testing.T, p *models.Risk) {
		next, stop := iter.Pull2(solvers.Run(&gradient.SGD{Eta0: 0.1}, p, solvers.Env{Seed: 1}))
		defer stop()
		pull := func() {
			if _, err, ok := next(); err != nil || !ok {
				t.Fatal(err, ok)
			}
		}
		for range 4 * dualspace.YieldsPerEpoch { // the widest example is drawn
			pull()
		}
		if n := testing.AllocsPerRun(3*dualspace.YieldsPerEpoch, pull); n != 0 {
			t.Errorf("%d updates allocate %v times", len(p.Examples)/dualspace.YieldsPerEpoch, n)
		}
	})
}

// BenchmarkVisit measures one update of EG, trials included, after a first epoch: on examples of the shape of MNIST,
// and on more examples of the shape of Covertype than the caches have room for.
func BenchmarkVisit(b *testing.B) {
	for name, p := range map[string]*models.Risk{"digits": testbed.Digits(b, 2000),
		"terrain": testbed.Terrain(b, 100000)} {
		b.Run(name, func(b *testing.B) {
			o := visits(p)
			for range p.Examples {
				o.batches.Next(&o.updates, o.updates.Done+1, o)
			}
			b.ReportAllocs()
			for b.Loop() {
				o.batches.Next(&o.updates, o.updates.Done+1, o)
			}
		})
	}
}
