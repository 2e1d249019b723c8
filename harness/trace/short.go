package trace

import (
	"maps"
	"slices"
	"strings"
)

// Short replaces long texts in labels by short ones, for people to read. Its keys are the name of a label and the text.
type Short map[string]map[string]string

// longText is the length in bytes from which Abbreviate shortens the texts of a label.
const longText = 30

// Abbreviate returns short texts for long labels of runs that differ in few words, such as templates of features. A
// short text leaves out the words that all texts of the label have in common: "… suffix3[0]" for
// "word[-1] word[0] suffix3[0]". A label whose short texts would not be distinct is not shortened, nor are the names of
// methods, problems and data.
func Abbreviate(all []map[string]any) Short {
	texts := map[string][]string{}
	for _, labels := range all {
		for name, v := range labels {
			if text, ok := v.(string); ok && !slices.Contains(texts[name], text) {
				texts[name] = append(texts[name], text)
			}
		}
	}
	s := Short{}
	for name, list := range texts {
		longest := len(slices.MaxFunc(list, func(a, b string) int { return len(a) - len(b) }))
		if len(list) < 2 || longest < longText || slices.Contains([]string{"as", "problem", "dataset", "model"}, name) {
			continue
		}
		if short := withoutCommon(list); short != nil {
			s[name] = short
		}
	}
	return s
}

// Abbreviate returns short texts for long labels of the curves in the set, as the function Abbreviate does.
func (s *Set) Abbreviate() Short {
	all := make([]map[string]any, len(s.Curves))
	for i, c := range s.Curves {
		all[i] = c.Labels
	}
	return Abbreviate(all)
}

// withoutCommon returns the texts without the words that all of them have. It returns nil if the results are not
// distinct, or if the texts have no word in common.
func withoutCommon(texts []string) map[string]string {
	common := strings.Fields(texts[0])
	for _, text := range texts[1:] {
		words := strings.Fields(text)
		common = slices.DeleteFunc(common, func(w string) bool { return !slices.Contains(words, w) })
	}
	if len(common) == 0 {
		return nil
	}
	out, used := map[string]string{}, map[string]bool{}
	for _, text := range texts {
		own := slices.DeleteFunc(strings.Fields(text), func(w string) bool { return slices.Contains(common, w) })
		short := strings.Join(append([]string{"…"}, own...), " ")
		if used[short] {
			return nil
		}
		out[text], used[short] = short, true
	}
	return out
}

// Of returns labels with their short texts.
func (s Short) Of(labels map[string]any) map[string]any {
	if len(s) == 0 {
		return labels
	}
	out := maps.Clone(labels)
	for name, short := range s {
		text, _ := labels[name].(string)
		if to, ok := short[text]; ok {
			out[name] = to
		}
	}
	return out
}
