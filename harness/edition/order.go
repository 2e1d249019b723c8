package edition

import (
	"cmp"
	"slices"

	"github.com/gaplab/gaplab/harness/schedule"
)

// Order sorts experiments for an edition, in place.
//
// Experiments that share runs, or whose claims read each other, form a group. They come next to each other, so that
// their times are of one sitting if possible, and their claims can be judged. Groups come in the order of their time,
// the shortest first: then most experiments are complete early, and a fault of the program shows before the long runs.
// Groups with an experiment of which no time is known come first, when most time is left.
//
// Within a group, timed experiments come first: an experiment that is not timed can use the runs of a timed one, but
// not the other way round, unless one run was made at a time. Then longer experiments come before shorter ones, because
// an experiment that contains the runs of others leaves nothing to make for them. But an experiment comes after those
// that its claims read, and after those that save the weights of a run that it shares and does not save itself: they
// could not use its run. Experiments with failed runs come last of all.
func Order(all []*Experiment, workers int) {
	s := newStock(all)
	need := map[*Experiment]Need{}
	for _, e := range all {
		runs, _ := s.remaining(e)
		need[e] = needOf(e, runs, workers)
	}
	type ranked struct {
		list    []*Experiment
		seconds float64
		unknown bool
	}
	var groups []ranked
	for _, list := range grouped(all) {
		g := ranked{list: arranged(list, need)}
		_, whole := Forecast(g.list, workers)
		g.seconds = whole.Seconds
		g.unknown = slices.ContainsFunc(list, func(e *Experiment) bool {
			return need[e].Runs > 0 && need[e].Unknown == need[e].Runs
		})
		groups = append(groups, g)
	}
	slices.SortStableFunc(groups, func(a, b ranked) int {
		if a.unknown != b.unknown {
			return map[bool]int{true: -1, false: 1}[a.unknown]
		}
		return cmp.Compare(a.seconds, b.seconds)
	})
	at := 0
	for _, last := range []bool{false, true} {
		for _, g := range groups {
			for _, e := range g.list {
				if (e.State() == Failed) == last {
					all[at] = e
					at++
				}
			}
		}
	}
}

// grouped divides experiments into groups: experiments that share runs, or whose claims read each other, are in one
// group. The order of the first members stays.
func grouped(all []*Experiment) (groups [][]*Experiment) {
	for _, e := range all {
		var own []*Experiment
		groups = slices.DeleteFunc(groups, func(g []*Experiment) bool {
			joins := slices.ContainsFunc(g, func(other *Experiment) bool { return linked(e, other) })
			if joins {
				own = append(own, g...)
			}
			return joins
		})
		groups = append(groups, append(own, e))
	}
	return groups
}

// linked reports whether two experiments share runs, or whether the claims of one read the other.
func linked(a, b *Experiment) bool {
	return slices.Contains(a.Reads, b.ID) || slices.Contains(b.Reads, a.ID) || share(a, b)
}

// share reports whether two experiments have a run in common.
func share(a, b *Experiment) bool {
	if a == b || a.paper() != b.paper() {
		return false
	}
	plans := map[string]bool{}
	for _, r := range a.Runs {
		plans[r.Plan] = !r.Own
	}
	for _, r := range b.Runs {
		if plans[r.Plan] && !r.Own {
			return true
		}
	}
	return false
}

// arranged returns the experiments of a group in the order in which they are made.
func arranged(group []*Experiment, need map[*Experiment]Need) []*Experiment {
	left := slices.Clone(group)
	slices.SortStableFunc(left, func(a, b *Experiment) int {
		if a.Timed != b.Timed {
			return map[bool]int{true: -1, false: 1}[a.Timed]
		}
		return cmp.Compare(need[b].Seconds, need[a].Seconds)
	})
	var out []*Experiment
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(e *Experiment) bool {
			return !slices.ContainsFunc(left, func(other *Experiment) bool { return follows(e, other) })
		})
		i = max(i, 0) // experiments that must follow each other: any order
		out = append(out, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return out
}

// follows reports whether an experiment must come after another one: its claims read it, or it would make a run without
// the weights that the other one needs. But a timed experiment cannot use the runs of one that is not timed.
func follows(e, other *Experiment) bool {
	if slices.Contains(e.Reads, other.ID) {
		return true
	}
	if e.paper() != other.paper() || e.Timed && !other.Timed {
		return false
	}
	saves := map[string]bool{}
	for _, r := range other.Runs {
		saves[r.Plan] = r.Saves && !r.Own && !finished(r)
	}
	return slices.ContainsFunc(e.Runs, func(r schedule.PlannedRun) bool { return saves[r.Plan] && !r.Saves && !r.Own })
}
