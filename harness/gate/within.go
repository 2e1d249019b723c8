package gate

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Within returns a comparison of new runs with references within tolerances. It compares all columns except clocks:
// passes and oracle calls, primal, dual and gap, metrics, and the solver's own quantities. It also compares the work
// that both runs need to reach each gap. metrics lists the columns that are means over validation examples. Runs of
// external programs are skipped.
func Within(metrics ...string) func(experiment string, reference, fresh []*trace.File) []Comparison {
	return func(experiment string, reference, fresh []*trace.File) []Comparison {
		return compare(experiment, reference, fresh, func(ref, now *trace.File) verdict {
			w := within{ref: ref, now: now, metrics: metrics, largest: map[string]float64{}, works: map[float64]works{}}
			return w.verdict()
		})
	}
}

// within compares two curves within tolerances.
type within struct {
	ref, now *trace.File
	metrics  []string
	largest  map[string]float64 // the largest absolute value of each column in the reference
	works    map[float64]works  // the work of both runs, by stage (value of C); stage 0 if C is constant
}

// verdict compares the rows of the reference, in order, with the rows of the new run, and returns the first difference.
// The reference may contain only some rows of its run.
func (w *within) verdict() verdict {
	for _, r := range w.ref.Rows {
		for name, v := range r.Values {
			w.largest[name] = max(w.largest[name], math.Abs(v))
		}
	}
	now, lost := w.matched()
	for i, n := range now {
		if n.Values == nil {
			continue
		}
		if column, m := w.row(w.ref.Rows[i], n); m != "" {
			return w.at(i, column, m)
		}
		if m := w.reached(i, now); m != "" {
			return w.at(i, trace.Gap, m)
		}
	}
	if lost {
		return w.at(len(now), trace.Epoch, "it no longer has this row; "+ends(w.now))
	}
	a, b := max(len(w.now.Rows), w.now.Manifest.Thinned), max(len(w.ref.Rows), w.ref.Manifest.Thinned)
	thinned := w.ref.Manifest.Thinned > 0
	if !thinned && a != b || thinned && apart(passes(w.now), passes(w.ref), tolCount) {
		return verdict{message: fmt.Sprintf("it has %d rows, but the reference has %d: %s, the reference %s", a, b,
			ends(w.now), strings.TrimPrefix(ends(w.ref), "it "))}
	}
	return verdict{}
}

// matched returns, for each row of the reference, the new row with the same stage and epoch. If there is no such new
// row, the new run is too short: lost is true, and the result ends before this row. But if w.now is thinned, the new
// row may have been left out; then the result has a row without values in its place.
func (w *within) matched() (rows []trace.Row, lost bool) {
	type point struct{ stage, epoch float64 }
	of := func(r trace.Row) point { return point{r.Values[trace.Stage], r.Values[trace.Epoch]} }
	at := map[point][]trace.Row{} // the new rows by stage and epoch; an epoch may have several
	for _, r := range w.now.Rows {
		at[of(r)] = append(at[of(r)], r)
	}
	whole := w.ref.Manifest.Thinned == 0 && len(w.ref.Rows) == len(w.now.Rows)
	for i, r := range w.ref.Rows {
		n, ok := nearest(at[of(r)], r.Values[trace.Passes])
		if whole && of(w.now.Rows[i]) == of(r) { // without oracle calls all rows have 0 passes: pair rows by index
			n = w.now.Rows[i]
		}
		if !ok && w.now.Manifest.Thinned == 0 {
			return rows, true
		}
		rows = append(rows, n)
	}
	return rows, false
}

// row compares two rows column by column. It begins with the columns for the progress of the run, such as passes. It
// returns the first column that differs and a message, or "" twice if all columns agree.
func (w *within) row(ref, now trace.Row) (column, message string) {
	names := map[string]bool{}
	for _, r := range []trace.Row{ref, now} {
		for name := range r.Values {
			names[name] = true
		}
	}
	first := append(trace.Always(), trace.Dual, trace.Gap)
	ordered := slices.DeleteFunc(first, func(name string) bool { return !names[name] })
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !slices.Contains(ordered, name) {
			ordered = append(ordered, name)
		}
	}
	for _, name := range ordered {
		if trace.Clock(name) {
			continue
		}
		a, inRef := ref.Values[name]
		b, inNow := now.Values[name]
		switch {
		case !inNow:
			return name, fmt.Sprintf("column %s is in the reference only", name)
		case !inRef:
			return name, fmt.Sprintf("column %s is not in the reference", name)
		}
		if low, high, says := w.band(name, ref); b < low || b > high {
			return name, fmt.Sprintf("%s %.6g, was %.6g (%s; tolerance %s)", name, b, a, change(a, b), says)
		}
	}
	return "", ""
}

