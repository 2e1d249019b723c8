package generated

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestDiscrete checks that the frequencies of values, given the class and the parent, agree with the network's
// probabilities.
func TestDiscrete(t *testing.T) {
	g := RandomNetwork{Train: 50000, Validation: 20, Variables: 4, Values: 3, Classes: 2, Contrast: 1, Seed: 1}
	d, validation := sample[*datasets.Discrete](t, g)
	if d.Len() != 50000 || validation.Len() != 20 || len(d.Variables) != 5 || d.Class != 4 ||
		d.Variables[4].Name != "class" {
		t.Fatalf("rows = %d, variables = %d, class = variable %d; want 50000, 5, 4, and 20 validation rows",
			d.Len(), len(d.Variables), d.Class)
	}
	net := g.network(rand.New(rand.NewPCG(g.Seed, 3)))
	if net.parent[0] != -1 || net.parent[1] != 0 {
		t.Fatalf("parents = %v, want −1 for x_0 and 0 for x_1", net.parent)
	}
	for v, p := range net.parent {
		count := make([]float64, len(net.table[v]))
		for i := range d.Len() {
			row := d.Row(i)
			at := int(row[4])
			if p >= 0 {
				at = 3*at + int(row[p])
			}
			count[3*at+int(row[v])]++
		}
		for at := 0; at < len(count); at += 3 {
			sums, n := net.table[v][at:at+3], count[at]+count[at+1]+count[at+2]
			before := 0.0
			for j, s := range sums {
				want := (s - before) / sums[2]
				before = s
				if got := count[at+j] / n; math.Abs(got-want) > 5*math.Sqrt(want*(1-want)/n) {
					t.Errorf("variable %d, distribution %d: frequency of value %d in %v draws = %.4f, want about %.4f", v, at/3, j,
						n, got, want)
				}
			}
		}
	}
}
