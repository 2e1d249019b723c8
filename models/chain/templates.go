package chain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// template is a group of features of a token: what stands at some places around it, taken together. Each combination
// that the training data have is a feature of the value 1. Without places it is the bias, a single feature of every
// token.
type template struct {
	places []place
	join   []*pairTable // of each place but the first: numbers of (number so far, value here)
}

// place is an attribute of the token some positions further on.
type place struct {
	attribute *attribute
	offset    int
}

// wordTemplates returns 22 templates for tagging words. They look at the word, the previous and the next one: the words
// themselves, their prefixes and suffixes, and their lengths; there is also a bias.
func wordTemplates() string {
	var list []string
	for _, offset := range []string{"[0]", "[-1]", "[1]"} {
		for _, name := range []string{"word", "prefix2", "prefix3", "suffix1", "suffix2", "suffix3", "length"} {
			list = append(list, name+offset)
		}
	}
	return strings.Join(append(list, "bias"), " ")
}

// chunkTemplates returns 19 templates for chunking, those of the example that comes with CRFsuite: words and tags in a
// window of two, and conjunctions of neighbouring ones.
func chunkTemplates() string {
	return "word[-2] word[-1] word[0] word[1] word[2] word[-1]|word[0] word[0]|word[1] " +
		"pos[-2] pos[-1] pos[0] pos[1] pos[2] pos[-2]|pos[-1] pos[-1]|pos[0] pos[0]|pos[1] pos[1]|pos[2] " +
		"pos[-2]|pos[-1]|pos[0] pos[-1]|pos[0]|pos[1] pos[0]|pos[1]|pos[2]"
}

// parseTemplates reads templates between spaces: places joined by |, or bias. Attributes are shared between templates.
func parseTemplates(text, label string, s *datasets.Sentences) ([]*template, error) {
	attributes := map[string]*attribute{}
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return nil, fmt.Errorf("features has no template: want some such as %q", "word[0] suffix3[0] word[-1]|word[0] bias")
	}
	var list []*template
	for i, field := range fields {
		if slices.Contains(fields[:i], field) {
			return nil, fmt.Errorf("features: template %q stands twice", field)
		}
		t, err := parseTemplate(field, label, s, attributes)
		if err != nil {
			return nil, fmt.Errorf("features: template %q: %w", field, err)
		}
		list = append(list, t)
	}
	return list, nil
}

func parseTemplate(text, label string, s *datasets.Sentences, attributes map[string]*attribute) (*template, error) {
	t := &template{}
	if text == "bias" {
		return t, nil
	}
	for part := range strings.SplitSeq(text, "|") {
		name, rest, ok := strings.Cut(part, "[")
		digits, closed := strings.CutSuffix(rest, "]")
		offset, err := strconv.Atoi(digits)
		if !ok || !closed || err != nil || name == "" {
			return nil, fmt.Errorf("%q is no place: want name[offset] such as word[-1], several joined by |, or bias alone",
				part)
		}
		if offset < -attributeReach || offset > attributeReach {
			return nil, fmt.Errorf("offset %d: want %d to %d", offset, -attributeReach, attributeReach)
		}
		if name == label {
			return nil, fmt.Errorf("%s is the label: want features of what is known", label)
		}
		a := attributes[name]
		if a == nil {
			if a, err = attributeOf(name, s); err != nil {
				return nil, err
			}
			if a.column == label {
				return nil, fmt.Errorf("%s is made of %s, the label: want features of what is known", name, label)
			}
			attributes[name] = a
		}
		t.places = append(t.places, place{a, offset})
		if len(t.places) > 1 {
			t.join = append(t.join, &pairTable{})
		}
	}
	return t, nil
}

// numbers writes the number of the template's combination at each token of s. New combinations get the next numbers.
func (t *template) numbers(dst []int32, s *datasets.Sentences) {
	if len(t.places) == 0 {
		clear(dst)
		return
	}
	for j, p := range t.places {
		column, err := s.Column(p.attribute.column)
		if err != nil {
			panic("chain: " + err.Error()) // Build has checked
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
