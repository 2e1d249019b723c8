package chain

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
)

// vocabulary is what predictions need from the training data besides the weights: labels, templates and features.
//
// A feature of a template with p places is stored as p numbers, one for each place. A number below attributeValues
// means that the place is outside the sentence. attributeValues + i means value i of the place's attribute. The
// features of a template are stored one after the other, in the order of their weights. Values contains only the values
// that occur in features.
type vocabulary struct {
	Label     string   `json:"label"`   // the column to predict
	Labels    []string `json:"labels"`  // the labels, in the order of their weights
	Columns   []string `json:"columns"` // names of the columns of the sentences
	Templates []string `json:"templates"`
	// Patterns and Lexicon define the user's attributes: regular expressions by name, and the lines of the word list.
	Patterns map[string]string `json:"patterns,omitempty"`
	Lexicon  []string          `json:"lexicon,omitempty"`
	// Values has the values of each attribute, in order of the attributes' appearance in Templates.
	Values   [][]string `json:"values"`
	Features []numbers  `json:"features"` // features of each template
}

// templatesKey finds the key "templates" in a JSON text. It cannot match inside a JSON string, where every quotation
// mark follows a backslash.
var templatesKey = regexp.MustCompile(`"templates"\s*:`)

// numbers is a list of numbers that is one string in JSON: the differences of successive numbers, each in the form of
// binary.AppendVarint, in base64. A vocabulary has hundreds of thousands of numbers, and a JSON list of them is slow to
// read. Earlier versions of gaplab wrote such lists, which can still be read.
type numbers []int32

// MarshalJSON implements json.Marshaler.
func (v numbers) MarshalJSON() ([]byte, error) {
	var text []byte
	last := int32(0)
	for _, n := range v {
		text = binary.AppendVarint(text, int64(n)-int64(last))
		last = n
	}
	return json.Marshal(text)
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *numbers) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '[' {
		return json.Unmarshal(text, (*[]int32)(v))
	}
	var of []byte
	if err := json.Unmarshal(text, &of); err != nil {
		return err
	}
	*v = make(numbers, 0, len(of))
	last := int64(0)
	for len(of) > 0 {
		d, n := binary.Varint(of)
		if n <= 0 || int64(int32(last+d)) != last+d {
			return errors.New("the list of feature numbers is damaged: want 32-bit numbers as written by MarshalJSON")
		}
		last += d
		*v = append(*v, int32(last))
		of = of[n:]
	}
	return nil
}

// vocabulary returns the vocabulary of a task. fields are the templates as text, and s the training sentences.
func (b *textBuild) vocabulary(fields []string, s *datasets.Sentences) vocabulary {
	v := vocabulary{Label: b.column, Labels: b.labels, Templates: fields, Patterns: b.patterns,
		Lexicon: b.own.lexicon.lines()}
	for i := range s.Columns {
		v.Columns = append(v.Columns, s.Columns[i].Name)
	}
	list := b.attributes()
	text := make([][]string, len(list)) // for each attribute and number: the value
	kept := make([][]int32, len(list))  // for each attribute and number: the number in the vocabulary; 0: none yet
	for i, a := range list {
		text[i], kept[i] = make([]string, len(a.values)), make([]int32, len(a.values))
		for value, n := range a.values {
			text[i][n-attributeValues] = value
		}
	}
	v.Values = make([][]string, len(list))
	for j, t := range b.templates {
		var features []int32
		for tuple := range t.combinations(b.feature[j]) {
			for p, n := range tuple {
				if n >= attributeValues {
					i := slices.Index(list, t.places[p].attribute)
					at := &kept[i][n-attributeValues]
					if *at == 0 {
						*at = int32(attributeValues + len(v.Values[i]))
						v.Values[i] = append(v.Values[i], text[i][n-attributeValues])
					}
					n = *at
				}
				features = append(features, n)
			}
		}
		if len(t.places) == 0 && b.feature[j][0] >= 0 {
			features = []int32{0} // the bias
		}
		v.Features = append(v.Features, features)
	}
	return v
}

// attributes returns the attributes of the templates, each once, in order of appearance.
func (b *textBuild) attributes() []*attribute {
	var list []*attribute
	for _, t := range b.templates {
		for _, p := range t.places {
			if !slices.Contains(list, p.attribute) {
				list = append(list, p.attribute)
			}
		}
	}
	return list
}

