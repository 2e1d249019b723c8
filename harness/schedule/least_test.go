package schedule

import (
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// dense is the feature map of a row of three non-zero numbers for two classes.
type dense struct{}

func (dense) Parts() int                                     { return 2 }
func (dense) Score(theta, w []float64)                       {}
func (dense) AddAdjoint(w []float64, c float64, _ []float64) { w[0], w[1] = w[0]+c, w[1]+c }

// rowed is the same feature map as dense, and knows its row.
type rowed struct{ dense }

// ScaleSq implements models.RowMap.
func (rowed) ScaleSq() float64 { return 14 }

// Row implements models.RowMap.
func (rowed) Row() (models.Row, float64, bool) {
	return models.Row{Value: []float64{1, 2, 3}}, 0, true
}

// TestLeast checks the least time of one oracle call: its arithmetic operations at the speed of this machine's
// arithmetic, and its bytes at the speed at which the machine reads all weights and, if examples have rows, all rows.
// It checks that objectives whose work is not known have no least time.
func TestLeast(t *testing.T) {
	const n, dim = 1000, 4096
	risk := func(f models.FeatureMap) *models.Risk {
		r := &models.Risk{Weights: models.Weights{Dim: dim}}
		for range n {
			r.Examples = append(r.Examples, models.Example{Features: f})
		}
		return r
	}
	x := &experiment{}
	flops := x.rates.Flops(func() float64 { return models.Multiply(32, 1000) }) // measured once, then kept
	weights, rows := x.rates.Bandwidth(8*dim), x.rates.Bandwidth(3*8*n)
	for _, c := range []struct {
		about string
		f     models.FeatureMap
		want  trace.Least
	}{
		// two weights are read and multiplied
		{"without rows", dense{}, trace.Least{Arithmetic: (2*2 + 2) / flops, Memory: 2 * 8 / weights}},
		// three numbers of the row are multiplied by the weights of two classes
		{"with rows", rowed{}, trace.Least{Arithmetic: (2*6 + 2) / flops, Memory: 6*8/weights + 3*8/rows}},
	} {
		got := x.least(risk(c.f))
		if got == nil || !near(got.Arithmetic, c.want.Arithmetic) || !near(got.Memory, c.want.Memory) {
			t.Errorf("%s: least time %+v, want %+v", c.about, got, c.want)
		}
	}
	kernel := risk(dense{})
	kernel.Norm = func(_, _ []float64) {}
	for about, o := range map[string]models.Objective{"a kernel": kernel, "another objective": &models.Inference{}} {
		if got := x.least(o); got != nil {
			t.Errorf("%s: least time %+v, want none", about, got)
		}
	}
}

// near reports whether two numbers are equal up to rounding.
func near(a, b float64) bool { return a > b*(1-1e-9) && a < b*(1+1e-9) }
