package record

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// clock reads the wall-clock time and the CPU time of one run. Several runs share a process, so the CPU time of a run
// is less than that of the process. It includes
//
//   - the thread that is locked to the goroutine that ranges over the solver's iterates: also its allocation of memory,
//     and the assistance to the garbage collector that the runtime demands of goroutines that allocate;
//   - the threads of the goroutines among which the solver divides loops over examples, each for its share of a loop;
//   - programs that the solver runs, with the child processes that these have waited for.
//
// It leaves out the garbage collector's own threads, whose share the end of a trace states, and goroutines that a
// library starts by itself; gonum's Cholesky factorisation does so from order 321.
type clock struct {
	thread func() (cpu time.Duration, ok bool) // of the calling thread; not ok: the system has no such clock
	others atomic.Int64                        // nanoseconds of workers and programs
}

// moment is a reading of a clock. Only differences between moments have a meaning.
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

// write puts the seconds into a row, under names with a prefix such as qp_: wall-clock time and, if cpu, CPU time.
func (s spent) write(values map[string]float64, prefix string, cpu bool) {
	values[prefix+trace.Seconds] = s.wall.Seconds()
	if cpu {
		values[prefix+trace.CPUSeconds] = s.cpu.Seconds()
	}
}

// worker executes a goroutine's share of a loop, and adds the CPU time of its thread.
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

// add adds CPU time that another thread or program has spent.
func (c *clock) add(cpu time.Duration) { c.others.Add(int64(cpu)) }

// workers returns the objective with the goroutines of its loops on this clock.
func (c *clock) workers(o models.Objective) models.Objective {
	switch o := o.(type) {
	case *models.Risk:
		return o.Clocked(c.worker)
	case *models.Generative:
		return o.Clocked(c.worker)
	}
	return o
}
