package generated

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestTracking checks that the first positions, the steps and the symbols have the probabilities in the comment of
// Tracking.
func TestTracking(t *testing.T) {
	g := Tracking{Train: 2000, Validation: 3, Length: 50, States: 10, Observations: 7, P: 0.3, Q: 0.4, Seed: 1}
	s, validation := sample[*datasets.Sequences](t, g)
	if n := s.Len(); n != 2000 || validation.Len() != 3 || len(s.Y) != 2000*50 {
		t.Fatalf("sequences = %d, positions = %d, validation sequences = %d; want 2000, 100000, 3",
			n, len(s.Y), validation.Len())
	}
	start, steps, symbols := make([]float64, 10), make([]float64, 10), make([][]float64, 10)
	for y := range symbols {
		symbols[y] = make([]float64, 7)
	}
	for i := range s.Len() {
		start[s.Y[s.Start[i]]]++
		for p := s.Start[i]; p < s.Start[i+1]; p++ {
			if p > s.Start[i] {
				steps[(s.Y[p]-s.Y[p-1]+10)%10]++
			}
			index, value := s.X.Row(p)
			if len(index) != 1 || value[0] != 1 {
				t.Fatalf("row %d has indices %v, values %v; want a unit vector", p, index, value)
			}
			symbols[s.Y[p]][index[0]]++
		}
	}
	near := func(what string, counts []float64, want func(j int) float64) {
		t.Helper()
		var sum float64
		for _, n := range counts {
			sum += n
		}
		for j, n := range counts {
			p := want(j)
			if got := n / sum; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/sum) {
				t.Errorf("frequency of %s %d = %.4f, want about %.4f", what, j, got, p)
			}
		}
	}
	near("start", start, func(int) float64 { return 0.1 })
	near("step", steps, func(j int) float64 {
		if j == 1 {
			return 0.7 + 0.03
		}
		return 0.03
	})
	for y, counts := range symbols {
		near("symbol", counts, func(j int) float64 {
			switch {
			case y >= 7:
				return 1.0 / 7
			case j == y:
				return 0.6 + 0.4/7
			}
			return 0.4 / 7
		})
	}
}

// TestTrackingNoiseless checks that without noise each step leads to the next state, and each state shows its symbol.
// There are more symbols than states, which is allowed.
func TestTrackingNoiseless(t *testing.T) {
	s, _ := sample[*datasets.Sequences](t, Tracking{Train: 20, Length: 9, States: 4, Observations: 6})
	for i := range s.Len() {
		for p := s.Start[i]; p < s.Start[i+1]; p++ {
			if p > s.Start[i] && s.Y[p] != (s.Y[p-1]+1)%4 || int(s.X.Index[p]) != s.Y[p] {
				t.Fatalf("position %d: label %d after label %d, symbol %d; want the next label on the ring, and its symbol",
					p, s.Y[p], s.Y[max(p, 1)-1], s.X.Index[p])
			}
		}
	}
}
