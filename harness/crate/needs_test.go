package crate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
)

// TestExactNeeds compares the runs that a run needs with those of a second, slow implementation: the smallest set with
// the run that has the bases of its runs and, for each run that was chosen among several or that a choice ends early,
// all runs of the choice.
func TestExactNeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test plans whole experiments")
	}
	const own = `apiVersion: gaplab/v1
id: my/choice
title: A choice
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [1, 10]}
seeds: [1, 2]
solvers: [{name: eg}, {as: s, name: sgd, eta0: {grid: [0.1, 1]}}]
stop: {passes: 5}
choose: [{solver: s, over: eta0, by: validation_error`
	sizes, free := map[int]bool{}, false // free: whether a run is compared at its end only, so it needs no other
	for _, id := range []string{"eg/fig10", "bethe/tab3", "eg/lem1", "eg/fig09", "bethe/prop4", own + "}]\n",
		own + ", folds: 2}]\n", own + ", at: {passes: 1}}]\n"} {
		e, err := harness.Find(id)
		if strings.HasPrefix(id, own) {
			e, err = harness.Find(written(t, "spec.yaml", []byte(id)))
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.At(lang.ScaleSmoke, nil)
		if strings.HasPrefix(id, own) {
			s, err = e.At("", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		keys := make([]string, len(plan))
		for i, r := range plan {
			keys[i] = origin.PlanKey(r)
		}
		for i, r := range plan {
			free = free || r.Choose != nil && !r.Choose.Final && !r.Early()
			want := map[string]bool{keys[i]: true}
			for before := 0; before < len(want); {
				before = len(want)
				for j, r := range plan {
					if !want[keys[j]] {
						continue
					}
					if r.Base != nil {
						want[origin.PlanKey(*r.Base)] = true
					}
					for k, other := range plan {
						if r.Choose != nil && other.Choose != nil && (r.Choose.Final || r.Early()) &&
							r.Choose.Group == other.Choose.Group {
							want[keys[k]] = true
						}
					}
				}
			}
			if got := needs(plan, keys[i]); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: run %d needs %v, want %v", id, i, got, want)
			}
			sizes[len(want)] = true
		}
	}
	if len(sizes) < 3 || !free {
		t.Errorf("the runs need %v runs, want several numbers; some run is compared at its end: %v", sizes, free)
	}
}
