package generated

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"sync"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// RandomNetwork generates rows of discrete variables from a random Bayesian network. The class c has no parent. The
// variable x_0 has the parent c. Each other variable x_v has two parents: c, and one of x_0 .. x_{v−1} drawn at random.
// The entries of the tables of conditional probabilities are drawn as
//
//	p(x | c, parent) ∝ exp(Contrast·ε),   ε standard normal.
//
// At contrast 0 all variables are uniform and independent. The class is the last variable of a row.
//
// The same seed gives the same network and rows. A smaller set consists of the first examples of a larger one, and
// validation rows do not depend on Train.
type RandomNetwork struct {
	// number of training rows
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=1000000"`
	// number of validation rows; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=1000000"`
	// number of variables other than the class
	Variables int `yaml:"variables" jsonschema:"minimum=1,maximum=1000"`
	// number of values of each variable
	Values int `yaml:"values" jsonschema:"minimum=2,maximum=20"`
	// number of classes
	Classes int `yaml:"classes" jsonschema:"minimum=2,maximum=20"`
	// standard deviation of the unnormalised log-probabilities in the tables; 0: uniform distributions
	Contrast float64 `yaml:"contrast" jsonschema:"minimum=0,maximum=100"`
	// seed of the generator
	Seed uint64 `yaml:"seed"`
}

const (
	discreteVersion = "1"
)

// RandomNetworkEntry returns the catalogue entry of RandomNetwork.
func RandomNetworkEntry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "discrete",
		Title:    "Generated rows of discrete variables with a class",
		About: "seeded generator of a random Bayesian network in which each variable depends on the class and on one " +
			"other: for runs without data",
		Licence:   "generated: no rights reserved",
		Synthetic: true,
		Expect:    datasets.Counts{Train: 1000, Validation: 1000, Features: 20, Classes: 3},
		New: func() datasets.Loader {
			return &RandomNetwork{Train: 1000, Validation: 1000, Variables: 20, Values: 3, Classes: 3, Contrast: 0.4, Seed: 1}
		},
	}
}

// Validate implements Validator.
func (g RandomNetwork) Validate() error { return check.Settings(g) }

// Load implements Loader.
func (g RandomNetwork) Load(ctx context.Context, _ datasets.Source) (*datasets.Set, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	net := sync.OnceValue(func() *randomNetwork { return g.network(rand.New(rand.NewPCG(g.Seed, 3))) })
	return generator{
		name: "discrete", version: discreteVersion,
		train: g.Train, validation: g.Validation, seed: g.Seed,
		shape: []any{g.Variables, g.Values, g.Classes, g.Contrast},
	}.load(ctx, func(ctx context.Context, rng *rand.Rand, n int) (datasets.Data, error) {
		return net().draw(ctx, rng, n)
	})
}

// randomNetwork is the Bayesian network. A distribution is stored as the cumulative sums of its unnormalised
// probabilities.
type randomNetwork struct {
	variables []datasets.Variable
	parent    []int     // index of the parent of each variable, apart from the parent c; −1 for x_0
	class     []float64 // distribution of the class
	// table holds the distributions of each variable: one for each class and, within a class, for each value of the
	// parent.
	table [][]float64
}

func (g RandomNetwork) network(rng *rand.Rand) *randomNetwork {
	n := &randomNetwork{class: g.distribution(rng, g.Classes)}
	for v := range g.Variables {
		parent, rows := -1, g.Classes
		if v > 0 {
			parent, rows = rng.IntN(v), g.Classes*g.Values
		}
		var table []float64
		for range rows {
			table = append(table, g.distribution(rng, g.Values)...)
		}
		n.parent, n.table = append(n.parent, parent), append(n.table, table)
		n.variables = append(n.variables, datasets.Variable{Name: "x" + strconv.Itoa(v+1), Values: numbered(g.Values)})
	}
	n.variables = append(n.variables, datasets.Variable{Name: "class", Values: numbered(g.Classes)})
	return n
}

// distribution draws a distribution of the form of p(x | c, parent) in the comment of RandomNetwork. It returns the
// cumulative sums of the unnormalised probabilities.
func (g RandomNetwork) distribution(rng *rand.Rand, values int) []float64 {
	sums := make([]float64, values)
	var sum float64
	for j := range sums {
		sum += math.Exp(g.Contrast * rng.NormFloat64())
		sums[j] = sum
	}
	return sums
}

// numbered returns the names 1, 2, ..., n.
func numbered(n int) []string {
	names := make([]string, n)
	for j := range names {
		names[j] = strconv.Itoa(j + 1)
	}
	return names
}

// draw generates the given number of rows from a stream of random numbers.
func (n *randomNetwork) draw(ctx context.Context, rng *rand.Rand, rows int) (datasets.Data, error) {
	class := len(n.parent)
	d := &datasets.Discrete{Variables: n.variables, Class: class, Value: make([]uint8, rows*len(n.variables))}
	for i := range rows {
		if err := stopped(ctx, i); err != nil {
			return nil, fmt.Errorf("row %d: %w", i+1, err)
		}
		row := d.Row(i)
		row[class] = drawn(rng, n.class)
		for v, p := range n.parent {
			values := len(n.variables[v].Values)
			at := int(row[class])
			if p >= 0 {
				at = at*len(n.variables[p].Values) + int(row[p])
			}
			row[v] = drawn(rng, n.table[v][at*values:(at+1)*values])
		}
	}
	return d, nil
}

// drawn draws a value. sums holds the cumulative sums of the values' probabilities, times any common factor.
func drawn(rng *rand.Rand, sums []float64) uint8 {
	u, last := rng.Float64()*sums[len(sums)-1], len(sums)-1
	for j, s := range sums[:last] {
		if u < s {
			return uint8(j)
		}
	}
	return uint8(last)
}
