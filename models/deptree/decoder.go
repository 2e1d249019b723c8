package deptree

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/alphabet"
)

// vocabulary is what predictions need from the training data besides the weights. The key of a feature is a hash of the
// numbers of words and tags (see arcKeys.of).
type vocabulary struct {
	Columns [3]string   `json:"columns"` // names of the columns of words, tags and coarse tags
	Texts   [3][]string `json:"texts"`   // for each of these columns: its texts, in the order of their numbers
	Keys    []byte      `json:"keys"`    // keys of the features in the order of their weights, 8 bytes each, little-endian
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

// decoder predicts the trees of sentences.
type decoder struct {
	columns [3]string
	number  [3]map[string]int32 // for words, tags and coarse tags: the number of each text
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

// Example implements models.Decoder. All words that are not in the training data get the same number, which no feature
// uses. The same holds for tags.
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

// listedFeatures is a feature map in which each part lists its features. For an example that is scored once, it takes
// less time than sharedFeatures. Both give scores with the same bits.
type listedFeatures struct {
	start []int // offset of each part in list; parts + 1 values
	list  []valued
	dim   int // length of w
}

// Parts implements models.FeatureMap.
func (f *listedFeatures) Parts() int { return len(f.start) - 1 }

func (f *listedFeatures) check(parts, w []float64) {
	if len(parts) != f.Parts() || len(w) != f.dim {
		panic("deptree: len(theta) != Parts() or len(w) != Dim")
	}
}

// Score implements models.FeatureMap.
func (f *listedFeatures) Score(theta, w []float64) {
	f.check(theta, w)
	for r := range theta {
		var sum float64
		for _, x := range f.list[f.start[r]:f.start[r+1]] {
			sum += float64(float64(x.value) * w[x.feature]) // the conversion prevents a fused multiply-add
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

// Output implements models.Decoder. It inverts arcPart to find the heads.
func (d *decoder) Output(data datasets.Data, _ models.Example, y models.Vertex) datasets.Data {
	l := data.(*datasets.Sentences).Start[1]
	d.out.Start, d.out.Heads = append(d.out.Start[:0], 0, l), d.out.Heads[:0]
	for i, r := range y {
		head := r - i*l
		if head > i { // the word itself, i + 1, cannot be its head
			head++
		}
		d.out.Heads = append(d.out.Heads, int32(head))
	}
	return &d.out
}

// Choices implements models.Chooser. The labels are the heads; 0 is the root. The result has no Scores, only marginals.
func (d *decoder) Choices(e models.Example) models.Choices {
	l := sentenceLength(e.Features.Parts())
	c := models.Choices{Places: l, Part: func(place, head int) int {
		switch {
		case head == place+1: // the word itself
			return -1
		case head > place:
			head--
		}
		return place*l + head
	}}
	for head := range l + 1 {
		c.Labels = append(c.Labels, strconv.Itoa(head))
	}
	return c
}

// Warnings implements models.Decoder.
func (*decoder) Warnings() []string { return nil }
