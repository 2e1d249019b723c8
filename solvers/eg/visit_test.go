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

// visits returns the state of online EG at the start of a run, with nearly all mass on the true labellings.
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
		t.Errorf("%v allocations per update, want 0", n)
	}
}

// TestVisitOfStructuresAllocatesNothing checks that updates on structures allocate no memory after the first visit of
// each example, for feature maps with and without the methods of models.Gram. Steps of batch EG must allocate no memory
// either.
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
				t.Errorf("features%s: %v allocations per update, want 0", name, n)
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
			t.Errorf("%v allocations per batch step, want 0", n)
		}
	})
}

// TestSGDAllocatesNothing checks that updates and yields of SGD allocate no memory after the first four epochs.
func TestSGDAllocatesNothing(t *testing.T) {
	testbed.EachStructure(t, 30, 3, func(t *testing.T, p *models.Risk) {
		next, stop := iter.Pull2(solvers.Run(&gradient.SGD{Eta0: 0.1}, p, solvers.Env{Seed: 1}))
		defer stop()
		pull := func() {
			if _, err, ok := next(); err != nil || !ok {
				t.Fatal(err, ok)
			}
		}
		for range 4 * dualspace.YieldsPerEpoch { // by then, the largest example has been drawn
			pull()
		}
		if n := testing.AllocsPerRun(3*dualspace.YieldsPerEpoch, pull); n != 0 {
			t.Errorf("%v allocations in %d updates, want 0", n, len(p.Examples)/dualspace.YieldsPerEpoch)
		}
	})
}

// BenchmarkVisit measures the time of one update of EG, including all trials, after the first epoch. The case digits
// has data of the shape of MNIST. The case terrain has data of the shape of Covertype, with more examples than fit in
// the processor's caches.
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
