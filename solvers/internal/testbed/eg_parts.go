package testbed

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// Trace returns the first iterates of a run, with copies of w.
func Trace(t *testing.T, run iter.Seq2[solvers.Iterate, error]) (out []solvers.Iterate) {
	t.Helper()
	for it, err := range run {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, solvers.Iterate{W: slices.Clone(it.W)})
		if len(out) == 40 {
			break
		}
	}
	if len(out) < 3 || Distance(out[0].W, out[len(out)-1].W) == 0 {
		t.Errorf("%d yields, w from %v to %v", len(out), out[0].W[:3], out[len(out)-1].W[:3])
	}
	return out
}

// Distance returns |v − w|.
func Distance(v, w []float64) float64 {
	var sum float64
	for j, x := range v {
		sum += (x - w[j]) * (x - w[j])
	}
	return math.Sqrt(sum)
}
