package simplicial

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/models"
)

// TestRSDDirectionOfSubsets checks that passes over subsets of the examples add up to the pass over all examples: their
// penalties, points and oracle calls. A pass must forget the pass before it, and penalty must not change the points.
// The test includes the perceptron loss, in which the label loss has no influence.
func TestRSDDirectionOfSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	cases := append(rsdCases(t), rsdCase{"hmm, perceptron", ringProblem(t, smallRing())})
	cases[len(cases)-1].p.Loss = models.Loss{}
	for _, c := range cases {
		n, dim := len(c.p.Examples), c.p.Dim()
		width := dim
		if c.p.Quadratic {
			width += n
		}
		theta, other := make([]float64, dim), make([]float64, dim)
		for j := range theta {
			theta[j], other[j] = rng.NormFloat64()-2, rng.NormFloat64()-2
		}
		d := newRSDDirection(c.p, 4, width)
		whole, z := make([]float64, width), make([]float64, width)
		penalty := d.find(theta, 0, n)
		omega := d.total(whole)
		if want := c.p.Primal(theta) - c.p.Term(theta); math.Abs(penalty-want) > 1e-11*(1+want) {
			t.Errorf("%s: penalty = %v, want %v as in the objective", c.name, penalty, want)
		}
		linear := omega + floats.Dot(theta, whole[:dim])
		for _, s := range whole[dim:] {
			linear -= s * s / (2 * c.p.Eta)
		}
		if math.Abs(linear-penalty) > 1e-11*(1+penalty) {
			t.Errorf("%s: the value at the point is %v, want the penalty %v", c.name, linear, penalty)
		}
		d.find(other, 0, n)
		sum := make([]float64, width)
		for _, part := range [][2]int{{0, 1}, {1, 4}, {4, n}} {
			calls := d.calls
			penalty -= d.find(theta, part[0], part[1])
			d.penalty(other, 0, n)
			omega -= d.total(z)
			floats.Add(sum, z)
			if d.calls != calls+part[1]-part[0]+n {
				t.Errorf("%s: %d calls, want %d of find and %d of penalty", c.name, d.calls-calls, part[1]-part[0], n)
			}
			ofBlocks := 0.0
			for b := range d.blocks {
				ofBlocks += d.block(b, make([]float64, width))
			}
			if all := d.total(z); math.Abs(all-ofBlocks) > 1e-12*(1+math.Abs(all)) {
				t.Errorf("%s: the blocks' points have ω = %v together, want %v as the total", c.name, ofBlocks, all)
			}
		}
		if math.Abs(penalty) > 1e-10 || math.Abs(omega) > 1e-10 || floats.Distance(sum, whole, math.Inf(1)) > 1e-10 {
			t.Errorf("%s: the results of all examples minus those of the subsets are %v, %v and %v, want 0", c.name, penalty,
				omega, floats.Distance(sum, whole, math.Inf(1)))
		}
	}
}
