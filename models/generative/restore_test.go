package generative_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestRestoredHMM checks that a restored model gives sequences the scores and the predictions of the task's validation
// examples, by each rule of prediction and label loss, and that it refuses rows that are no symbols.
func TestRestoredHMM(t *testing.T) {
	train, held := examples.Symbols(1, 5, 4, true, 6, 3, 7), examples.Symbols(2, 5, 4, true, 8, 1, 5)
	different := map[string]int{}
	for _, loss := range []string{"ring", "hamming"} {
		for _, decode := range []string{"viterbi", "marginal", "risk"} {
			m := generative.HMM{LabelLoss: loss, Decode: decode, Eta: 1, Hidden: "alternate"}
			task := examples.Build(t, m, train, held)
			d := examples.Restored(t, m, task)
			for seed := range uint64(30) {
				theta := examples.LogProbabilities(distributions(task), seed)
				for i := range task.Validation {
					one := examples.SequenceAt(held, i)
					e, err := d.Example(one)
					if err != nil {
						t.Fatal(err)
					}
					want := &task.Validation[i]
					a, b := make([]float64, want.Features.Parts()), make([]float64, e.Features.Parts())
					want.Features.Score(a, theta)
					e.Features.Score(b, theta)
					x, _ := want.Predict(nil, a)
					y, _ := e.Predict(nil, b)
					if !slices.Equal(a, b) || !x.Equal(y) {
						t.Fatalf("%s, %s, sequence %d: prediction %v, want %v", loss, decode, i, y, x)
					}
					if best, _ := want.Max.Max(nil, a); !best.Equal(x) {
						different[loss+decode]++
					}
				}
			}
			bad := examples.Sequences(1, "dense", 5, 4, 2)
			bad.X = datasets.Rows{N: 2, Dim: 4, Start: []int{0, 1, 2}, Index: []int32{0, 1}, Value: []float64{1, 2}}
			if _, err := d.Example(bad); err == nil || !strings.Contains(err.Error(), "row 2 of the sequence is not a unit") {
				t.Errorf("a row that is no symbol: error %v", err)
			}
		}
	}
	if r, m := different["ringrisk"], different["ringmarginal"]; r == 0 || m == 0 || r == m {
		t.Errorf("predictions that differ from the best labelling: %v; want some, and not equally many", different)
	}
}

// TestRestoredNetworks checks that a restored network of each structure gives rows the scores of the task, writes the
// class that it is told, and has the classes as its choices, also if not all variables are used.
func TestRestoredNetworks(t *testing.T) {
	parents := 0 // the largest number of parents besides the class
	for seed := range uint64(8) {
		set, err := generated.RandomNetwork{Train: 60, Variables: 6, Values: 2, Classes: 3, Contrast: 3, Seed: seed}.Load(
			context.Background(), datasets.Source{})
		if err != nil {
			t.Fatal(err)
		}
		for _, structure := range []string{"naive", "tan", "chow-liu", "bic"} {
			for _, nodes := range []int{3, 7} {
				m := generative.BayesNet{Nodes: nodes, Structure: structure, LossScale: 1, Eta: 1}
				parents = max(parents, restoredNetwork(t, m, set.Train.(*datasets.Discrete)))
			}
		}
	}
	if parents < 2 {
		t.Errorf("no variable has more than %d parents besides the class", parents)
	}
}

// restoredNetwork compares a task with the decoder that it restores. It returns the largest number of parents besides
// the class.
func restoredNetwork(t *testing.T, m generative.BayesNet, d *datasets.Discrete) (parents int) {
	t.Helper()
	task := examples.Build(t, m, d, d.Pick([]int{3, 4, 5}))
	text, err := json.Marshal(task.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Families []struct{ Parents []int } }
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	for _, f := range v.Families {
		parents = max(parents, len(f.Parents))
	}
	decoder, err := m.Restore(text)
	if err != nil || decoder.Dim() != task.Dim() || decoder.Target() != d.Variables[d.Class].Name {
		t.Fatalf("%s: error %v, %d weights for the target %s", m.Structure, err, decoder.Dim(), decoder.Target())
	}
	if got := decoder.(models.Chooser).Choices(models.Example{}).Labels; !slices.Equal(got, task.Classes) {
		t.Errorf("%s: choices %q, want %q", m.Structure, got, task.Classes)
	}
	w := examples.Weights(2, task.Dim())
	a, b := make([]float64, 3), make([]float64, 3)
	for i := range task.Train {
		row := d.Pick([]int{i})
		e, err := decoder.Example(row)
		if err != nil {
			t.Fatal(err)
		}
		task.Train[i].Features.Score(a, w)
		if e.Features.Score(b, w); !slices.Equal(a, b) {
			t.Fatalf("%s, row %d: scores %v, want %v", m.Structure, i, b, a)
		}
		out := decoder.Output(row, e, models.Vertex{i % 3}).(*datasets.Discrete)
		if got := out.Variables[out.Class].Values[out.Value[out.Class]]; got != task.Classes[i%3] {
			t.Errorf("%s, row %d: class %s, want %s", m.Structure, i, got, task.Classes[i%3])
		}
		if i < 3 { // the validation rows are the training rows 3 to 5
			task.Validation[i].Features.Score(a, w)
			task.Train[i+3].Features.Score(b, w)
			if !slices.Equal(a, b) || !task.Validation[i].Truth.Equal(task.Train[i+3].Truth) {
				t.Errorf("%s: validation row %d differs from training row %d", m.Structure, i, i+3)
			}
		}
	}
	strange := d.Pick([]int{0})
	strange.Variables = slices.Clone(strange.Variables)
	for v := range strange.Variables {
		strange.Variables[v].Values = slices.Repeat([]string{"strange"}, len(strange.Variables[v].Values))
	}
	_, err = decoder.Example(strange)
	if task.Facts["variables"] > 1 && (err == nil || !strings.Contains(err.Error(), `has the value "strange": want`)) {
		t.Errorf("%s: a value that the training data lack: error %v", m.Structure, err)
	}
	if _, err := decoder.Example(d.Pick([]int{0, 1})); err == nil {
		t.Errorf("%s: two rows are accepted", m.Structure)
	}
	return parents
}

