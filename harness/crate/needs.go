package crate

import (
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
)

// Draw returns n of the runs, in their order, drawn uniformly by the seed. Runs of other programs are never drawn. If n
// is at least their number, it returns all.
func Draw(runs []Run, n int, seed uint64) []Run {
	own := slices.DeleteFunc(slices.Clone(runs), func(r Run) bool { return r.File.Manifest.Outside })
	if n >= len(own) {
		return own
	}
	chosen := rand.New(rand.NewPCG(seed, 0)).Perm(len(own))[:n]
	slices.Sort(chosen)
	out := make([]Run, n)
	for i, k := range chosen {
		out[i] = own[k]
	}
	return out
}

// needs returns the plan keys of a run and of all runs that it needs: the runs from whose weights it starts and, if its
// setting was chosen among several or a choice decides where it ends, the runs that the choice compares. It returns nil
// if no run of the plan has the key.
func needs(plan []lang.Run, key string) map[string]bool {
	keys := make([]string, len(plan))
	for i, r := range plan {
		keys[i] = origin.PlanKey(r)
	}
	var out map[string]bool
	open := []string{key}
	add := func(key string) {
		if !out[key] {
			open = append(open, key)
		}
	}
	for len(open) > 0 {
		next := open[0]
		open = open[1:]
		for i, r := range plan {
			if keys[i] != next {
				continue
			}
			if out == nil {
				out = map[string]bool{}
			}
			out[next] = true
			if r.Base != nil {
				add(origin.PlanKey(*r.Base))
			}
			if r.Choose == nil || !r.Early() && !r.Choose.Final {
				continue
			}
			for j, other := range plan {
				if other.Choose != nil && other.Choose.Group == r.Choose.Group {
					add(keys[j])
				}
			}
		}
	}
	return out
}
