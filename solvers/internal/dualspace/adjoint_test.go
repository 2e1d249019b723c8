package dualspace_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestAdjoint compares all methods of Adjoint and Features with products of dense vectors, for the feature maps of all
// structured models and of classes, also without their optional methods.
func TestAdjoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 2811))
	bilinear := 0
	check := func(t *testing.T, p *models.Risk) {
		for i := range p.Examples {
			f := p.Examples[i].Features
			if _, ok := f.(models.Bilinear); ok {
				bilinear++
			}
			for range 2 { // the second turn begins with other contents
				v, w := testbed.Gaussian(rng, f.Parts()), testbed.Gaussian(rng, p.Dim)
				scores, column := make([]float64, len(v)), make([]float64, p.Dim)
				f.Score(scores, w)
				f.AddAdjoint(column, 1, v)
				theta := testbed.Gaussian(rng, len(v))
				var a, b dualspace.Adjoint
				stored := dualspace.NewFeatures(f)
				same(t, "NormSq", a.NormSq(f, v), floats.Dot(column, column))
				same(t, "NormSq of Features", stored.NormSq(&b, v), floats.Dot(column, column))
				same(t, "Product", a.Product(f, v, w, theta), floats.Dot(scores, v))
				same(t, "Product of Features", stored.Product(&b, v, w, theta), floats.Dot(scores, v))
				got, other, want := append([]float64{}, w...), append([]float64{}, w...), append([]float64{}, w...)
				a.AddTo(got, -0.5, f, v)
				stored.AddTo(&b, other, -0.5, v)
				floats.AddScaled(want, -0.5, column)
				same(t, "AddTo", floats.Distance(got, want, 2), 0)
				same(t, "AddTo of Features", floats.Distance(other, want, 2), 0)
			}
		}
	}
	all := func(t *testing.T, p *models.Risk) {
		check(t, p)
		check(t, testbed.WithFeatures(p, testbed.NewNormOnly))
		check(t, testbed.WithFeatures(p, testbed.NewSparseOnly))
	}
	testbed.EachStructure(t, 3, 1, all)
	task := testbed.TaskOf(t, multiclass.Model{}, testbed.OverlappingClasses(3, 4, 3))
	t.Run("classes", func(t *testing.T) { check(t, task.Objective(models.LogLoss(), 1).(*models.Risk)) })
	if bilinear == 0 {
		t.Error("no feature map is a models.Bilinear")
	}
}

func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-10*(1+math.Abs(want))) {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
}
