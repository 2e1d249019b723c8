package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/store"
)

// FuzzPredict replaces one value in a weights file by another, and predicts the labels of any text. It checks that
// Predict returns a prediction or an error, without a panic and without excessive memory. It does not change the
// weights themselves, because any numbers are valid weights.
func FuzzPredict(f *testing.F) {
	list, texts := tinyWeights(f)
	heads := make([][]byte, len(list))
	for i, p := range list {
		heads[i] = headOf(f, p)
		for k, value := range []string{"1e9", "-1", "null", "[]", "2147483647", `"x"`, "4611686018427387904"} {
			f.Add(uint8(i), uint16(997*k), value, []byte(texts[i]))
		}
	}
	f.Fuzz(func(t *testing.T, model uint8, at uint16, value string, text []byte) {
		var w store.Weights
		if json.Unmarshal(withValue(t, heads[int(model)%len(heads)], int(at), value), &w) != nil {
			return
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		defer func() {
			if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 600<<20 {
				t.Errorf("a text of %d bytes took %d MB, want at most 600", len(text), (after.TotalAlloc-before.TotalAlloc)>>20)
			}
		}()
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
				t.Fatalf("error of Predict = %q, want the name of the text, f, in it", err)
			}
		}
	})
}

// withValue replaces one value in a JSON text by another value, which need not be valid JSON. at is the number of the
// value to replace, modulo the number of values.
func withValue(t *testing.T, text []byte, at int, value string) []byte {
	var all any
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	var places []func()
	const mark = "\U0010FFFF"
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key], func(x any) { v[key] = x })
			}
		case []any:
			for i := range v {
				walk(v[i], func(x any) { v[i] = x })
			}
		}
		places = append(places, func() { set(mark) })
	}
	walk(all, func(x any) { all = x })
	places[at%len(places)]()
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(text, []byte(`"`+mark+`"`), []byte(value), 1)
}

// FuzzSpec checks that no spec makes the parser or the plan panic, that every error of Parse names the file, and that
// At and Plan accept what Parse accepts.
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
				t.Fatalf("error of Parse = %q, want the name of the file, f.yaml, in it", err)
			}
			return
		}
		for _, scale := range file.Scales() {
			s, err := file.At(scale, nil)
			if err != nil {
				t.Fatalf("Parse accepts this spec, but At refuses it: %v", err)
			}
			if _, err := s.Plan(); err != nil {
				t.Fatalf("At accepts this spec, but Plan refuses it: %v", err)
			}
		}
	})
}
