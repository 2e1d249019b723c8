package gate

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/trace"
)

// workTo compares how many passes two curves need to reach the gap in "at", a row of the reference. It returns the
// ratio of these numbers, now divided by ref, as a number and in words. It returns 0 and "" if the curves have no gap
// or need the same number of passes.
func workTo(ref, now []trace.Row, at trace.Row) (float64, string) {
	g, ok := at.Values[trace.Gap]
	if !ok || g <= floorGap {
		return 0, ""
	}
	return factor(g, workOf(ref, at), workOf(now, at))
}

// workInAll does the same as workTo for the smallest gap of the reference in its last stage. If the smallest gap of the
// new run is slightly larger, for example because of a stop rule on the gap, workInAll uses that gap instead.
func workInAll(ref, now []trace.Row) (float64, string) {
	last := ref[len(ref)-1]
	was, is := workOf(ref, last), workOf(now, last)
	if len(was.gap) == 0 || len(is.gap) == 0 {
		return 0, ""
	}
	g, end := was.gap[len(was.gap)-1], is.gap[len(is.gap)-1]
	if end > g && end <= tolGap*g {
		g = end
	}
	return factor(max(g, floorGap), was, is)
}

// factor returns the ratio of the passes that two curves need to reach the gap g, after to before, as a number and in
// words. It returns 0 and "" if both need the same number of passes.
func factor(g float64, before, after descent) (float64, string) {
	was, is := before.to(g), after.to(g)
	if math.IsInf(is, 1) {
		is = after.to(g * (1 + slackGap)) // allow that the last gap is slightly larger than g
	}
	switch {
	case math.IsInf(is, 1):
		return 0, fmt.Sprintf("gap %.3g is no longer reached, was reached in %.4g passes", g, was)
	case was == is, math.IsInf(was, 1):
		return 0, ""
	case was == 0:
		return 0, fmt.Sprintf("gap %.3g reached in %.4g passes, was reached at the start", g, is)
	}
	return is / was, fmt.Sprintf("gap %.3g reached in %.4g passes, was %.4g: a factor of %.3g in work", g, is, was, is/was)
}

// descent is the smallest gap so far as a function of the passes. It has one element for each row with a new smallest
// gap: its passes and its gap. Hence gap decreases strictly. For interpolation, before contains the passes of the
// previous row.
type descent struct{ passes, gap, before []float64 }

// workOf returns the descent over the rows that have the same stage as the row "like". On a path, a stage is the rows
// at one value of C.
func workOf(rows []trace.Row, like trace.Row) (d descent) {
	last := 0.0 // the passes of the previous row
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

// to returns the passes at which the gap reaches g, or +Inf if it never does.
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
