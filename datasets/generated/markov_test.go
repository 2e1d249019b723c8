package generated

import (
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestMarkov(t *testing.T) {
	m := Markov{Train: 200, Validation: 3, Length: 7, Labels: 4, Stay: 0.8, Noise: 0.3, Seed: 1}
	s, _ := sample[*datasets.Sequences](t, m)
	stays, pairs := 0, 0
	for i := range s.Len() {
		if n := s.Start[i+1] - s.Start[i]; n != 7 {
			t.Fatalf("sequence %d has %d positions, want 7", i, n)
		}
		for p := s.Start[i] + 1; p < s.Start[i+1]; p++ {
			pairs++
			if s.Y[p] == s.Y[p-1] {
				stays++
			}
		}
	}
	if share := float64(stays) / float64(pairs); math.Abs(share-0.8) > 0.04 {
		t.Errorf("share of labels that repeat the previous one = %v, want about 0.8", share)
	}
	for p := range s.X.N {
		_, x := s.X.Row(p)
		norm := 0.0
		for _, v := range x {
			norm += v * v
		}
		if math.Abs(norm-1) > 1e-12 {
			t.Fatalf("row %d: squared norm = %v, want 1", p, norm)
		}
	}
	// the feature of the label is the largest one, unless the noise is far above its standard deviation
	right := 0
	for p := range s.X.N {
		index, x := s.X.Row(p)
		if int(index[slices.Index(x, slices.Max(x))]) == s.Y[p] {
			right++
		}
	}
	if share := float64(right) / float64(s.X.N); share < 0.9 {
		t.Errorf("in %.2f of the rows the largest feature is that of the label, want 0.9 or more", share)
	}
}
