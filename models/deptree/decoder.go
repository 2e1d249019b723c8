package deptree

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/alphabet"
)

// vocabulary is what a task has learnt of the training sentences, besides weights. The keys of features are made of the
// numbers of texts (arcKeys.of).
type vocabulary struct {
	Columns [3]string   `json:"columns"` // names of those of words, tags and coarse tags
	Texts   [3][]string `json:"texts"`   // of each, by number
	Keys    []byte      `json:"keys"`    // of the features, in the order of their weights: 8 bytes each, the lowest first
}

func (c treeColumns) all() [3]*datasets.Column { return [3]*datasets.Column{c.word, c.tag, c.coarse} }

func newVocabulary(c treeColumns, known *alphabet.Alphabet) vocabulary {
	var v vocabulary
	for i, column := range c.all() {
		v.Columns[i], v.Texts[i] = column.Name, column.Text
	}
	for _, key := range known.Keys() {
		v.Keys = binary.LittleEndian.AppendUint64(v.Keys, key)
	}
	return v
}

// decoder parses sentences by a vocabulary.
type decoder struct {
	columns [3]string
	number  [3]map[string]int32 // of texts
	known   *alphabet.Alphabet
	oracle  *eisner
	reader  *arcReader
	out     datasets.Sentences
}

// Restore implements models.Restorer.
func (d Model) Restore(text []byte) (models.Decoder, error) {
	var v vocabulary
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	if len(v.Keys)%8 != 0 {
		return nil, fmt.Errorf("%d bytes of keys: want 8 for each", len(v.Keys))
	}
	p := &decoder{columns: v.Columns, known: &alphabet.Alphabet{}, oracle: newEisner(d.Roots == "multi")}
	for i := 0; i < len(v.Keys); i += 8 {
		key := binary.LittleEndian.Uint64(v.Keys[i:])
		if _, twice := p.known.Of(key); twice {
			return nil, errors.New("a feature stands twice")
		}
		p.known.Add(key, int32(i/8))
	}
	for i, texts := range v.Texts {
		p.number[i] = make(map[string]int32, len(texts))
		for n, text := range texts {
			p.number[i][text] = int32(n)
		}
	}
	p.reader = &arcReader{arcKeys: newArcKeys(d.Between == "once", v.Columns[2] != v.Columns[1]),
		sharedBuilder: newSharedBuilder(p.known.Len, &scratch.Pool[sharedScratch]{})}
	return p, nil
}

// Dim implements models.Decoder.
func (d *decoder) Dim() int { return max(1, d.known.Len) }

// Target implements models.Decoder.
func (*decoder) Target() string { return datasets.Heads }

// Example implements models.Decoder. Texts that training has not seen share a number that no feature has.
func (d *decoder) Example(data datasets.Data) (models.Example, error) {
	s, ok := data.(*datasets.Sentences)
	if !ok || s.Len() != 1 {
		return models.Example{}, fmt.Errorf("model deptree parses one sentence at a time, not %d %s", data.Len(), data.Kind())
	}
	a, l := d.reader, s.Start[1]
	for i, to := range []*[]int32{&a.tokens.word, &a.tokens.tag, &a.tokens.coarse} {
		column, err := s.Column(d.columns[i])
		if err != nil {
			return models.Example{}, fmt.Errorf("model deptree: %w", err)
		}
		*to = append((*to)[:0], tokenRoot)
		for _, id := range column.ID {
			n, ok := d.number[i][column.Text[id]]
			if !ok {
				n = int32(len(d.number[i]))
			}
			*to = append(*to, n+tokenWords)
		}
	}
	eachArc(l, func(h, m int) {
		for _, key := range a.of(&a.tokens, h, m) {
			if f, ok := d.known.Of(key.hash); ok {
				a.add(f, key.value)
			}
		}
		a.endPart()
	})
	return models.Example{Features: a.finish(), Max: d.oracle, Exp: d.oracle}, nil
}

// Output implements models.Decoder: arcPart, inverted.
func (d *decoder) Output(data datasets.Data, _ models.Example, y models.Vertex) datasets.Data {
	l := data.(*datasets.Sentences).Start[1]
	d.out.Start, d.out.Heads = append(d.out.Start[:0], 0, l), d.out.Heads[:0]
	for i, r := range y {
		head := r - i*l
		if head > i { // the word itself, number i + 1, is no head
			head++
		}
		d.out.Heads = append(d.out.Heads, int32(head))
	}
	return &d.out
}

// Warnings implements models.Decoder.
func (*decoder) Warnings() []string { return nil }
