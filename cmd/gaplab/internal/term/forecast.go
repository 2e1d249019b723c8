package term

import (
	"math"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
)

// pace estimates the time that a run in progress still needs.
type pace struct {
	began time.Time
	rows  []paceRow // the last rows, at most three
}

// paceRow is a row of a run: when it was recorded, and what it says.
type paceRow struct {
	at     time.Time
	passes float64
	gap    float64 // NaN: not known
	target float64 // largest number of passes; 0: no limit
	stop   float64 // gap at which the run ends; 0: none
}

// record notes a row of the run.
func (p *pace) record(now time.Time, e schedule.Event) {
	row := paceRow{now, e.Passes, e.Gap, e.Target, e.Stop}
	if n := len(p.rows); n > 0 && p.rows[n-1].passes >= row.passes { // a look at the gap between two passes
		p.rows[n-1] = row
		return
	}
	if p.rows = append(p.rows, row); len(p.rows) > 3 {
		p.rows = p.rows[1:]
	}
}

// end estimates the number of passes at the end of the run: its largest number of passes, or the number at which its
// gap has fallen to the gap of the stop rule, whichever is smaller. It is infinite if it cannot be estimated.
func (p *pace) end() float64 {
	n := len(p.rows)
	if n == 0 {
		return math.Inf(1)
	}
	last, end := p.rows[n-1], math.Inf(1)
	if last.target > 0 {
		end = last.target
	}
	switch {
	case last.stop <= 0 || math.IsNaN(last.gap):
		return end
	case n < 3 || p.rows[0].passes <= 0: // the gap will probably end the run, but its rate is not known yet
		return math.Inf(1)
	}
	// The gap falls geometrically or as a power of the passes, whichever of the two rates has changed less.
	rate := func(of func(passes float64) float64) (rate, change float64) {
		first := math.Log(p.rows[0].gap/p.rows[1].gap) / (of(p.rows[1].passes) - of(p.rows[0].passes))
		rate = math.Log(p.rows[1].gap/last.gap) / (of(last.passes) - of(p.rows[1].passes))
		return rate, math.Abs(math.Log(rate / first))
	}
	geometric, changed := rate(func(passes float64) float64 { return passes })
	power, bent := rate(math.Log)
	if !(geometric > 0) || math.IsNaN(changed) || math.IsNaN(bent) { // the gap has risen, or is not known
		return end
	}
	ahead := math.Log(max(1, last.gap/last.stop))
	if changed < bent {
		return min(end, last.passes+ahead/geometric)
	}
	return min(end, last.passes*math.Exp(ahead/power))
}

// done returns the fraction of the run that is done; 0 if it is not known.
func (p *pace) done() float64 {
	if len(p.rows) == 0 {
		return 0
	}
	return min(1, p.rows[len(p.rows)-1].passes/p.end())
}

// left returns the time until the run ends, if its passes take as long as before. ok is false if no estimate is
// possible.
func (p *pace) left(now time.Time) (left time.Duration, ok bool) {
	done := p.done()
	if done == 0 {
		return 0, false
	}
	last := p.rows[len(p.rows)-1]
	left = time.Duration(float64(last.at.Sub(p.began))*(1/done-1)) - now.Sub(last.at)
	return max(left, 0), true
}

// lenient is the time that an estimate may exceed the last one without being printed.
const lenient = 10 * time.Second

// forecast estimates the time until all runs of an experiment have ended.
type forecast struct {
	ends    int           // number of runs that have ended in this call
	time    time.Duration // sum of their times
	at      time.Time     // when the last estimate was made; zero: none since the last run ended
	allowed time.Duration // the last estimate
	most    int           // largest number of runs at a time so far
}

// ended notes the time of a run that has ended. The next estimate may be longer than the last one.
func (f *forecast) ended(took time.Duration) {
	f.ends++
	f.time += took
	f.at = time.Time{}
}

// left estimates the remaining time from the runs in progress and the number of runs that have not begun. These are
// assumed to take as long as the others on average. As long as no run ends, an estimate ends no later than the one
// before, unless it is twice as long and more: then the runs have become slower. ok is false if no estimate is
// possible.
func (f *forecast) left(now time.Time, running []*pace, waiting int) (left time.Duration, ok bool) {
	whole, known, longest := f.time, f.ends, time.Duration(0)
	var rest time.Duration
	for _, r := range running {
		own, ok := r.left(now)
		so := now.Sub(r.began)
		if !ok {
			if f.ends == 0 {
				return 0, false
			}
			own = max(0, f.time/time.Duration(f.ends)-so)
		}
		whole += so + own
		known++
		rest += own
		longest = max(longest, own)
	}
	if len(running)+waiting <= 0 || whole < time.Second { // also if no time is known
		return 0, false
	}
	f.most = max(f.most, len(running))
	rest += time.Duration(waiting) * whole / time.Duration(known)
	left = max(longest, rest/time.Duration(max(1, min(f.most, len(running)+waiting))))
	if !f.at.IsZero() {
		before := max(0, f.allowed-now.Sub(f.at))
		if left > before && left <= 2*before+lenient {
			left = before
		}
	}
	f.at, f.allowed = now, left
	if left > time.Minute {
		return left.Round(10 * time.Second), true
	}
	return max(left.Round(time.Second), time.Second), true
}
