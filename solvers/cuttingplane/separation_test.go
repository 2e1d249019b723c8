package cuttingplane

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// slowSeparation is a second, slow implementation of separation. It stores its own caches and chosen labellings.
type slowSeparation struct {
	p       *models.Risk
	size    int
	kept    [][]labelling
	chosen  []labelling
	largest float64
	widest  float64
}

// violation returns the violation of labelling l of example i at w.
func (s *slowSeparation) violation(i int, l labelling, w []float64) float64 {
	return s.p.Loss.Violation(l.loss, floats.Dot(testbed.Difference(s.p.Dim, &s.p.Examples[i], l.y), w))
}

// use puts a labelling at the front of a cache, where it may already be, and chooses it.
func (s *slowSeparation) use(i int, l labelling) {
	s.chosen[i] = l
	list := slices.DeleteFunc(s.kept[i], func(k labelling) bool { return k.y.Equal(l.y) })
	s.kept[i] = slices.Insert(list, 0, l)
	s.kept[i] = s.kept[i][:min(s.size, len(s.kept[i]))]
}

// round chooses the labellings at w and returns the mean violation. With oracle = true, it does what separation.call
// does, and limit is the argument beats. Otherwise it does what separation.best does, and limit is the argument least.
func (s *slowSeparation) round(w []float64, oracle bool, limit float64) (mean float64) {
	for i := range s.p.Examples {
		e := &s.p.Examples[i]
		s.chosen[i] = labelling{}
		var at labelling
		best := 0.0
		for _, l := range s.kept[i] {
			if v := s.violation(i, l, w); v > best {
				at, best = l, v
			}
		}
		if !oracle {
			if best > limit {
				s.use(i, at)
				mean += best
			}
			continue
		}
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		y, loss, margin := s.p.Loss.Violated(nil, e, theta)
		v := s.p.Loss.Violation(loss, margin)
		switch {
		case v <= 0:
			continue
		case at.y == nil || v > best+limit:
			at, best = labelling{y, loss}, v
		}
		s.use(i, at)
		mean += best
	}
	for i, l := range s.chosen {
		if l.y != nil {
			psi := testbed.Difference(s.p.Dim, &s.p.Examples[i], l.y)
			s.largest, s.widest = max(s.largest, l.loss), max(s.widest, floats.Dot(psi, psi))
		}
	}
	return mean / float64(len(s.p.Examples))
}

// constraint returns g and d of the chosen labellings.
func (s *slowSeparation) constraint() (g []float64, d float64) {
	g = make([]float64, s.p.Dim)
	n := float64(len(s.p.Examples))
	for i, l := range s.chosen {
		if l.y == nil {
			continue
		}
		a := 1.0
		if s.p.Loss.Slack {
			a = l.loss
		}
		floats.AddScaled(g, a/n, testbed.Difference(s.p.Dim, &s.p.Examples[i], l.y))
		d += l.loss / n
	}
	return g, d
}

// plainMap is a feature map without optional methods.
type plainMap struct{ models.FeatureMap }

// TestSeparation compares many rounds of separation with a second implementation: the violation, the chosen and the
// cached labellings, the constraint, and the largest label loss and norm. It tests margin and slack rescaling, several
// sizes of the cache, feature maps with and without sparse features and norms, more examples than blocks, more features
// than are added at a time, and rounds after which no constraint is computed.
func TestSeparation(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test compares hundreds of rounds")
	}
	many := testbed.TaskOf(t, multiclass.Model{LossScale: 3}, testbed.OverlappingClasses(150, 3, 4))
	words := testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3, 1, 3, 2, 4, 2, 3))
	for name, task := range map[string]*models.Task{"classes": many, "chains": words} {
		for lossName, loss := range map[string]models.Loss{"margin": models.Hinge(), "slack": models.Slack(),
			"double margin": {Margin: 2}} {
			p := task.Objective(loss, 0.1).(*models.Risk)
			plain := testbed.WithFeatures(p, func(f models.SparseMap) models.FeatureMap { return plainMap{f} })
			for kind, p := range map[string]*models.Risk{"sparse": p, "norms": testbed.WithFeatures(p, testbed.NewNormOnly),
				"plain": plain} {
				for size := range 3 {
					t.Run(fmt.Sprint(name, "/", lossName, "/", kind, "/", size), func(t *testing.T) {
						checkSeparation(t, newSeparation(p.Parallel(2), size))
					})
				}
			}
		}
	}
	wide := testbed.TaskOf(t, multiclass.Model{LossScale: 2},
		testbed.OverlappingClasses(3, separationBlocks*separationChunk/4+500, 4))
	s := newSeparation(wide.Objective(models.Hinge(), 0.1).(*models.Risk), 1)
	s.blocks = s.blocks[:2]
	checkSeparation(t, s)
}

