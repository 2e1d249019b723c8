package gradient

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// recorder stores the accepted points of gonum's optimizer.
type recorder struct{ points [][]float64 }

func (*recorder) Init() error { return nil }

func (r *recorder) Record(at *optimize.Location, op optimize.Operation, _ *optimize.Stats) error {
	if op == optimize.MajorIteration {
		r.points = append(r.points, slices.Clone(at.X))
	}
	return nil
}

// TestLBFGSIsGonums checks that a run has the same iterates as gonum's L-BFGS with the same line search, for several
// numbers of stored pairs, and that the dual is the bound at w.
func TestLBFGSIsGonums(t *testing.T) {
	for name, p := range smoothProblems(t, 40) {
		p := p.At(1e-3)
		other := map[int]int{}
		for _, memory := range []int{1, 2, 8} {
			var r recorder
			problem := optimize.Problem{
				Func: func(w []float64) float64 { return p.Gradient(make([]float64, p.Dim), w) },
				Grad: func(g, w []float64) { p.Gradient(g, w) },
			}
			_, err := optimize.Minimize(problem, make([]float64, p.Dim), &optimize.Settings{Recorder: &r, MajorIterations: 20,
				GradientThreshold: math.NaN(), Converger: optimize.NeverTerminate{}},
				&optimize.LBFGS{Store: memory, Linesearcher: &optimize.MoreThuente{DecreaseFactor: 1e-3, CurvatureFactor: 0.9}})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.points) < 15 {
				t.Fatalf("%s: gonum has only %d iterates", name, len(r.points))
			}
			k := -1
			for it := range testbed.Iterates(t, (&LBFGS{Memory: memory}).Train(p, solvers.Env{Seed: 1})) {
				if it.Epoch == 14 {
					break
				}
				if k++; it.Epoch != k {
					t.Fatalf("%s, memory %d: epoch %d at yield %d, want the number of the yield", name, memory, it.Epoch, k)
				}
				if k == 0 {
					continue
				}
				want := r.points[k-1]
				if d := floats.Distance(it.W, want, 2); d > 1e-6*(1+floats.Norm(want, 2)) {
					t.Fatalf("%s, memory %d, epoch %d: distance from gonum's iterate = %v, want 0", name, memory, k, d)
				}
				if bound := p.Bound(it.W); math.Abs(it.Dual()-bound) > 1e-10*(1+math.Abs(bound)) {
					t.Fatalf("%s, memory %d, epoch %d: dual = %v, want %v", name, memory, k, it.Dual(), bound)
				}
			}
			other[int(1e9*floats.Norm(r.points[12], 2))]++
		}
		if len(other) < 3 {
			t.Errorf("%s: the iterates do not depend on the memory", name)
		}
	}
}

// TestLBFGSOverflow checks that a run ends with an error if the square of the gradient's norm is too large for a float.
func TestLBFGSOverflow(t *testing.T) {
	rows := testbed.OverlappingClasses(6, 3, 3)
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(models.LogLoss(), 1).(*models.Risk)
	for k := range rows.X.Value { // the features share the memory of the rows; the model would refuse such rows
		rows.X.Value[k] *= 1e200
	}
	var last error
	yields := 0
	for _, err := range solvers.Run(NewLBFGS(), p, solvers.Env{Seed: 1}) {
		last = err
		yields++
	}
	if last == nil || errors.Is(last, solvers.ErrUnsupported) || !strings.Contains(last.Error(), "scale the features") ||
		yields != 3 {
		t.Errorf("error = %v at yield %d, want one that contains %q at yield 3", last, yields, "scale the features")
	}
}
