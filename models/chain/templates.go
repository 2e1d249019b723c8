package chain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// template describes a group of features of a token. It combines the attributes of tokens at some places around the
// token. Each combination of values in the training data is a feature. A template without places has a single feature,
// such as the bias. The value of a feature is 1, or the product of the weights.
type template struct {
	places  []place
	weights []weight
	join    []*pairTable // for each place after the first: numbers of pairs (combination at the places before, value here)
}

// place is an attribute of the token at an offset from the current token.
type place struct {
	attribute *attribute
	offset    int
}

// wordTemplates returns 22 templates for tagging words: a bias, and seven templates each for the current, the previous
// and the next word. These use the word, its prefixes, its suffixes and its length.
func wordTemplates() string {
	var list []string
	for _, offset := range []string{"[0]", "[-1]", "[1]"} {
		for _, name := range []string{"word", "prefix2", "prefix3", "suffix1", "suffix2", "suffix3", "length"} {
			list = append(list, name+offset)
		}
	}
	return strings.Join(append(list, "bias"), " ")
}

// chunkTemplates returns the 19 templates of CRFsuite's chunking example: words and tags up to two tokens away, and
// conjunctions of neighbouring words and tags.
func chunkTemplates() string {
	return "word[-2] word[-1] word[0] word[1] word[2] word[-1]|word[0] word[0]|word[1] " +
		"pos[-2] pos[-1] pos[0] pos[1] pos[2] pos[-2]|pos[-1] pos[-1]|pos[0] pos[0]|pos[1] pos[1]|pos[2] " +
		"pos[-2]|pos[-1]|pos[0] pos[-1]|pos[0]|pos[1] pos[0]|pos[1]|pos[2]"
}

// parseTemplates parses templates separated by spaces. A template is a list of places joined by |, or bias. Templates
// share their attributes.
func parseTemplates(text, label string, s *datasets.Sentences, o own) ([]*template, error) {
	attributes := newNamed()
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, fmt.Errorf(`the setting "features" has no template: want at least one, for example %q`,
			"word[0] suffix3[0] word[-1]|word[0] bias")
	}
	var list []*template
	for i, field := range fields {
		if slices.Contains(fields[:i], field) {
			return nil, fmt.Errorf("features: template %q occurs twice", field)
		}
		t, err := parseTemplate(field, label, s, o, attributes)
		if err != nil {
			return nil, fmt.Errorf("features: template %q: %w", field, err)
		}
		list = append(list, t)
	}
	return list, nil
}

// named has attributes and quantities by their names, which templates share.
type named struct {
	attributes map[string]*attribute
	quantities map[string]*quantity
}

func newNamed() named { return named{map[string]*attribute{}, map[string]*quantity{}} }

// parseTemplate parses one template. It adds new attributes to known.
func parseTemplate(text, label string, s *datasets.Sentences, o own, known named) (*template, error) {
	t := &template{}
	if text == "bias" {
		return t, nil
	}
	for part := range strings.SplitSeq(text, "|") {
		name, rest, ok := strings.Cut(part, "[")
		digits, closed := strings.CutSuffix(rest, "]")
		offset, err := strconv.Atoi(digits)
		if !ok || !closed || err != nil || name == "" {
			return nil,
				fmt.Errorf("%q is not of the form name[offset]: want for example word[-1], or several joined by |, or bias alone",
					part)
		}
		if offset < -attributeReach || offset > attributeReach {
			return nil, fmt.Errorf("offset %d: want %d to %d", offset, -attributeReach, attributeReach)
		}
		if name == label {
			return nil, fmt.Errorf("the column %q is the label to predict: want features of other columns", label)
		}
		if column, ok := strings.CutPrefix(name, numberPrefix); ok {
			w, err := known.weight(column, label, offset, s)
			if err != nil {
				return nil, err
			}
			t.weights = append(t.weights, w)
			continue
		}
		a := known.attributes[name]
		if a == nil {
			if a, err = attributeOf(name, s, o); err != nil {
				return nil, err
			}
			if a.column == label {
				return nil, fmt.Errorf("%q is a function of the column %q, the label to predict: want features of other columns",
					name, label)
			}
			known.attributes[name] = a
		}
		t.places = append(t.places, place{a, offset})
		if len(t.places) > 1 {
			t.join = append(t.join, &pairTable{})
		}
	}
	return t, nil
}

// weight returns the numbers of a column at an offset.
func (k named) weight(column, label string, offset int, s *datasets.Sentences) (weight, error) {
	if column == label {
		return weight{}, fmt.Errorf("the column %q is the label to predict: want features of other columns", label)
	}
	q := k.quantities[column]
	if q == nil {
		c, err := s.Column(column)
		if err != nil {
			return weight{}, fmt.Errorf("%s%s: %w", numberPrefix, column, err)
		}
		q = &quantity{column: column}
		if err := q.extend(c.Text); err != nil {
			return weight{}, err
		}
		k.quantities[column] = q
	}
	return weight{q, offset}, nil
}

// numbers writes to dst the number of the template's combination of values at each token of s. New combinations get the
// next free numbers.
func (t *template) numbers(dst []int32, s *datasets.Sentences) {
	if len(t.places) == 0 {
		clear(dst)
		return
	}
	for j, p := range t.places {
		column, err := s.Column(p.attribute.column)
		if err != nil {
			panic("chain: " + err.Error()) // cannot happen: Build has checked the columns
		}
		for i := range s.Len() {
			lo, hi := s.Start[i], s.Start[i+1]
			for at := lo; at < hi; at++ {
				var v int32
				switch from := at + p.offset; {
				case from < lo:
					v = int32(lo - from - 1)
				case from >= hi:
					v = int32(attributeReach + from - hi)
				default:
					v = p.attribute.number[column.ID[from]]
				}
				if j > 0 {
					v = t.join[j-1].number(dst[at], v)
				}
				dst[at] = v
			}
		}
	}
}
