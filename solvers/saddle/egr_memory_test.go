package saddle

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestEGRMemory checks the number of floats in the state of EGR. Without marginals, the state is five vectors of the
// length of w, for any n examples with l positions and s labels. Algorithm 2 of Zhang, Saha and Vishwanathan (2011)
// also stores the marginals of α_k and of the last α̃, which are O(n l s²) floats for chains (section 4.2).
func TestEGRMemory(t *testing.T) {
	for _, c := range []struct{ n, l, s, dim int }{{4, 3, 2, 3}, {8, 3, 2, 3}, {4, 6, 2, 3}, {4, 3, 5, 3}, {4, 3, 2, 9}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			task := testbed.TaskOf(t, chain.Model{Edges: "untied"},
				testbed.ShortSequences(c.dim, c.s, slices.Repeat([]int{c.l}, c.n)...))
			p := task.Objective(models.Hinge(), 1).(*models.Risk)
			weights := c.dim*c.s + c.s*c.s
			if p.Dim != weights {
				t.Fatalf("w has %d floats, want %d", p.Dim, weights)
			}
			marginals := c.n * (c.l*c.s + (c.l-1)*c.s*c.s)
			for kept, want := range map[string]int{"none": 5 * weights, "float64": 5*weights + 2*marginals} {
				s := newEGRState(&EGR{Lipschitz: "theory", Scale: 1, Marginals: kept}, p, solvers.Env{Seed: 1})
				for range 3 {
					s.step()
				}
				if got := floatsOf(reflect.ValueOf(s)); got != want {
					t.Errorf("marginals %s: the state has %d floats in slices, want %d", kept, got, want)
				}
			}
		})
	}
}

// floatsOf returns the number of floats in the slices of a state. It does not count the floats of the problem.
func floatsOf(v reflect.Value) (sum int) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == reflect.TypeFor[*models.Risk]() || v.IsNil() {
			return 0
		}
		return floatsOf(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			sum += floatsOf(v.Field(i))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Float64 {
			return v.Cap()
		}
	}
	return sum
}
