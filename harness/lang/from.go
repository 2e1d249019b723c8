package lang

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/internal/nearest"
)

// checkFrom refuses problems whose key from names no earlier problem.
func checkFrom(p *faults, list *yaml.Node) bool {
	before := len(p.list)
	var earlier []string
	for i := 0; i < len(list.Content); i += 2 {
		name := list.Content[i].Value
		if from := at(list.Content[i+1], "from"); from != nil && !slices.Contains(earlier, from.Value) {
			accepted := "a problem that stands before this one"
			if len(earlier) > 0 {
				accepted += ": " + strings.Join(earlier, ", ")
			}
			p.add(from.Line, join(join(problemsKey, name), "from"), "no problem %q%s; accepted: %s", from.Value,
				nearest.DidYouMean(from.Value, earlier), accepted)
		}
		earlier = append(earlier, name)
	}
	return len(p.list) == before
}

// beginning finds the run of an earlier problem that r begins with. Labels that only one of the two has do not matter,
// nor do those of model, solver and regularisation, nor the seed if there is one run for all seeds.
func beginning(runs []Run, from string, r Run) (*Run, error) {
	own := []string{"problem", "as", "solver", "model", "loss", "C", "lambda"}
	agreeing := func(ignored []string) (found []*Run) {
		for i := range runs {
			if runs[i].Labels["problem"] == from && agree(runs[i].Labels, r.Labels, ignored) {
				found = append(found, &runs[i])
			}
		}
		return found
	}
	found := agreeing(own)
	if len(found) == 0 { // one earlier run for all seeds
		found = agreeing(append(own, "seed"))
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("problem %v begins with the weights of problem %s, of which %d runs agree with it in data "+
			"set, seed and folds; accepted: exactly one", r.Labels["problem"], from, len(found))
	}
	return found[0], nil
}

// agree reports whether the labels that both runs have are equal, except those that are ignored.
func agree(a, b map[string]any, ignored []string) bool {
	for k, v := range a {
		if other, ok := b[k]; ok && other != v && !slices.Contains(ignored, k) {
			return false
		}
	}
	return true
}
