package dualspace_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// plainMap is a feature map without optional methods.
type plainMap struct{ models.FeatureMap }

// uneven is a feature map of classes with one weight vector each: the features of the classes have different norms.
type uneven struct {
	models.FeatureMap
	dim int
}

func (u uneven) AddAdjoint(w []float64, c float64, mu []float64) {
	scaled := slices.Clone(mu)
	for r := range scaled {
		scaled[r] *= []float64{1, 3, 2}[r%3]
	}
	u.FeatureMap.AddAdjoint(w, c, scaled)
}

func (u uneven) NormSq(v []float64) float64 {
	column := make([]float64, u.dim)
	u.AddAdjoint(column, 1, v)
	return floats.Dot(column, column)
}

// radiusOf returns the bound of RadiusSq for one example by its definition, and the largest |ψ(y)|² of some
// labellings.
func radiusOf(dim int, e *models.Example, some []models.Vertex) (bound, exact float64) {
	norm := func(y models.Vertex) (sq float64, negative bool) {
		v, column := make([]float64, e.Features.Parts()), make([]float64, dim)
		for _, r := range y {
			v[r]++
		}
		e.Features.AddAdjoint(column, 1, v)
		return floats.Dot(column, column), floats.Min(column) < 0
	}
	for _, y := range some {
		psi := testbed.Difference(dim, e, y)
		exact = max(exact, floats.Dot(psi, psi))
	}
	most := func(theta []float64) float64 {
		y, _ := e.Max.Max(nil, theta)
		return y.Dot(theta)
	}
	theta := make([]float64, e.Features.Parts())
	switch f := e.Features.(type) {
	case models.Bounded:
		return f.RadiusSq(e.Truth), exact
	case models.Majorant:
		constant := f.Majorise(theta, e.Truth)
		return constant + most(theta), exact
	case plainMap:
		return math.NaN(), exact
	}
	if len(e.Truth) == 1 {
		return exact, exact
	}
	_, positive := e.Features.(models.SparseMap)
	for r := range theta {
		sq, negative := norm(models.Vertex{r})
		theta[r] = math.Sqrt(sq)
		positive = positive && !negative
	}
	own, _ := norm(e.Truth)
	if s := most(theta); positive {
		return own + s*s, exact
	} else {
		return (math.Sqrt(own) + s) * (math.Sqrt(own) + s), exact
	}
}

// labellings returns all labellings of an example with one part, or 20 labellings with the largest random scores.
func labellings(rng *rand.Rand, e *models.Example) (out []models.Vertex) {
	for k := range max(20, e.Features.Parts()) {
		y := models.Vertex{k}
		if len(e.Truth) != 1 {
			y, _ = e.Max.Max(nil, testbed.Gaussian(rng, e.Features.Parts()))
		} else if k >= e.Features.Parts() {
			break
		}
		out = append(out, y)
	}
	return out
}

// TestRadius compares RadiusSq with its definition, for all structured models and classes, also without their optional
// methods. Each example is once alone, and each class is once among many. The bound must hold for all labellings.
func TestRadius(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 12))
	kinds := map[string]int{}
	check := func(t *testing.T, p *models.Risk) {
		if p.Loss.Temp == 0 {
			return // the loss does not matter
		}
		for name, q := range map[string]*models.Risk{"all": p, "norms": testbed.WithFeatures(p, testbed.NewNormOnly),
			"uneven": testbed.WithFeatures(p, func(f models.SparseMap) models.FeatureMap { return uneven{f, p.Dim} }),
			"sparse": testbed.WithFeatures(p, testbed.NewSparseOnly),
			"plain":  testbed.WithFeatures(p, func(f models.SparseMap) models.FeatureMap { return plainMap{f} })} {
			most := 0.0
			for i := range q.Examples {
				e := &q.Examples[i]
				want, exact := radiusOf(q.Dim, e, labellings(rng, e))
				one := *q
				one.Examples = q.Examples[i : i+1]
				got := dualspace.RadiusSq(&one)
				if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > 1e-9*want || got < exact*(1-1e-12) {
					t.Errorf("%s, example %d: RadiusSq = %v, want %v, at least %v", name, i, got, want, exact)
				}
				most = max(most, want)
				kinds[fmt.Sprint(name, " ", got > exact*(1+1e-9))]++
			}
			for range 2 {
				if len(q.Examples[0].Truth) > 1 {
					break // to save time
				}
				many := *q
				many.Examples = slices.Repeat(q.Examples[:1], 130)
				many.Examples = append(many.Examples, q.Examples...)
				slices.Reverse(q.Examples)
				if got := dualspace.RadiusSq(&many); math.IsNaN(most) != math.IsNaN(got) || math.Abs(got-most) > 1e-9*most {
					t.Errorf("%s: RadiusSq of many examples = %v, want the largest, %v", name, got, most)
				}
			}
		}
	}
	testbed.EachStructure(t, 1, 1, check)
	task := testbed.TaskOf(t, multiclass.Model{}, testbed.OverlappingClasses(3, 4, 3))
	t.Run("classes", func(t *testing.T) { check(t, task.Objective(models.LogLoss(), 1).(*models.Risk)) })
	if kinds["sparse false"] == 0 || kinds["sparse true"] == 0 || kinds["norms true"] == 0 || kinds["plain false"] == 0 {
		t.Errorf("bounds that are exact (false) or larger: %v, want both for sparse features", kinds)
	}
}

// TestLayout checks where a layout places the parts of each example, its working memory, the weights of marginals, and
// the indicators of labellings, in a second use too.
func TestLayout(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 13))
	testbed.EachStructure(t, 2, 1, func(t *testing.T, p *models.Risk) {
		l := dualspace.NewLayout(p)
		all, largest, at := l.Zeros(), 0, 0
		for i := range p.Examples {
			parts := p.Examples[i].Features.Parts()
			if own := l.Of(all, i); len(own) != parts || &own[0] != &all[at] {
				t.Fatalf("example %d has %d numbers from %d on, want %d from %d on", i, len(own), l.Start[i], parts, at)
			}
			largest, at = max(largest, parts), at+parts
		}
		var a, b []float64
		l.Scratch(&a, &b)
		if l.Largest != largest || len(all) != at || len(a) != largest || len(b) != largest || cap(a) != largest ||
			&a[0] == &b[0] {
			t.Errorf("Largest = %d, %d numbers, working memory of %d and %d; want %d, %d, and twice %d", l.Largest, len(all),
				len(a), len(b), largest, at, largest)
		}
		w, x := testbed.Gaussian(rng, p.Dim), dualspace.Difference{}
		for range 2 {
			mu, want := testbed.Gaussian(rng, at), make([]float64, p.Dim)
			l.Weights(w, 0.3, p, mu, a)
			for i := range p.Examples {
				e := &p.Examples[i]
				v := make([]float64, e.Features.Parts())
				for r := range v {
					v[r] -= l.Of(mu, i)[r]
				}
				floats.AddScaled(want, 1/(0.3*float64(p.N())), testbed.Difference(p.Dim, e, nil))
				e.Features.AddAdjoint(want, 1/(0.3*float64(p.N())), v)
				y, _ := e.Max.Max(nil, testbed.Gaussian(rng, len(v)))
				clear(v)
				for _, r := range e.Truth {
					v[r]++
				}
				for _, r := range y {
					v[r]--
				}
				if got := x.Indicators(e, y); !slices.Equal(got, v) {
					t.Errorf("example %d: Indicators = %v, want %v", i, got, v)
				}
			}
			if !floats.EqualApprox(w, want, 1e-9) {
				t.Errorf("Weights = %v, want %v", w, want)
			}
		}
	})
}
