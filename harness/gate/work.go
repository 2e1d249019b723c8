package gate

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/trace"
)

// reached compares the work to reach the gap of record i of the reference: W(g), in passes, is where the smallest gap
// so far comes down to g, with straight lines between rows of (passes, log gap). A curve moves if
//
//	W_now(1.01 g) > 1.05 W_ref(g)  or  W_ref(1.01 g) > 1.05 W_now(g)
//
// so that neither a flat stretch (any work, much the same gap) nor a steep one (any gap, much the same work) is an
// alarm. now holds the fresh rows at the records of the reference.
func (w *within) reached(i int, now []trace.Row) string {
	r := w.ref.Rows[i]
	g, ok := r.Values[trace.Gap]
	if !ok || g <= floorGap {
		return ""
	}
	ref, fresh := workOf(w.ref.Rows, r), workOf(now, r)
	was, is := ref.to(g), fresh.to(g)
	slower := fresh.to(g*(1+slackGap)) > (1+tolWork)*was
	faster := ref.to(g*(1+slackGap)) > (1+tolWork)*is
	if !slower && !faster || math.IsInf(was, 1) {
		return ""
	}
	_, says := factor(g, was, is)
	return fmt.Sprintf("%s (tolerance %g %%)", says, 100*tolWork)
}

// workTo is the factor in passes to reach the gap that the reference has in a row of its own, over all rows of both
// curves, and the same in words; 0 and "" if the curves have
// no gap, or it is the same.
func workTo(ref, now []trace.Row, at trace.Row) (float64, string) {
	g, ok := at.Values[trace.Gap]
	if !ok || g <= floorGap {
		return 0, ""
	}
	is := workOf(now, at)
	if math.IsInf(is.to(g), 1) {
		return factor(g, workOf(ref, at).to(g), is.to(g*(1+slackGap))) // the last gap, but for a little
	}
	return factor(g, workOf(ref, at).to(g), is.to(g))
}

func factor(g, was, is float64) (float64, string) {
	switch {
	case math.IsInf(is, 1):
		return 0, fmt.Sprintf("gap %.3g is not reached any more, was in %.4g passes", g, was)
	case was == is, math.IsInf(was, 1):
		return 0, ""
	case was == 0:
		return 0, fmt.Sprintf("gap %.3g in %.4g passes, was at the start", g, is)
	}
	return is / was, fmt.Sprintf("gap %.3g in %.4g passes, was %.4g: a factor of %.3g in work", g, is, was, is/was)
}

// descent is a curve of the smallest gap so far against passes: both lists fall and rise strictly.
type descent struct{ passes, gap, before []float64 }

// workOf is the descent of the rows of one stage, that of a row.
func workOf(rows []trace.Row, like trace.Row) (d descent) {
	last := 0.0 // passes of the row before
	for _, r := range rows {
		g, ok := r.Values[trace.Gap]
		if !ok || r.Values[trace.Stage] != like.Values[trace.Stage] {
			continue
		}
		p := r.Values[trace.Passes]
		if n := len(d.gap); n == 0 || g < d.gap[n-1] {
			d.passes, d.gap, d.before = append(d.passes, p), append(d.gap, max(g, 1e-16)), append(d.before, last)
		}
		last = p
	}
	return d
}

// to is the passes at which the gap comes down to g; +Inf if it does not.
func (d descent) to(g float64) float64 {
	for i, v := range d.gap {
		switch {
		case v > g:
		case i == 0 || v == g:
			return d.passes[i]
		default:
			share := math.Log(d.gap[i-1]/g) / math.Log(d.gap[i-1]/v)
			return d.before[i] + share*(d.passes[i]-d.before[i])
		}
	}
	return math.Inf(1)
}
