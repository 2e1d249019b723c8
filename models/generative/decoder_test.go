package generative_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestNetDecoderFindsVariablesByName checks that a decoder of a Bayesian network predicts what its task predicts from
// rows whose variables have another order, further variables and other numbers of their values, with or without the
// class. It also checks that a row that lacks another variable is an error, which names the variable.
func TestNetDecoderFindsVariablesByName(t *testing.T) {
	d := allRows()
	model := generative.BayesNet{Nodes: 4, Structure: "tan", LossScale: 1, Eta: 1}
	task := examples.Build(t, model, d, nil)
	vocabulary, err := json.Marshal(task.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	w := examples.Weights(35, task.Dim())
	predict := func(e *models.Example) models.Vertex {
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		y, _ := e.Predict(nil, theta)
		return y
	}
	rng := rand.New(rand.NewPCG(35, 33))
	n := len(d.Variables)
	for _, lacks := range []int{-1, d.Class, 0, 2, 3} {
		decoder, err := model.Restore(vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		order := rng.Perm(n + 1) // the variable n is one that the network does not have
		row := &datasets.Discrete{Class: -1}
		number := map[int]map[string]uint8{}
		for _, v := range order {
			if v == lacks {
				continue
			}
			own := datasets.Variable{Name: "further", Values: []string{"x", "y"}}
			if v < n {
				own = d.Variables[v]
			}
			shuffled := datasets.Variable{Name: own.Name, Values: make([]string, len(own.Values))}
			number[v] = map[string]uint8{}
			for i, from := range rng.Perm(len(own.Values)) {
				shuffled.Values[i], number[v][own.Values[from]] = own.Values[from], uint8(i)
			}
			row.Variables = append(row.Variables, shuffled)
		}
		for i := range d.Len() {
			row.Value = row.Value[:0]
			for _, v := range order {
				switch {
				case v == lacks:
				case v == n:
					row.Value = append(row.Value, number[v]["y"])
				default:
					row.Value = append(row.Value, number[v][d.Variables[v].Values[d.Value[i*n+v]]])
				}
			}
			e, err := decoder.Example(row)
			if lacks >= 0 && lacks != d.Class {
				if err == nil || !strings.Contains(err.Error(), "no variable "+d.Variables[lacks].Name) {
					t.Errorf("without the variable %s: error %v", d.Variables[lacks].Name, err)
				}
				break
			}
			if err != nil {
				t.Fatalf("without variable %d: %v", lacks, err)
			}
			if got, want := predict(&e), predict(&task.Train[i]); !got.Equal(want) {
				t.Fatalf("row %d without variable %d: prediction %v, want %v", i, lacks, got, want)
			}
		}
	}
}
