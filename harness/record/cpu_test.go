package record_test

import (
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/solvers"
)

// burn computes until the calling thread has used the CPU time d. The caller must have locked the goroutine to its
// thread.
func burn(d time.Duration) {
	start, _ := machine.Thread()
	for now := start; now < start+d; now, _ = machine.Thread() {
	}
}

// stepping returns a solver that yields four iterates and calls step between consecutive iterates. The evaluation of an
// iterate takes 5 ms.
func stepping(name string, step func(p toy.Given)) toy.Scripted {
	return toy.Scripted{Is: name, Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		w := make([]float64, p.Dim)
		for k := range 4 {
			p.Visit(k)
			if !yield(solvers.Iterate{W: w, Epoch: k, Dual: func() float64 { burn(5 * time.Millisecond); return 0 }}, nil) {
				return
			}
			if k < 3 {
				step(p)
			}
		}
	}}
}

const stepRows = "record: {every: {epochs: 1}}\n"

func needThreadClock(t *testing.T) {
	if _, ok := machine.Thread(); !ok {
		t.Skip("this system has no clock of a thread")
	}
}

// TestCPUSeconds checks that CPU time includes the work of the solver, its workers and its programs. It must exclude
// sleep, evaluation and the phase in which the solver writes and reads files.
func TestCPUSeconds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test uses the processor for a while")
	}
	needThreadClock(t)
	t.Parallel()
	const each = 20 * time.Millisecond
	for name, c := range map[string]struct {
		step      func(p toy.Given)
		low, high time.Duration // limits of the total CPU time of the three steps
	}{
		"sleeps": {func(toy.Given) { time.Sleep(each) }, 0, 3 * each / 2},
		"burns":  {func(toy.Given) { burn(each) }, 3 * each, 5 * each},
		"has workers": {func(p toy.Given) {
			var both sync.WaitGroup // both workers wait here, so they run at the same time, each with one block of examples
			both.Add(2)
			p.Parallel(2).InBlocks(2, 2, func(int, int, int) {
				both.Done()
				both.Wait()
				burn(each)
			})
		}, 6 * each, 8 * each},
		"runs a program":   {func(p toy.Given) { p.Elsewhere(each, 3<<20) }, 3 * each, 5 * each},
		"is in a phase":    {func(p toy.Given) { p.Phase("qp"); burn(each); p.Phase("") }, 3 * each, 5 * each},
		"is off the clock": {func(p toy.Given) { p.Phase("files"); burn(each); p.Phase("") }, 0, 3 * each / 2},
	} {
		t.Run(name, func(t *testing.T) {
			f := toy.Labelled(t, toy.Text(t, toy.Quickly("{epochs: 100}")+stepRows, toy.With(stepping("stepper", c.step))), "as",
				"stepper")
			v := toy.Last(t, f)
			cpu, ok := v[trace.CPUSeconds]
			if !ok || cpu < c.low.Seconds() || cpu > c.high.Seconds() {
				t.Errorf("cpu_seconds = %v (%v), want %v to %v; row %v", cpu, ok, c.low, c.high, v)
			}
			if f.End.CPUSeconds < cpu {
				t.Errorf("CPU seconds of the end line = %v, want at least %v, as in the last row", f.End.CPUSeconds, cpu)
			}
			if qp, ok := v["qp_cpu_seconds"]; name == "is in a phase" && (!ok || qp < c.low.Seconds() || qp > cpu) {
				t.Errorf("qp_cpu_seconds = %v, want %v to %v", qp, c.low, cpu)
			}
		})
	}
}

// TestRunsDoNotCountEachOther checks that the CPU time of a run does not include the CPU time of another run in the
// same process: one run works while the other waits for it.
func TestRunsDoNotCountEachOther(t *testing.T) {
	needThreadClock(t)
	t.Parallel()
	const each = 30 * time.Millisecond
	begun, over := make(chan bool), make(chan bool)
	r := toy.Text(t, toy.Quickly("{epochs: 100}")+stepRows, toy.Workers(3),
		toy.With(stepping("works", func(toy.Given) { begun <- true; burn(each); over <- true })),
		toy.With(stepping("waits", func(toy.Given) { <-begun; <-over })))
	works, waits := toy.Last(t, toy.Labelled(t, r, "as", "works")), toy.Last(t, toy.Labelled(t, r, "as", "waits"))
	if a, b := works[trace.CPUSeconds], waits[trace.CPUSeconds]; a < 3*each.Seconds() || b > a/2 {
		t.Errorf("cpu_seconds = %v (working run) and %v (waiting run); want at least %v, and at most half of the first", a, b,
			3*each.Seconds())
	}
	if waits[trace.Seconds] < works[trace.CPUSeconds]/2 {
		t.Errorf("seconds of the waiting run = %v, want at least %v", waits[trace.Seconds], works[trace.CPUSeconds]/2)
	}
}

