package record

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// clock reads the time of the wall and the CPU time of one run. Several runs share a process, so the process's CPU time
// is no run's own. What counts is
//
//   - the thread of the goroutine that ranges over the solver's iterates, which is locked to it: with it the allocation
//     of memory, and the assistance to the garbage collector that the runtime asks of those who allocate;
//   - the threads of the goroutines among which the solver divides loops over examples, each for its share of a loop;
//   - programs that the solver runs, with the processes that these have waited for.
//
// What does not count are the garbage collector's own threads, whose share the end of a trace states, and what a
// library does on goroutines of its own: gonum's Cholesky factorisation, from order 321.
type clock struct {
	thread func() (cpu time.Duration, ok bool) // of the calling thread; not ok: there is no such clock
	others atomic.Int64                        // nanoseconds of workers and programs
}

// moment is a reading of a clock. Only differences mean something.
type moment struct {
	wall time.Time
	cpu  time.Duration
	ok   bool // whether there is CPU time
}

// spent is the time between two moments.
type spent struct {
	wall, cpu time.Duration
}

func (c *clock) now() moment {
	cpu, ok := c.thread()
	return moment{time.Now(), cpu + time.Duration(c.others.Load()), ok}
}

func (m moment) since(before moment) spent {
	return spent{m.wall.Sub(before.wall), m.cpu - before.cpu}
}

func (s spent) plus(t spent) spent { return spent{s.wall + t.wall, s.cpu + t.cpu} }

func (s spent) minus(t spent) spent { return spent{s.wall - t.wall, s.cpu - t.cpu} }

// write puts the seconds into a row, after a prefix such as qp_: those of the wall and, if the run has them, of the
// CPU.
func (s spent) write(values map[string]float64, prefix string, cpu bool) {
	values[prefix+trace.Seconds] = s.wall.Seconds()
	if cpu {
		values[prefix+trace.CPUSeconds] = s.cpu.Seconds()
	}
}

// worker does the share of a loop that a goroutine of its own has, and adds its thread's time.
func (c *clock) worker(share func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, ok := c.thread()
	defer func() {
		if after, still := c.thread(); ok && still {
			c.add(after - before)
		}
	}()
	share()
}

// add counts CPU time that was spent elsewhere.
func (c *clock) add(cpu time.Duration) { c.others.Add(int64(cpu)) }

// workers is an objective whose loops have their goroutines clocked.
func (c *clock) workers(o models.Objective) models.Objective {
	switch o := o.(type) {
	case *models.Risk:
		return o.Clocked(c.worker)
	case *models.Generative:
		return o.Clocked(c.worker)
	}
	return o
}
