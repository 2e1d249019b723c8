package lang

import (
	"fmt"
	"slices"
)

// baseOf finds the run whose weights r starts from: the run of the problem named from whose labels agree with those of
// r. It ignores labels that only one of the two runs has, and the labels of model, solver and regularisation. It also
// ignores the seed if the problem from has one run for all seeds.
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
	if len(found) == 0 { // the problem named from may have one run for all seeds
		found = agreeing(append(own, "seed"))
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("problem %v starts from the weights of problem %s; %d runs of %s have its data set, seed "+
			"and fold; accepted: exactly one", r.Labels["problem"], from, len(found), from)
	}
	return found[0], nil
}

// agree reports whether the labels that both runs have are equal, apart from the ignored ones.
func agree(a, b map[string]any, ignored []string) bool {
	for k, v := range a {
		if other, ok := b[k]; ok && other != v && !slices.Contains(ignored, k) {
			return false
		}
	}
	return true
}
