package lang

import (
	"fmt"
	"slices"
)

// baseOf finds the earlier run that gives run r its initial weights. The parameter from names the problem of the
// earlier run. All labels that the two runs have in common must be equal, except the labels of problem, model, solver
// and regularisation. The seeds may differ if the earlier problem has one run for all seeds.
func baseOf(runs []Run, from string, r Run) (*Run, error) {
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
	if len(found) == 0 { // one run of the problem may serve all seeds
		found = agreeing(append(own, "seed"))
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("problem %v starts from the weights of problem %s; %d runs of %s have the same data set, "+
			"seed and fold; accepted: exactly one", r.Labels["problem"], from, len(found), from)
	}
	return found[0], nil
}

// agree reports whether two runs have equal values of all labels that both have. It does not compare the labels in
// ignored.
func agree(a, b map[string]any, ignored []string) bool {
	for k, v := range a {
		if other, ok := b[k]; ok && other != v && !slices.Contains(ignored, k) {
			return false
		}
	}
	return true
}