// combinations yields the features of the template in increasing order. Each feature is given by the value numbers at
// the template's places. The argument feature is the template's entry in textBuild.feature.
func (t *template) combinations(feature []int32) func(yield func([]int32) bool) {
	return func(yield func([]int32) bool) {
		tuple := make([]int32, len(t.places))
		for n, f := range feature {
			if f < 0 || len(tuple) == 0 {
				continue
			}
			at := int32(n)
			for j := len(t.join) - 1; j >= 0; j-- {
				pair := t.join[j].pairs[at]
				at, tuple[j+1] = pair[0], pair[1]
			}
			tuple[0] = at
			if !yield(tuple) {
				return
			}
		}
	}
}

// Restore implements models.Restorer.
func (m Model) Restore(text []byte) (models.Decoder, error) {
	if !templatesKey.Match(text) { // only the vocabularies of sentences have templates
		return m.restoreRows(text)
	}
	var v vocabulary
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	b := &textBuild{column: v.Label, labels: v.Labels}
	if len(v.Labels) < 2 {
		return nil, fmt.Errorf("the vocabulary has %d labels: want at least 2", len(v.Labels))
	}
	known := &datasets.Sentences{Start: []int{0}}
	for _, name := range v.Columns {
		known.Columns = append(known.Columns, datasets.Column{Name: name})
	}
	own, err := compile(v.Patterns, lexiconOf(v.Lexicon))
	if err != nil {
		return nil, err
	}
	attributes := newNamed()
	for _, field := range v.Templates {
		t, err := parseTemplate(field, v.Label, known, own, attributes)
		if err != nil {
			return nil, fmt.Errorf("template %q: %w", field, err)
		}
		b.templates = append(b.templates, t)
	}
	if len(v.Values) != len(b.attributes()) || len(v.Features) != len(b.templates) {
		return nil, fmt.Errorf("the vocabulary has the values of %d attributes and the features of %d templates: want %d "+
			"and %d", len(v.Values), len(v.Features), len(b.attributes()), len(b.templates))
	}
	for i, a := range b.attributes() {
		for n, value := range v.Values[i] {
			a.values[value] = int32(attributeValues + n)
		}
	}
	features := int32(0)
	for j, t := range b.templates {
		feature, err := t.restore(v.Features[j], features)
		if err != nil {
			return nil, fmt.Errorf("template %q: %w", v.Templates[j], err)
		}
		b.feature = append(b.feature, feature)
		features += int32(len(v.Features[j]) / max(1, len(t.places)))
	}
	if b.shape, err = m.shape(int(features), len(v.Labels)); err != nil {
		return nil, err
	}
	return newDecoder(b), nil
}

// restore reads the features of a template from list. The features get successive numbers, beginning with the argument
// first. In the result, feature[n] is the feature of combination n, or −1 if combination n is not a feature.
func (t *template) restore(list []int32, first int32) (feature []int32, err error) {
	places := max(1, len(t.places))
	if len(list)%places != 0 || len(t.places) == 0 && len(list) > 1 {
		return nil, fmt.Errorf("there are %d numbers for the features of a template with %d places: want a multiple of the "+
			"number of places, or at most 1 number for a template without places", len(list), len(t.places))
	}
	if places > 1 {
		t.join[places-2].expect(len(list) / places)
	}
	for at := 0; at < len(list); at += places {
		n := int32(0)
		for j, p := range t.places {
			v := list[at+j]
			if v < 0 || int(v) >= attributeValues+len(p.attribute.values) {
				return nil, fmt.Errorf("a feature has the value %d: want 0 to %d", v, attributeValues+len(p.attribute.values)-1)
			}
			if n = v; j > 0 {
				n = t.join[j-1].number(list[at+j-1], v)
				list[at+j] = n // number of the combination of the places up to j
			}
		}
		for int(n) >= len(feature) {
			feature = append(feature, -1)
		}
		if feature[n] >= 0 {
			return nil, errors.New("a feature occurs twice")
		}
		feature[n] = first + int32(at/places)
	}
	return feature, nil
}
