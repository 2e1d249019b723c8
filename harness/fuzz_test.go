package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/store"
)

// FuzzPredict: whatever a weights file says, and whatever the text, there is an error or a prediction, without a panic
// and without memory out of proportion. The weights themselves are numbers: any do.
func FuzzPredict(f *testing.F) {
	list, texts := tinyWeights(f)
	for i, p := range list {
		f.Add(headOf(f, p), []byte(texts[i]))
	}
	f.Fuzz(func(t *testing.T, head, text []byte) {
		var w store.Weights
		if json.Unmarshal(head, &w) != nil {
			return
		}
		decoder, err := decoderOf(&w)
		if err != nil || decoder.Dim() > 1<<16 {
			return
		}
		w.W = make([]float64, decoder.Dim())
		for j := range w.W {
			w.W[j] = float64(j%7) - 3
		}
		p, err := newPredictor(&w)
		if err != nil {
			return
		}
		for _, o := range []PredictOptions{{Name: "f"}, {Name: "f", Scores: true, Marginals: p.loss.Temp > 0}} {
			_, err = p.Predict(context.Background(), bytes.NewReader(text), io.Discard, o)
			if err != nil && !strings.HasPrefix(err.Error(), "f:") && !strings.Contains(err.Error(), "marginals") {
				t.Fatalf("error %q does not name the text", err)
			}
		}
	})
}

// FuzzSpec: no spec panics the parser of the whole catalogue, or the plan; every fault names the file.
func FuzzSpec(f *testing.F) {
	for _, id := range []string{"eg/fig06", "eg/chain-chunk", "rsd/fig1", "bethe/fig2", "cutting-plane/slack"} {
		if text, err := experiments.FS.ReadFile(id + ".yaml"); err == nil {
			f.Add(text)
		}
	}
	f.Add([]byte(atC + "solvers: [{name: eg, eta: {grid: [0.1, 1]}}, {name: auto}]\nstop: {passes: 1}\n"))
	for _, data := range []string{"{format: ptb, path: f, leaf: tag word, comments: '%', encoding: latin1}",
		"{format: conll, path: f, columns: word pos}"} {
		f.Add([]byte("apiVersion: gaplab/v1\nid: test/f\ndataset: " + data +
			"\nmodel: {name: cfg, loss: log}\nregularisation: {convention: lambda, lambda: [1]}\nsolvers: [{name: lbfgs}]\n" +
			"stop: {gap: 1e-3, passes: 3}\nfigure: {x: passes, y: gap}\n"))
	}
	parser, err := specParser()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := parser.Parse("f.yaml", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml") {
				t.Fatalf("error %q does not name the file", err)
			}
			return
		}
		for _, scale := range file.Scales() {
			s, err := file.At(scale, nil)
			if err != nil {
				t.Fatalf("Parse accepts what At refuses: %v", err)
			}
			if _, err := s.Plan(); err != nil {
				t.Fatalf("At accepts what Plan refuses: %v", err)
			}
		}
	})
}
