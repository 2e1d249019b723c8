package generated

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func loadTracking(t *testing.T, g Tracking) (*datasets.Set, *datasets.Sequences) {
	t.Helper()
	set, err := g.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	return set, set.Train.(*datasets.Sequences)
}

// TestTracking checks that the frequencies of starts, steps and symbols are the probabilities that the type states.
func TestTracking(t *testing.T) {
	g := Tracking{Train: 2000, Validation: 3, Length: 50, States: 10, Observations: 7, P: 0.3, Q: 0.4, Seed: 1}
	set, s := loadTracking(t, g)
	if n := s.Len(); n != 2000 || set.Validation.Len() != 3 || len(s.Y) != 2000*50 || !set.Synthetic {
		t.Fatalf("%d sequences of %d positions, %d to validate on", n, len(s.Y), set.Validation.Len())
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
				t.Fatalf("row %d is %v, %v: want a unit vector", p, index, value)
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
				t.Errorf("%s %d has the frequency %.4f: want about %.4f", what, j, got, p)
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

	g.Train = 5
	short, few := loadTracking(t, g)
	if !slices.Equal(few.Y, s.Y[:250]) || !slices.Equal(few.X.Index, s.X.Index[:250]) || short.Checksum == set.Checksum {
		t.Error("5 sequences are not the first of 2000, or have their checksum")
	}
	if !slices.Equal(short.Validation.(*datasets.Sequences).Y, set.Validation.(*datasets.Sequences).Y) {
		t.Error("the validation sequences depend on the number of training sequences")
	}
	g.Seed = 2
	if _, other := loadTracking(t, g); slices.Equal(other.Y, few.Y) {
		t.Error("the seed does not matter")
	}
}

// TestTrackingNoiseless checks that without noise the path goes round, and states with symbols of their own show them.
// More symbols than states is fine.
func TestTrackingNoiseless(t *testing.T) {
	_, s := loadTracking(t, Tracking{Train: 20, Length: 9, States: 4, Observations: 6})
	for i := range s.Len() {
		for p := s.Start[i]; p < s.Start[i+1]; p++ {
			if p > s.Start[i] && s.Y[p] != (s.Y[p-1]+1)%4 || int(s.X.Index[p]) != s.Y[p] {
				t.Fatalf("position %d has label %d behind %d and symbol %d", p, s.Y[p], s.Y[max(p, 1)-1], s.X.Index[p])
			}
		}
	}
}

func TestTrackingSettings(t *testing.T) {
	good := Tracking{Train: 1, Length: 1, States: 2, Observations: 2}
	change := func(f func(*Tracking)) Tracking {
		g := good
		f(&g)
		return g
	}
	for key, g := range map[string]Tracking{
		"train": change(func(g *Tracking) { g.Train = 0 }), "validation": change(func(g *Tracking) { g.Validation = -1 }),
		"length": change(func(g *Tracking) { g.Length = 0 }), "states": change(func(g *Tracking) { g.States = 1 }),
		"observations": change(func(g *Tracking) { g.Observations = 1001 }),
		"p":            change(func(g *Tracking) { g.P = 1.1 }), "q": change(func(g *Tracking) { g.Q = math.NaN() }),
	} {
		var setting *datasets.SettingError
		if _, err := g.Load(context.Background(), datasets.Source{}); !errors.As(err, &setting) || setting.Key != key {
			t.Errorf("%s: the error is %v", key, err)
		}
	}
	if _, err := good.Load(context.Background(), datasets.Source{}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := good.Load(ctx, datasets.Source{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
