package edition

import (
	"cmp"
	"slices"

	"github.com/gaplab/gaplab/harness/schedule"
)

// Need is what an experiment, or several, still need.
type Need struct {
	Runs    int     // number of runs to make
	Unknown int     // number of these runs whose time is not known
	Seconds float64 // predicted time of the runs whose time is known
	Bytes   int64   // predicted size of their files
	Memory  int64   // largest memory of an earlier run, in bytes; 0: not known
}

// Forecast returns what the experiments still need, each and all together, if they are made in this order. A run that
// an earlier experiment makes for a later one is counted for the earlier one only. workers is the number of runs at the
// same time; runs of timed experiments are made one at a time.
func Forecast(all []*Experiment, workers int) (each []Need, whole Need) {
	s := newStock(all)
	sitting := "" // of the runs to make
	for _, e := range all {
		sitting = cmp.Or(sitting, e.Process)
	}
	for _, e := range all {
		runs, _ := s.remaining(e)
		n := needOf(e, runs, workers)
		each = append(each, n)
		whole.Runs, whole.Unknown, whole.Seconds = whole.Runs+n.Runs, whole.Unknown+n.Unknown, whole.Seconds+n.Seconds
		whole.Bytes, whole.Memory = whole.Bytes+n.Bytes, max(whole.Memory, n.Memory)
		for _, r := range runs {
			s.offer(e, r, sitting, e.Timed || workers == 1)
		}
	}
	return each, whole
}

// needOf returns what the given runs of an experiment need.
func needOf(e *Experiment, runs []schedule.PlannedRun, workers int) Need {
	n := Need{Runs: len(runs)}
	for _, r := range runs {
		n.Seconds, n.Bytes = n.Seconds+r.Whole, n.Bytes+r.Bytes
		if !r.Known {
			n.Unknown++
		}
	}
	if n.Runs > 0 {
		n.Memory = e.Memory
	}
	if !e.Timed {
		n.Seconds /= float64(max(1, workers))
	}
	return n
}

// stock lists the results that exist, by the paper and the hash of the settings.
type stock map[[2]string][]result

// result is one result in a stock.
type result struct {
	of      string // id of the experiment
	sitting string
	alone   bool // no other run was made at the same time
	private bool // other experiments cannot use it
	weights bool // its final weights are saved
}

// newStock returns the results that the experiments have.
func newStock(all []*Experiment) stock {
	s := stock{}
	for _, e := range all {
		for _, r := range e.Runs {
			if finished(r) {
				s.offer(e, r, r.Made.Sitting, r.Made.Alone)
			}
		}
	}
	return s
}

// offer adds a result of an experiment.
func (s stock) offer(e *Experiment, r schedule.PlannedRun, sitting string, alone bool) {
	key := [2]string{e.paper(), r.Plan}
	weights := r.Saves
	if finished(r) {
		weights = r.Made.Weights
	}
	s[key] = append(s[key], result{e.ID, sitting, alone, r.Own, weights})
}

// has reports whether an experiment can use an existing result of a run. If one is not "", only results of this sitting
// count.
func (s stock) has(e *Experiment, r schedule.PlannedRun, one string) bool {
	if finished(r) { // the own result counts, even if other experiments have a better one
		return one == "" || r.Made.Sitting == one
	}
	return slices.ContainsFunc(s[[2]string{e.paper(), r.Plan}], func(o result) bool {
		return o.of != e.ID && !o.private && !r.Own && (one == "" || o.sitting == one) && (!e.Timed || o.alone) &&
			(!r.Saves || o.weights)
	})
}

// remaining returns the runs of an experiment that must be made. For a timed experiment it also returns the sitting to
// which all its results must belong, because only times of one sitting can be compared: if some sitting has made all
// runs, for this experiment or for others, remaining returns this sitting and no runs; otherwise it returns the present
// sitting.
func (s stock) remaining(e *Experiment) (runs []schedule.PlannedRun, one string) {
	missing := func(one string) (out []schedule.PlannedRun) {
		for _, r := range e.Runs {
			if !s.has(e, r, one) {
				out = append(out, r)
			}
		}
		return out
	}
	if e.Process == "" {
		return missing(""), ""
	}
	for _, earlier := range s.sittings(e) {
		if len(missing(earlier)) == 0 {
			return nil, earlier
		}
	}
	return missing(e.Process), e.Process
}

// sittings returns the sittings that have made the first run of an experiment.
func (s stock) sittings(e *Experiment) (out []string) {
	if len(e.Runs) == 0 {
		return nil
	}
	first := e.Runs[0]
	if finished(first) {
		out = append(out, first.Made.Sitting)
	}
	for _, o := range s[[2]string{e.paper(), first.Plan}] {
		out = append(out, o.sitting)
	}
	return slices.DeleteFunc(out, func(sitting string) bool { return sitting == "" })
}
