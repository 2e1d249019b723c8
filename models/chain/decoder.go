package chain

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// decoder predicts the labels of sentences. Texts and combinations of texts that are not in the vocabulary have the
// number −1 and no feature.
type decoder struct {
	*textBuild
	attribute []*attribute
	places    [][]int // for each template and each of its places: the index of the attribute

	value   [][]int32          // for each attribute: the number of its value at each token
	numbers [][]int32          // for each template: the number of its combination of values at each token
	feature []int32            // numbers of the features of the sentence
	at      []int32            // for each entry of feature: the position of the token
	values  []float64          // for each entry of feature: its value; nil if no template has weights
	out     datasets.Sentences // memory of Output
}

func newDecoder(b *textBuild) *decoder {
	d := &decoder{textBuild: b, attribute: b.attributes(), numbers: make([][]int32, len(b.templates))}
	d.value = make([][]int32, len(d.attribute))
	for _, t := range b.templates {
		var list []int
		for _, p := range t.places {
			list = append(list, slices.Index(d.attribute, p.attribute))
		}
		d.places = append(d.places, list)
	}
	d.out.Columns = []datasets.Column{{Name: b.column, Text: b.labels}}
	return d
}

// Dim implements models.Decoder.
func (d *decoder) Dim() int { return d.shape.Dim }

// Target implements models.Decoder.
func (d *decoder) Target() string { return d.column }

// Example implements models.Decoder.
func (d *decoder) Example(data datasets.Data) (models.Example, error) {
	s, ok := data.(*datasets.Sentences)
	if !ok || s.Len() != 1 {
		return models.Example{}, fmt.Errorf("model chain labels one sentence at a time, not %d %s", data.Len(), data.Kind())
	}
	for i, a := range d.attribute {
		column, err := s.Column(a.column)
		if err != nil {
			return models.Example{}, fmt.Errorf("model chain: %w", err)
		}
		d.value[i] = d.value[i][:0]
		for _, id := range column.ID {
			n, ok := a.values[a.of(column.Text[id])]
			if !ok {
				n = -1
			}
			d.value[i] = append(d.value[i], n)
		}
	}
	l := s.Start[1]
	for j, t := range d.templates {
		d.numbers[j] = slices.Grow(d.numbers[j][:0], l)[:l]
		clear(d.numbers[j])
		for p := range t.places {
			t.look(d.numbers[j], p, d.value[d.places[j][p]])
		}
	}
	d.feature, d.at, d.values = d.feature[:0], d.at[:0], d.values[:0]
	numeric := slices.ContainsFunc(d.templates, (*template).numeric)
	for j, numbers := range d.numbers {
		feature, t := d.textBuild.feature[j], d.templates[j]
		for at, n := range numbers {
			if n < 0 || int(n) >= len(feature) || feature[n] < 0 {
				continue
			}
			if numeric {
				value, err := t.value(s, at)
				if err != nil {
					return models.Example{}, fmt.Errorf("model chain: %w", err)
				}
				if value == 0 {
					continue
				}
				d.values = append(d.values, value)
			}
			d.feature, d.at = append(d.feature, feature[n]), append(d.at, int32(at))
		}
	}
	values := d.values
	if !numeric {
		values = nil
	}
	return models.Example{Features: d.shape.NewPairs(l, d.feature, d.at, values), Max: d.shape.Oracle,
		Exp: d.shape.Oracle, Decoding: d.shape.Decoding}, nil
}

// value returns the value of the template's feature at a token of one sentence.
func (t *template) value(s *datasets.Sentences, at int) (float64, error) {
	out := 1.
	for _, w := range t.weights {
		column, err := s.Column(w.quantity.column)
		if err != nil {
			return 0, err
		}
		v := 0.
		if from := at + w.offset; from >= 0 && from < len(column.ID) {
			if v, err = numberOf(column.Text[column.ID[from]]); err != nil {
				return 0, fmt.Errorf("column %q: %w", w.quantity.column, err)
			}
		}
		out *= v
	}
	return out, nil
}

// look updates numbers for place p of the template. Before the call, numbers has one number for each token: the number
// of the combination of values at the places before p. The parameter value has the value of p's attribute at each
// token. look replaces each number by the number of the combination that also includes place p, or by −1 if the
// training data do not have this combination.
func (t *template) look(numbers []int32, p int, value []int32) {
	offset, l := t.places[p].offset, len(numbers)
	for at := range numbers {
		n := int32(0)
		switch from := at + offset; {
		case from < 0:
			n = int32(-from - 1)
		case from >= l:
			n = int32(attributeReach + from - l)
		default:
			n = value[from]
		}
		if p > 0 && n >= 0 {
			so, ok := numbers[at], false
			if so >= 0 {
				n, ok = t.join[p-1].find(so, n)
			}
			if !ok {
				n = -1
			}
		}
		numbers[at] = n
	}
}

// Output implements models.Decoder.
func (d *decoder) Output(data datasets.Data, _ models.Example, y models.Vertex) datasets.Data {
	l, k := data.(*datasets.Sentences).Start[1], d.shape.K
	d.out.Start = append(d.out.Start[:0], 0, l)
	column := &d.out.Columns[0]
	column.ID = column.ID[:0]
	for t, r := range y[:l] {
		column.ID = append(column.ID, int32(r-t*k))
	}
	return &d.out
}

// Choices implements models.Chooser.
func (d *decoder) Choices(e models.Example) models.Choices {
	l, _ := e.Features.(*sequence.Pairs).Chain()
	return d.shape.Oracle.Choices(l, d.labels)
}

// Warnings implements models.Decoder.
func (*decoder) Warnings() []string { return nil }
