package record

import "time"

// timer sums the time of a run's solver, in total and by phase. It does not include evaluations or the writing of rows.
type timer struct {
	clock     *clock
	phases    phases
	spent     spent         // time of the solver so far, until its clock was last stopped
	aside     spent         // time in the phase files, which the solver's clock excludes
	since     moment        // when the clock was last started
	recording time.Duration // wall-clock time of evaluating iterates and writing rows
	elsewhere int64         // largest resident memory of a program that the solver ran, in bytes; 0: not known
}

func (t *timer) start() {
	t.since = t.clock.now()
	t.phases.start(t.since)
}

func (t *timer) pause() {
	now, before := t.clock.now(), t.aside
	t.phases.stop(now)
	t.aside = t.phases.aside()
	t.spent = t.spent.plus(now.since(t.since)).minus(t.aside.minus(before))
}

// seconds returns the solver's seconds so far, as stop rules and budgets count them. The clock must be stopped.
func (t *timer) seconds() float64 { return t.counted(t.spent) }

// running returns the solver's seconds so far, as seconds does. The clock must be running.
func (t *timer) running() float64 { return t.counted(t.spent.plus(t.clock.now().since(t.since))) }

// counted returns the seconds that stop rules and budgets count: CPU time or, if the system has no CPU clock for
// threads, wall-clock time.
func (t *timer) counted(s spent) float64 {
	if t.since.ok {
		return s.cpu.Seconds()
	}
	return s.wall.Seconds()
}

// write writes the seconds to a row, in total and by phase.
func (t *timer) write(values map[string]float64) {
	t.spent.write(values, "", t.since.ok)
	t.phases.write(values, t.since.ok)
}
