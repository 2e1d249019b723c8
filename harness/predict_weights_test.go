package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/store"
)

// tinyWeights returns, for each model that makes predictions, a predictor trained on a few examples and a text to
// label.
func tinyWeights(t testing.TB) (list []*Predictor, texts []string) {
	t.Helper()
	for _, c := range []struct{ model, data, text string }{
		{"chain, label: chunk, features: 'word[0] pos[-1]|pos[0] bias'", "name: sentences, train: 4, validation: 0",
			"the DET DT B-NP 2\ndog NOUN NN I-NP 0\n"},
		{"deptree", "name: sentences, train: 4, validation: 0", "the DET DT B-NP 2\ndog NOUN NN I-NP 0\n"},
		{"cfg", "name: grammar, train: 3, validation: 0", "the dog sees the dog\n"},
		{"binary", "name: sparse-text, train: 9, validation: 0", "1 1:1 7:2\n"},
		{"multiclass", "name: sparse-text, train: 9, validation: 0", "1 1:1 7:2\n"},
		{"kernel", "name: sparse-text, train: 9, validation: 0", "1 1:1 7:2\n"},
		{"chain", "name: words, train: 4, validation: 0", "a 1:1 7:2\nb 2:1\n"},
		{"chain-kernel", "name: words, train: 4, validation: 0", "a 1:1 7:2\nb 2:1\n"},
		{"word-classifier, features: 9", "name: words, train: 9, validation: 0", "a 1:1\nb 7:2\na 1:1\nb 7:2\nc 1:1\n"},
		{"hmm", "name: tracking, train: 9, validation: 0", "a 1:1\nb 2:1\n"},
		{"bayes-net, nodes: 5", "name: discrete, train: 99, validation: 0", ""},
	} {
		loss, regularisation, solver := "log", "regularisation: {convention: eg, C: 10}\n", "{name: bmrm}"
		switch {
		case strings.HasPrefix(c.model, "hmm"), strings.HasPrefix(c.model, "bayes-net"):
			loss, regularisation, solver = "hinge", "", "{name: ml}"
		case !strings.Contains(c.model, "kernel"):
			solver = "{name: eg}"
		}
		p, _ := saved(t, specOn(c.data, c.model+", loss: "+loss, regularisation+"solvers: ["+solver+"]\nstop: {passes: 1}\n"))
		if d, ok := load(t, p).Train.(*datasets.Discrete); ok {
			c.text = written(d.Pick([]int{0, 1}))
		}
		list, texts = append(list, p), append(texts, c.text)
	}
	return list, texts
}

// headOf returns the JSON text at the beginning of a weights file; the weights follow it.
func headOf(t testing.TB, p *Predictor) []byte {
	t.Helper()
	head := *p.weights
	head.W = nil
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestDamagedVocabulary changes random characters in weights files, and checks that Load or Predict then returns an
// error or a prediction, and never panics.
func TestDamagedVocabulary(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test damages files hundreds of times")
	}
	list, texts := tinyWeights(t)
	for i, p := range list {
		text := headOf(t, p)
		rng := rand.New(rand.NewPCG(1, 1))
		labelled := 0
		for range 200 {
			broken := bytes.Clone(text)
			for range 1 + rng.IntN(3) {
				broken[rng.IntN(len(broken))] = "0123456789-[]\"aSx,"[rng.IntN(18)]
			}
			var w store.Weights
			if json.Unmarshal(broken, &w) != nil {
				continue
			}
			w.W = p.weights.W
			damaged, err := newPredictor(&w)
			if err != nil {
				continue
			}
			in := strings.NewReader(texts[i])
			if _, err := damaged.Predict(context.Background(), in, io.Discard, PredictOptions{}); err == nil {
				labelled++
			}
		}
		if labelled == 0 {
			t.Errorf("%s: no damaged file made a prediction, so the test checks only errors", p.weights.Model)
		}
	}
}

// TestPredictSecondFormat checks that Load reads weights of a model of rows in the earlier format gaplab-weights/2.
func TestPredictSecondFormat(t *testing.T) {
	file := weightsFile(t, `{"format": "gaplab-weights/2", "model": "multiclass", "features": 2, "classes": ["a", "b"], `+
		`"data": {"format": "libsvm", "params": {"path": "f"}}, `+
		`"settings": {"params": {"loss_scale": 1}}, "w": [1, 0, 0, 1]}`)
	p, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if out, made := predict(t, p, "a 1:1\nb 2:1\nb 1:1\n", PredictOptions{}); out != "a\nb\na\n" || made.Wrong != 1 {
		t.Errorf("prediction = %q, %+v, want a, b, a and 1 label wrong", out, made)
	}
}

// TestNoPredictions checks that Load returns the reason if a model cannot make predictions or is unknown.
func TestNoPredictions(t *testing.T) {
	for _, e := range catalogue.Models() {
		if e.NotRestored == "" {
			continue
		}
		_, err := Load(weightsFile(t, `{"format": "gaplab-weights/2", "model": "`+e.Name+`", "w": [1]}`))
		refused(t, e.Name, err, "weights of model "+e.Name+" cannot make predictions: "+e.NotRestored)
	}
	_, err := Load(weightsFile(t, `{"format": "gaplab-weights/2", "model": "of tomorrow", "w": [1]}`))
	refused(t, "another model", err, `this program has no model "of tomorrow"`)
}

// TestPredictMarginalsNeedTheLogLoss checks that marginals are refused for weights of the hinge loss.
func TestPredictMarginalsNeedTheLogLoss(t *testing.T) {
	p, _ := saved(t, strings.Replace(atC, "loss: log", "loss: hinge", 1)+"solvers: [{name: eg}]\nstop: {passes: 1}\n")
	_, err := p.Predict(context.Background(), strings.NewReader("0 1:1\n"), io.Discard, PredictOptions{Marginals: true})
	refused(t, "marginals of a hinge", err, "log loss")
}
