package deptree

import (
	"encoding/binary"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/alphabet"
)

// vocabulary is what predictions need of the training sentences, besides weights. The keys of features are hashes of
// the numbers of texts (arcKeys.of).
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
	keys    *arcKeys
	tokens  arcTokens
	listed  listedFeatures
	out     datasets.Sentences
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
	for i, to := range []*[]int32{&d.tokens.word, &d.tokens.tag, &d.tokens.coarse} {
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
	f := &d.listed
	f.start, f.list = append(f.start[:0], 0), f.list[:0]
	eachArc(s.Start[1], func(h, m int) {
		f.list = append(f.list, d.keys.known(d.known, &d.tokens, h, m)...)
		f.start = append(f.start, len(f.list))
	})
	return models.Example{Features: f, Max: d.oracle, Exp: d.oracle}, nil
}

// listedFeatures is a feature map whose parts list their features one by one. For an example that is scored once that
// takes less time than the sharedFeatures of the same parts, and gives the same scores to the bit.
type listedFeatures struct {
	start []int // offset of each part in list; parts + 1 values
	list  []valued
	dim   int // length of w
}

// Parts implements models.FeatureMap.
func (f *listedFeatures) Parts() int { return len(f.start) - 1 }

func (f *listedFeatures) check(parts, w []float64) {
	if len(parts) != f.Parts() || len(w) != f.dim {
		panic("deptree: want as many numbers as parts, and as many weights as features")
	}
}

// Score implements models.FeatureMap.
func (f *listedFeatures) Score(theta, w []float64) {
	f.check(theta, w)
	for r := range theta {
		var sum float64
		for _, x := range f.list[f.start[r]:f.start[r+1]] {
			sum += float64(float64(x.value) * w[x.feature]) // the conversion rounds: no fused addition
		}
		theta[r] = sum
	}
}

// AddAdjoint implements models.FeatureMap.
func (f *listedFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	for r, m := range mu {
		for _, x := range f.list[f.start[r]:f.start[r+1]] {
			w[x.feature] += c * float64(x.value) * m
		}
	}
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