func checkSeparation(t *testing.T, fast *separation) {
	t.Helper()
	rng := rand.New(rand.NewPCG(28, 11))
	p := fast.p
	slow := &slowSeparation{p: p, size: fast.size, kept: make([][]labelling, len(p.Examples)),
		chosen: make([]labelling, len(p.Examples))}
	same := func(a, b labelling) bool {
		return (a.y == nil) == (b.y == nil) && a.y.Equal(b.y) && math.Abs(a.loss-b.loss) < 1e-12
	}
	w, centre := make([]float64, p.Dim), testbed.Gaussian(rng, p.Dim)
	for round := range 14 {
		for j := range w {
			w[j] = []float64{1, 0.1, 3}[round%3] * (centre[j] + rng.NormFloat64())
		}
		var got, want float64
		switch limit := []float64{1e-9, 0.5}[round%2]; {
		case round%4 == 3:
			got, want = fast.best(w, limit), slow.round(w, false, limit)
		default:
			got, want = fast.call(w, limit), slow.round(w, true, limit)
		}
		if math.Abs(got-want) > 1e-9*(1+want) {
			t.Fatalf("round %d: violation = %v, want %v", round, got, want)
		}
		for i := range p.Examples {
			if !same(fast.chosen[i], slow.chosen[i]) || !slices.EqualFunc(fast.kept[i], slow.kept[i], same) {
				t.Fatalf("round %d, example %d: chosen = %v, cached = %v; want %v and %v", round, i, fast.chosen[i], fast.kept[i],
					slow.chosen[i], slow.kept[i])
			}
		}
		fast.watch()
		if _, plain := p.Examples[0].Features.(plainMap); plain && !math.IsNaN(fast.widest) && slow.widest > 0 ||
			!plain && math.Abs(fast.widest-slow.widest) > 1e-9*slow.widest || math.Abs(fast.largest-slow.largest) > 1e-12 {
			t.Fatalf("round %d: widest = %v and largest = %v, want %v (or NaN without norms) and %v", round, fast.widest,
				fast.largest, slow.widest, slow.largest)
		}
		if round%5 == 2 {
			continue // as in an iteration that does not add its constraint
		}
		g, d := fast.constraint()
		wantG, wantD := slow.constraint()
		if math.Abs(d-wantD) > 1e-12*(1+wantD) || !floats.EqualApprox(g, wantG, 1e-9) {
			t.Fatalf("round %d: the constraint has d = %v, want %v; its g differs by %v", round, d, wantD,
				floats.Distance(g, wantG, math.Inf(1)))
		}
	}
}

// TestSeparationBlocks checks the number of blocks: 64, or as many as have 16 million floats together, but at least 2.
func TestSeparationBlocks(t *testing.T) {
	for dim, want := range map[int]int{0: 64, 1: 64, 1 << 18: 64, 1<<18 + 1: 63, 1 << 19: 32, 1 << 23: 2, 1 << 24: 2,
		1 << 30: 2} {
		if got := len(newSeparation(&models.Risk{Weights: models.Weights{Dim: dim}}, 0).blocks); got != want {
			t.Errorf("%d features: %d blocks, want %d", dim, got, want)
		}
	}
}

// TestSingles checks that there is a shared labelling for each part of the largest example, if all true labellings have
// one part.
func TestSingles(t *testing.T) {
	three := testbed.TaskOf(t, multiclass.Model{}, testbed.OverlappingClasses(4, 3, 3)).Train[:2]
	four := testbed.TaskOf(t, multiclass.Model{}, testbed.OverlappingClasses(4, 3, 4)).Train[:2]
	words := testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 2, 3)).Train
	for _, c := range []struct {
		examples []models.Example
		want     int
	}{{slices.Concat(three, four), 4}, {slices.Concat(four, three), 4}, {slices.Concat(three, four, three), 4},
		{slices.Concat(three, words), 0}, {slices.Concat(words, three), 0}} {
		got := singles(&models.Risk{Examples: c.examples})
		for r, y := range got {
			if !y.Equal(models.Vertex{r}) {
				t.Errorf("labelling %d = %v, want part %d", r, y, r)
			}
		}
		if len(got) != c.want {
			t.Errorf("%d labellings, want %d", len(got), c.want)
		}
	}
}
