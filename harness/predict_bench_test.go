package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/models/chain"
)

// BenchmarkPredictChain labels text like that of CoNLL-2000: 22 labels, 24 tokens a sentence, 19 templates over words
// and tags of which about 300,000 combinations have weights.
func BenchmarkPredictChain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	zipf := func(n int) int { return int(float64(n) * rng.Float64() * rng.Float64() * rng.Float64()) }
	draw := func(sentences int) (*datasets.Sentences, []byte) {
		s := &datasets.Sentences{Start: []int{0}, Columns: []datasets.Column{{Name: "word"}, {Name: "pos"}, {Name: "chunk"}}}
		for k, n := range []int{19000, 44, 22} {
			for i := range n {
				s.Columns[k].Text = append(s.Columns[k].Text, fmt.Sprintf("%c%d", 'a'+k, i))
			}
		}
		var text bytes.Buffer
		for range sentences {
			for range 24 {
				for k, n := range []int{19000, 44, 22} {
					c := &s.Columns[k]
					c.ID = append(c.ID, int32(zipf(n)))
					fmt.Fprintf(&text, "%s ", c.Text[c.ID[len(c.ID)-1]])
				}
				text.WriteByte('\n')
			}
			text.WriteByte('\n')
			s.Start = append(s.Start, len(s.Columns[0].ID))
		}
		return s, text.Bytes()
	}
	train, _ := draw(3000)
	model := &chain.Model{Label: "chunk", Cutoff: 1}
	task, err := model.Build(train, nil)
	if err != nil {
		b.Fatal(err)
	}
	w := &store.Weights{Format: store.WeightsFormat, Model: "chain", Loss: "log", Kind: train.Kind(),
		Data: store.Component{Name: "conll2000"}, Settings: store.Component{Params: map[string]any{"label": "chunk"}},
		W: make([]float64, task.Dim())}
	if w.Vocabulary, err = json.Marshal(task.Vocabulary()); err != nil {
		b.Fatal(err)
	}
	for j := range w.W {
		w.W[j] = rng.NormFloat64()
	}
	p, err := newPredictor(w)
	if err != nil {
		b.Fatal(err)
	}
	const sentences = 1000
	_, text := draw(sentences)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := p.Predict(context.Background(), bytes.NewReader(text), io.Discard, PredictOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(sentences*float64(b.N)/b.Elapsed().Seconds(), "sentences/s")
	b.ReportMetric(float64(task.Dim()), "weights")
}