// TestWithoutThreadClock checks that, without a clock for threads, columns of CPU time are absent and stop rules count
// wall-clock time.
func TestWithoutThreadClock(t *testing.T) {
	t.Parallel()
	none := toy.CPU(func() (time.Duration, bool) { return 0, false })
	sleeps := stepping("sleeps", func(p toy.Given) { p.Phase("qp"); time.Sleep(20 * time.Millisecond); p.Phase("") })
	f := toy.Labelled(t, toy.Text(t, toy.Quickly("{seconds: 0.03}")+stepRows, none, toy.With(sleeps)), "as", "sleeps")
	toy.WantStatus(t, f, trace.Done, "seconds")
	v := toy.Last(t, f)
	for _, name := range []string{trace.CPUSeconds, "qp_cpu_seconds"} {
		if x, ok := v[name]; ok {
			t.Errorf("%s = %v without a clock for threads, want no such column", name, x)
		}
	}
	if _, ok := v["qp_seconds"]; !ok || v[trace.Seconds] < 0.03 || f.End.CPUSeconds != 0 {
		t.Errorf("last row %v, end %+v; want qp_seconds, at least 0.03 seconds, and no CPU time", v, f.End)
	}
}

// TestSecondsOfRulesAreThoseOfTheCPU checks that stop rules and budgets in seconds count the CPU time, not the
// wall-clock time.
func TestSecondsOfRulesAreThoseOfTheCPU(t *testing.T) {
	t.Parallel()
	var now time.Duration
	var mu sync.Mutex
	clock := func(step time.Duration) toy.Option { // a CPU clock that advances by step at each reading
		return toy.CPU(func() (time.Duration, bool) {
			mu.Lock()
			defer mu.Unlock()
			now += step
			return now, true
		})
	}
	for _, c := range []struct {
		rules  string
		step   time.Duration
		status trace.Status
		rule   string
	}{
		{"{epochs: 100, seconds: 0.01}\n", 0, trace.Done, "converged"},
		{"{epochs: 100, seconds: 2}\n", time.Second, trace.Done, "seconds"},
		{"{epochs: 100}\nbudget: {seconds: 0.01}\n", 0, trace.Done, "converged"},
		{"{epochs: 100}\nbudget: {seconds: 2}\n", time.Second, trace.Budget, ""},
	} {
		sleeps := stepping("sleeps", func(toy.Given) { time.Sleep(10 * time.Millisecond) })
		text := toy.AtC + "solvers: [{as: one, name: ascent, rate: 0.5, stop: {passes: 1}}]\nstop: " + c.rules + stepRows
		f := toy.Labelled(t, toy.Text(t, text, clock(c.step), toy.With(sleeps)), "as", "sleeps")
		toy.WantStatus(t, f, c.status, c.rule)
	}
}

// TestTimedResultsNeedCPUTime checks that a timed experiment does not reuse a result without CPU time, if the system
// has a clock for threads.
func TestTimedResultsNeedCPUTime(t *testing.T) {
	needThreadClock(t)
	dir := t.TempDir()
	text := toy.AtC + "solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 2}\n"
	none := toy.CPU(func() (time.Duration, bool) { return 0, false })
	before := toy.Only(t, toy.Run(t, dir, toy.Spec(t, text), none))
	if same := toy.Only(t, toy.Run(t, dir, toy.Spec(t, text))); same.Manifest.Start != before.Manifest.Start ||
		len(same.Rows) == 0 || same.End.CPUSeconds != 0 {
		t.Errorf("the experiment is not timed, but its finished run was repeated: %+v", same.End)
	}
	now := toy.Only(t, toy.Run(t, dir, toy.Spec(t, text+"figure: {x: cpu_seconds, y: primal}\n")))
	if _, ok := toy.Last(t, now)[trace.CPUSeconds]; !ok {
		t.Errorf("the timed experiment reused a result without CPU time: %v", toy.Last(t, now))
	}
}

// TestLoadIsRecorded checks that a run records the number of processors and the garbage collector's share of CPU time.
// If the load of the machine is known, the run must record it at its start and at its end.
func TestLoadIsRecorded(t *testing.T) {
	f := toy.Only(t, toy.Text(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {passes: 2}\n"))
	if known := machine.Load() != nil; known != (f.Manifest.Load != nil) || known != (f.End.Load != nil) {
		t.Errorf("load at the start %v, at the end %v; want both only if the load is known (%v)", f.Manifest.Load, f.End.Load,
			known)
	}
	if f.Manifest.Processors < 1 || f.End.GC < 0 || f.End.GC > 1 {
		t.Errorf("processors = %d, share of the collector = %v; want at least 1, and 0 to 1", f.Manifest.Processors, f.End.GC)
	}
}
