package generated

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func TestMarkov(t *testing.T) {
	m := Markov{Train: 200, Validation: 3, Length: 7, Labels: 4, Stay: 0.8, Noise: 0.3, Seed: 1}
	set, err := m.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	datasettest.CheckSet(t, set)
	s := set.Train.(*datasets.Sequences)
	stays, pairs := 0, 0
	for i := range s.Len() {
		if n := s.Start[i+1] - s.Start[i]; n != 7 {
			t.Fatalf("sequence %d has %d positions", i, n)
		}
		for p := s.Start[i] + 1; p < s.Start[i+1]; p++ {
			pairs++
			if s.Y[p] == s.Y[p-1] {
				stays++
			}
		}
	}
	if share := float64(stays) / float64(pairs); math.Abs(share-0.8) > 0.04 {
		t.Errorf("%v of the labels follow themselves: want about 0.8", share)
	}
	for p := range s.X.N {
		_, x := s.X.Row(p)
		norm := 0.0
		for _, v := range x {
			norm += v * v
		}
		if math.Abs(norm-1) > 1e-12 {
			t.Fatalf("row %d has the squared length %v", p, norm)
		}
	}
	m.Train = 5
	short, err := m.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if few := short.Train.(*datasets.Sequences); few.Y[34] != s.Y[34] || few.X.Value[139] != s.X.Value[139] ||
		short.Checksum == set.Checksum {
		t.Error("5 sequences are not the first of 200, or have their checksum")
	}
}

func TestMarkovSettings(t *testing.T) {
	good := Markov{Train: 1, Length: 1, Labels: 2}
	for key, m := range map[string]Markov{
		"length": {Train: 1, Length: 0, Labels: 2}, "labels": {Train: 1, Length: 1, Labels: 1},
		"stay": {Train: 1, Length: 1, Labels: 2, Stay: 1.1}, "noise": {Train: 1, Length: 1, Labels: 2, Noise: math.NaN()},
	} {
		var setting *datasets.SettingError
		if _, err := m.Load(context.Background(), datasets.Source{}); !errors.As(err, &setting) || setting.Key != key {
			t.Errorf("%s: the error is %v", key, err)
		}
	}
	if _, err := good.Load(context.Background(), datasets.Source{}); err != nil {
		t.Error(err)
	}
}
