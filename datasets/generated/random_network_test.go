package generated

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func loadDiscrete(t *testing.T, g RandomNetwork) (*datasets.Set, *datasets.Discrete) {
	t.Helper()
	set, err := g.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	return set, set.Train.(*datasets.Discrete)
}

// TestDiscrete checks that the frequencies of values, given the class and the parent, are those of the network.
func TestDiscrete(t *testing.T) {
	g := RandomNetwork{Train: 50000, Validation: 20, Variables: 4, Values: 3, Classes: 2, Contrast: 1, Seed: 1}
	set, d := loadDiscrete(t, g)
	if d.Len() != 50000 || set.Validation.Len() != 20 || len(d.Variables) != 5 || d.Class != 4 ||
		d.Variables[4].Name != "class" || !set.Synthetic {
		t.Fatalf("%d rows of %d variables, the class %d", d.Len(), len(d.Variables), d.Class)
	}
	net := g.network(rand.New(rand.NewPCG(g.Seed, 3)))
	if net.parent[0] != -1 || net.parent[1] != 0 {
		t.Fatalf("the parents are %v", net.parent)
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
					t.Errorf("variable %d, configuration %d: value %d has the frequency %.4f of %v: want about %.4f", v, at/3, j, got,
						n, want)
				}
			}
		}
	}
	g.Train = 7
	short, few := loadDiscrete(t, g)
	if !slices.Equal(few.Value, d.Value[:7*5]) || short.Checksum == set.Checksum ||
		!slices.Equal(short.Validation.(*datasets.Discrete).Value, set.Validation.(*datasets.Discrete).Value) {
		t.Error("7 rows are not the first of 50000, have their checksum, or change the validation rows")
	}
	g.Seed = 2
	if _, other := loadDiscrete(t, g); slices.Equal(other.Value, few.Value) {
		t.Error("the seed does not matter")
	}
}

func TestDiscreteSettings(t *testing.T) {
	for key, g := range map[string]RandomNetwork{
		"train": {Variables: 1, Values: 2, Classes: 2}, "variables": {Train: 1, Values: 2, Classes: 2},
		"values":   {Train: 1, Variables: 1, Values: 21, Classes: 2},
		"classes":  {Train: 1, Variables: 1, Values: 2, Classes: 1},
		"contrast": {Train: 1, Variables: 1, Values: 2, Classes: 2, Contrast: math.Inf(1)},
	} {
		var setting *datasets.SettingError
		if _, err := g.Load(context.Background(), datasets.Source{}); !errors.As(err, &setting) || setting.Key != key {
			t.Errorf("%s: the error is %v", key, err)
		}
	}
}
