package examples

import (
	"math/rand/v2"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// Rows draws n rows of dim features, of which about a third are zero, with k classes. The numbers are the same whether
// they are stored dense or sparse.
func Rows(n, dim, k int, sparse bool) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(1, 2))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: dim}, Classes: strings.Split("abcdefghij", "")[:k]}
	if sparse {
		d.X.Start, d.X.Index = []int{0}, []int32{}
	}
	for range n {
		for j := range dim {
			v := rng.NormFloat64()
			if rng.Float64() < 1.0/3 {
				v = 0
			}
			if sparse && v == 0 {
				continue
			}
			d.X.Value = append(d.X.Value, v)
			if sparse {
				d.X.Index = append(d.X.Index, int32(j))
			}
		}
		if sparse {
			d.X.Start = append(d.X.Start, len(d.X.Value))
		}
		d.Y = append(d.Y, rng.IntN(k))
	}
	return d
}

// Signed returns rows with the classes -1 and +1.
func Signed(n, dim int, sparse bool) *datasets.Labelled {
	d := Rows(n, dim, 2, sparse)
	d.Classes = []string{"-1", "+1"}
	return d
}

// Digits draws n rows of 784 features, of which about a fifth are non-zero, with 10 classes.
func Digits(n int, dense bool) *datasets.Labelled {
	rng := rand.New(rand.NewPCG(1, 1))
	d := &datasets.Labelled{X: datasets.Rows{N: n, Dim: 784}, Classes: make([]string, 10)}
	d.X.Start = append(d.X.Start, 0)
	for range n {
		for j := range 784 {
			on := rng.Float64() < 0.19
			switch {
			case dense && on:
				d.X.Value = append(d.X.Value, rng.Float64())
			case dense:
				d.X.Value = append(d.X.Value, 0)
			case on:
				d.X.Value = append(d.X.Value, rng.Float64())
				d.X.Index = append(d.X.Index, int32(j))
			}
		}
		d.X.Start = append(d.X.Start, len(d.X.Value))
		d.Y = append(d.Y, rng.IntN(10))
	}
	return d
}

// Unknown is a data set of a kind that no model accepts.
type Unknown struct{}

// Len implements datasets.Data.
func (Unknown) Len() int { return 1 }

// Kind implements datasets.Data.
func (Unknown) Kind() string { return "knitting patterns" }
