package chain_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestExamplesOfOtherSentences checks Task.Examples on sentences with new texts and other text numbers. The examples
// must be the same as if the sentences were validation data, in a second call too.
func TestExamplesOfOtherSentences(t *testing.T) {
	load := func(train, validation int, seed uint64) *datasets.Set {
		set, err := generated.References{Names: "whole", Train: train, Validation: validation,
			Seed: seed}.Load(context.Background(), datasets.Source{})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	set, other := load(40, 10, 1), load(15, 1, 2)
	chain := chain.Model{Edges: "tied", Cutoff: 1, Label: "label",
		Features: "lower[0] shape[0] prefix3[-1] lower[-1]|lower[0] bias"}
	task, err := chain.Build(set.Train, set.Validation)
	if err != nil {
		t.Fatal(err)
	}
	// held has the sentences of the data set other. The texts of held get the numbers that they have in the training data
	// of set, and new texts get the next numbers.
	train := set.Train.(*datasets.Sentences)
	held := *other.Train.(*datasets.Sentences)
	held.Columns = slices.Clone(held.Columns)
	for i := range held.Columns {
		c := &held.Columns[i]
		texts := slices.Clone(train.Columns[i].Text)
		ids := make([]int32, len(c.ID))
		for at, id := range c.ID {
			n := slices.Index(texts, c.Text[id])
			if n < 0 {
				n = len(texts)
				texts = append(texts, c.Text[id])
			}
			ids[at] = int32(n)
		}
		c.ID, c.Text = ids, texts
	}
	want, err := chain.Build(set.Train, &held)
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, task.Dim())
	for j := range w {
		w[j] = float64(j%17) - 8
	}
	for range 2 {
		got, err := task.Examples(other.Train)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want.Validation) || task.Dim() != want.Dim() {
			t.Fatalf("%d examples, %d weights, want %d examples, %d weights", len(got), task.Dim(),
				len(want.Validation), want.Dim())
		}
		for i := range got {
			a, b := make([]float64, got[i].Features.Parts()), make([]float64, want.Validation[i].Features.Parts())
			got[i].Features.Score(a, w)
			want.Validation[i].Features.Score(b, w)
			if !slices.Equal(a, b) || !got[i].Truth.Equal(want.Validation[i].Truth) ||
				!slices.Equal(got[i].Cost, want.Validation[i].Cost) {
				t.Fatalf("reference %d differs from the same reference as validation data", i)
			}
		}
	}
	if _, err := task.Examples(&datasets.Treebank{}); err == nil {
		t.Error("Examples of trees: want an error")
	}
}

// TestExamplesOfTheTrainingData checks that Task.Examples and validation data give the training examples if the data
// are the training data: with the same features, among them the bias, and the same labels and costs.
func TestExamplesOfTheTrainingData(t *testing.T) {
	text := examples.Sentences([]string{"word", "pos"}, "the/D old/J man/N", "dogs/N bark/V", "run/V")
	for _, edges := range []string{"tied", "untied"} {
		for name, c := range map[string]struct {
			model chain.Model
			train datasets.Data
		}{
			"dense":            {chain.Model{}, examples.Sequences(1, "dense", 3, 2, 1, 4, 3)},
			"dense with bias":  {chain.Model{Bias: true}, examples.Sequences(1, "dense", 3, 2, 1, 4, 3)},
			"sparse with bias": {chain.Model{Bias: true}, examples.Sequences(3, "sparse", 4, 5, 4, 1, 2)},
			"words":            {chain.Model{Features: "word[0] word[-1]|word[1] suffix1[0] bias"}, text},
			"frequent words":   {chain.Model{Features: "word[0] word[-1] bias", Cutoff: 2}, text},
		} {
			c.model.Edges = edges
			task := examples.Build(t, c.model, c.train, c.train)
			again, err := task.Examples(c.train)
			if err != nil {
				t.Fatal(err)
			}
			w := make([]float64, task.Dim())
			for j := range w {
				w[j] = math.Sin(float64(j + 1))
			}
			for i := range task.Train {
				want := &task.Train[i]
				a := make([]float64, want.Features.Parts())
				want.Features.Score(a, w)
				for _, got := range []*models.Example{&again[i], &task.Validation[i]} {
					b := make([]float64, got.Features.Parts())
					got.Features.Score(b, w)
					if !slices.Equal(a, b) || !got.Truth.Equal(want.Truth) || fmt.Sprint(got.Cost) != fmt.Sprint(want.Cost) {
						t.Fatalf("%s, %s: example %d of the training data has the scores %v and the labels %v, want %v and %v",
							name, edges, i, b, got.Truth, a, want.Truth)
					}
				}
			}
		}
	}
}
