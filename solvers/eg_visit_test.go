package solvers

import (
	"iter"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
)

// digits is a problem of the shape of MNIST.
func digits(t testing.TB, n int) *models.Risk {
	t.Helper()
	return build(t, multiclass.Model{}, generated.Digits{Train: n, Seed: 1}).Risk(models.LogLoss(), 10/float64(n))
}

func visits(p *models.Risk) *egOnline {
	return newEGOnline(newEGState(p, Env{Seed: 1}, 10, 0.5), &EG{Order: "random", Rate: "adaptive"})
}

// An update of EG allocates nothing.
func TestVisitAllocatesNothing(t *testing.T) {
	o := visits(digits(t, 2000))
	if n := testing.AllocsPerRun(5000, func() {
		o.update(o.updates.next(), 1e-12)
	}); n != 0 {
		t.Errorf("an update allocates %v times", n)
	}
}

// Nor does one on structures, be the map a Gram or not, once each example has been visited; nor a step of batch EG.
func TestVisitOfStructuresAllocatesNothing(t *testing.T) {
	eachStructure(t, 30, 3, func(t *testing.T, p *models.Risk) {
		for name, p := range map[string]*models.Risk{"": p, " with norms": withFeatures(p, newNormOnly),
			" without norms": withFeatures(p, newSparseOnly)} {
			o := visits(p)
			i := 0
			update := func() {
				o.update(i%len(p.Examples), 1e-12)
				i++
			}
			for range p.Examples {
				update()
			}
			if n := testing.AllocsPerRun(2*len(p.Examples), update); n != 0 {
				t.Errorf("an update%s allocates %v times", name, n)
			}
		}
		b := newEGBatch(newEGState(p, Env{Seed: 1}, 0, 0.1), true)
		if n := testing.AllocsPerRun(3, func() {
			for i := range p.Examples {
				b.direction(i)
				copy(b.step[b.start[i]:b.start[i+1]], b.gradient)
			}
			b.advance()
		}); n != 0 {
			t.Errorf("a batch step allocates %v times", n)
		}
	})
}

// SGD allocates nothing from its second epoch on, yields included.
func TestSGDAllocatesNothing(t *testing.T) {
	eachStructure(t, 30, 3, func(t *testing.T, p *models.Risk) {
		next, stop := iter.Pull2(Run(&SGD{Eta0: 0.1}, p, Env{Seed: 1}))
		defer stop()
		pull := func() {
			if _, err, ok := next(); err != nil || !ok {
				t.Fatal(err, ok)
			}
		}
		for range 4 * yieldsPerEpoch { // the widest example is drawn
			pull()
		}
		if n := testing.AllocsPerRun(3*yieldsPerEpoch, pull); n != 0 {
			t.Errorf("%d updates allocate %v times", len(p.Examples)/yieldsPerEpoch, n)
		}
	})
}

// BenchmarkVisit is one update of EG on an example of the shape of MNIST, trials included.
func BenchmarkVisit(b *testing.B) {
	o := visits(digits(b, 2000))
	b.ReportAllocs()
	for b.Loop() {
		o.update(o.updates.next(), 1e-12)
	}
}
