package classes

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// TestDecoder checks which rows the feature map of a decoder gets: one row, without the features that are not in the
// vocabulary. The decoder must warn if there were any, and must refuse any other number of rows.
func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		dim   int
		index []int32
		left  []int32
		warns bool
	}{
		{3, []int32{0, 2}, []int32{0, 2}, false},
		{2, []int32{1}, []int32{1}, false},
		{3, nil, nil, false},
		{5, []int32{0, 2, 3}, []int32{0, 2}, true},
		{5, []int32{3, 4}, nil, true},
	} {
		var got []int32
		d := &Decoder{Vocabulary: Vocabulary{3, []string{"a", "b"}}, Weights: 6,
			Map: func(x *datasets.Rows) models.FeatureMap {
				index, value := x.Row(0)
				if x.N != 1 || len(index) != len(value) {
					t.Errorf("the feature map gets %+v, want one sparse row", x)
				}
				got = slices.Clone(index)
				return nil
			}}
		row := datasets.Rows{N: 1, Dim: c.dim, Start: []int{0, len(c.index)}, Index: append([]int32{}, c.index...),
			Value: slices.Repeat([]float64{2}, len(c.index))}
		if _, err := d.Example(&datasets.Labelled{X: row, Y: []int{0}}); err != nil || !slices.Equal(got, c.left) {
			t.Errorf("features %d of %d: the feature map gets %d, error %v; want %d", c.index, c.dim, got, err, c.left)
		}
		if list := d.Warnings(); (len(list) > 0) != c.warns {
			t.Errorf("features %d of %d: warnings %q, want one: %v", c.index, c.dim, list, c.warns)
		}
		if list := d.Warnings(); len(list) > 0 {
			t.Errorf("warnings %q about no new data, want none", list)
		}
		for _, n := range []int{0, 2} {
			row := datasets.Rows{N: n, Dim: 3, Start: make([]int, n+1), Index: []int32{}}
			if _, err := d.Example(&datasets.Labelled{X: row, Y: make([]int, n)}); err == nil {
				t.Errorf("a decoder accepts %d rows", n)
			}
		}
		if _, err := d.Example(&datasets.Treebank{}); err == nil {
			t.Error("a decoder of rows accepts trees")
		}
	}
}
