package record

import "time"

// timer adds up the time of a run's solver, which leaves out evaluation and rows, by phase and in all.
type timer struct {
	clock     *clock
	phases    phases
	spent     spent         // by the solver so far
	aside     spent         // in phases that are off the solver's clock
	since     moment        // of the last start
	recording time.Duration // wall-clock time of evaluations and rows
	elsewhere int64         // bytes: the largest resident memory of a program that the solver ran; 0: none, or not known
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

// seconds returns the solver's seconds so far, as stop rules and budgets count them, while the clock stands.
func (t *timer) seconds() float64 { return t.counted(t.spent) }

// running returns the solver's seconds so far while the clock runs.
func (t *timer) running() float64 { return t.counted(t.spent.plus(t.clock.now().since(t.since))) }

// counted returns the seconds that stop rules and budgets count: CPU time, or wall-clock time on a system without a
// clock of CPU time.
func (t *timer) counted(s spent) float64 {
	if t.since.ok {
		return s.cpu.Seconds()
	}
	return s.wall.Seconds()
}

// write puts the seconds into a row, in all and by phase.
func (t *timer) write(values map[string]float64) {
	t.spent.write(values, "", t.since.ok)
	t.phases.write(values, t.since.ok)
}