// TestDamagedNetworks checks which vocabularies a Bayesian network refuses.
func TestDamagedNetworks(t *testing.T) {
	const two = `{"name":"a","values":["x","y"]},{"name":"c","values":["0","1"]}`
	for _, c := range []struct {
		variables, class, families string
		sound                      bool
	}{
		{two, "1", `{"variable":1},{"variable":0}`, true},
		{two, "1", `{"variable":1,"parents":[0]}`, true},
		{two, "2", `{"variable":1},{"variable":0}`, false},
		{two, "-1", `{"variable":1},{"variable":0}`, false},
		{two, "0", `{"variable":1},{"variable":0}`, false},
		{two, "1", ``, false},
		{two, "1", `{"variable":0},{"variable":1}`, false},
		{two, "1", `{"variable":1},{"variable":1}`, false},
		{two, "1", `{"variable":1},{"variable":2}`, false},
		{two, "1", `{"variable":1},{"variable":-1}`, false},
		{two, "1", `{"variable":1},{"variable":0,"parents":[1]}`, false},
		{two, "1", `{"variable":1,"parents":[1]},{"variable":0}`, false},
		{two, "1", `{"variable":1},{"variable":0,"parents":[2]}`, false},
		{two + `,{"name":"e","values":[]}`, "1", `{"variable":1}`, false},
		{`{"name":"c","values":["0"]}`, "0", `{"variable":0}`, false},
		{`{"name":"c","values":["0","1"]},{"name":"o","values":["x"]}`, "0", `{"variable":0}`, true},
		{two, "x", `{"variable":1}`, false},
	} {
		text := `{"variables":[` + c.variables + `],"class":` + c.class + `,"families":[` + c.families + `]}`
		if _, err := (generative.BayesNet{}).Restore([]byte(text)); (err == nil) != c.sound {
			t.Errorf("vocabulary %s: error %v; accepted must be %v", text, err, c.sound)
		}
	}
}

// TestRegularisations checks for each setting of divergence, prior and penalty that the objective has the terms of its
// definition at the prior of the setting: −c·θ, c²/exp(θ) or half of (θ − log c)².
func TestRegularisations(t *testing.T) {
	d := examples.Discrete(t, 60, 0)
	for _, divergence := range []string{"", "kl", "chi-squared", "squared"} {
		for _, prior := range []string{"", "uniform", "smoothed-ml", "smaller"} {
			for _, penalty := range []string{"", "linear", "quadratic"} {
				task := examples.Build(t, generative.BayesNet{Nodes: 4, Structure: "tan", LossScale: 1, Eta: 0.7,
					Divergence: divergence, Prior: prior, Penalty: penalty}, d, nil)
				g := distributions(task)
				theta := examples.LogProbabilities(g, 5)
				want := 0.
				for j, x := range theta {
					switch c := g.Prior[j]; divergence {
					case "chi-squared":
						want += c * c / math.Exp(x)
					case "squared":
						want += (x - math.Log(c)) * (x - math.Log(c)) / 2
					default:
						want -= c * x
					}
				}
				slack := 3 * 0.7
				if penalty == "quadratic" {
					slack = 9. / 2 * 0.7
				}
				if got := g.Term(theta); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) || math.Abs(g.Penalty(3)-slack) > 1e-12 {
					t.Errorf("divergence %q, prior %q, penalty %q: term %v and penalty %v, want %v and %v", divergence, prior,
						penalty, got, g.Penalty(3), want, slack)
				}
				uniform := math.Abs(g.Prior[0]-1./3) < 1e-12 && math.Abs(g.Prior[1]-1./3) < 1e-12
				if uniform != (prior == "" || prior == "uniform") {
					t.Errorf("prior %q: %v", prior, g.Prior[:3])
				}
			}
		}
	}
}