// band returns the range of values that are accepted in the column name for a row of the reference, and the tolerance
// in words.
func (w *within) band(name string, ref trace.Row) (low, high float64, says string) {
	v := ref.Values[name]
	a := math.Abs(v)
	share := func(tol, floor float64) (low, high float64, says string) {
		return v - max(tol*a, floor), v + max(tol*a, floor), fmt.Sprintf("%g %%", 100*tol)
	}
	away := func(by float64) (low, high float64, says string) { return v - by, v + by, fmt.Sprintf("%.2g", by) }
	switch {
	case name == trace.C || name == trace.Lambda || name == trace.Stage:
		return share(tolSetting, 0)
	case name == trace.Primal || name == trace.Dual:
		return away(max(tolValue*max(math.Abs(ref.Values[trace.Primal]), math.Abs(ref.Values[trace.Dual])), 1e-15))
	case name == trace.Gap:
		if low = v / tolGap; low <= floorGap {
			low = math.Inf(-1)
		}
		return low, tolGap * max(v, floorGap), fmt.Sprintf("a factor of %d", tolGap)
	case slices.Contains(w.metrics, name):
		scale := max(1, a) // a metric may be a mean cost, larger than 1
		if n := w.now.Manifest.Validation; n > 0 {
			low, high, _ = away(min(1, tolCases/float64(n)) * scale)
			return low, high, fmt.Sprintf("%d of %d examples", tolCases, n)
		}
		return away(tolMetric * scale)
	case slices.Contains(trace.Always(), name):
		return share(tolCount, 0)
	}
	return share(tolCount, max(floorOwn, shareOwn*w.largest[name]))
}

// at returns the verdict that the new run differs at row i of the reference.
func (w *within) at(i int, column, message string) verdict {
	r := w.ref.Rows[i]
	where := fmt.Sprintf("at epoch %g (%.4g passes)", r.Values[trace.Epoch], r.Values[trace.Passes])
	if _, isPath := r.Values[trace.Stage]; isPath {
		where += fmt.Sprintf(" of stage %g, C=%.4g", r.Values[trace.Stage], r.Values[trace.C])
	}
	if _, says := workTo(w.ref.Rows, w.now.Rows, r); says != "" && !strings.Contains(message, says) {
		message += "; " + says
	}
	work, says := workInAll(w.ref.Rows, w.now.Rows)
	if says != "" && !strings.Contains(message, says) {
		message += "; in the end " + says
	}
	return verdict{where + ": " + message, column, r.Values[trace.Passes], work}
}

// nearest returns the row with the closest passes.
func nearest(rows []trace.Row, passes float64) (best trace.Row, ok bool) {
	away := func(r trace.Row) float64 { return math.Abs(r.Values[trace.Passes] - passes) }
	for i, r := range rows {
		if i == 0 || away(r) < away(best) {
			best = r
		}
	}
	return best, len(rows) > 0
}

// passes returns the passes in the last row.
func passes(f *trace.File) float64 {
	if len(f.Rows) == 0 {
		return 0
	}
	return f.Rows[len(f.Rows)-1].Values[trace.Passes]
}

// apart reports whether |a − b| is larger than tol times |a|.
func apart(b, a, tol float64) bool { return math.Abs(a-b) > tol*math.Abs(a) }

// ends describes where a curve ends.
func ends(f *trace.File) string {
	if len(f.Rows) == 0 {
		return "it has no rows"
	}
	last := f.Rows[len(f.Rows)-1].Values
	return fmt.Sprintf("it ends at epoch %g after %.4g passes", last[trace.Epoch], last[trace.Passes])
}

// change describes the change from a to b in percent or, if it is large, as a factor.
func change(a, b float64) string {
	switch ratio := b / a; {
	case a == 0 || ratio < 0:
		return fmt.Sprintf("%+.3g", b-a)
	case ratio > 3 || ratio < 1.0/3:
		return fmt.Sprintf("a factor of %.3g", ratio)
	default:
		return fmt.Sprintf("%+.2g %%", 100*(b-a)/math.Abs(a))
	}
}

// reached compares the work that both runs need to reach g, the gap in row i of the reference. Let W(g) be the number
// of passes at which the smallest gap so far is first at most g, with linear interpolation of (passes, log gap) between
// rows. Let W_ref be W for the reference, and W_now be W for the new run. The curves differ if
//
//	W_now(1.01 g) > 1.05 W_ref(g)  or  W_ref(1.01 g) > 1.05 W_now(g)
//
// The factor 1.01 avoids false alarms where a curve is flat (much work for almost the same gap), the factor 1.05 where
// a curve is steep (almost the same work for very different gaps). now contains the new rows that correspond to the
// rows of the reference.
func (w *within) reached(i int, now []trace.Row) string {
	r := w.ref.Rows[i]
	g, ok := r.Values[trace.Gap]
	if !ok || g <= floorGap {
		return ""
	}
	stage := r.Values[trace.Stage]
	if _, known := w.works[stage]; !known {
		w.works[stage] = works{workOf(w.ref.Rows, r), workOf(now, r)}
	}
	ref, fresh := w.works[stage].ref, w.works[stage].now
	was, is := ref.to(g), fresh.to(g)
	slower := fresh.to(g*(1+slackGap)) > (1+tolWork)*was
	faster := ref.to(g*(1+slackGap)) > (1+tolWork)*is
	if !slower && !faster || math.IsInf(was, 1) {
		return ""
	}
	_, says := factor(g, ref, fresh)
	return fmt.Sprintf("%s (tolerance %g %%)", says, 100*tolWork)
}

// works contains, for one stage, the smallest gap so far of both runs, as functions of the passes (see descent).
type works struct{ ref, now descent }
