package record

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// clock reads the wall-clock time and the CPU time of one run. Several runs share a process, so the CPU time of a run
// is less than the CPU time of the process. The CPU time of a run includes
//
//   - the thread of the goroutine that ranges over the solver's iterates, including memory allocation and the share of
//     garbage collection that the Go runtime makes a goroutine do when it allocates;
//   - the threads of the solver's workers, each while it executes its share of a loop over examples;
//   - programs that the solver runs, and the child processes of these programs.
//
// The CPU time of a run excludes the garbage collector's own threads; the end line of a trace has their share. It also
// excludes goroutines that a library starts: gonum's Cholesky factorisation starts some if the order of the matrix is
// at least 321.
type clock struct {
	thread  func() (cpu time.Duration, ok bool) // CPU time of the calling thread; not ok: the system cannot tell
	present func() time.Time                    // time.Now, except in tests
	others  atomic.Int64                        // CPU time of the solver's workers and programs, in nanoseconds
}

// moment is a reading of a clock. Only differences between moments have a meaning. They do not depend on steps of the
// system's clock, because wall has a monotonic reading (see package time).
type moment struct {
	wall time.Time
	cpu  time.Duration
	ok   bool // whether the moment has a CPU time
}

// spent is the time between two moments.
type spent struct {
	wall, cpu time.Duration
}

func (c *clock) now() moment {
	cpu, ok := c.thread()
	return moment{c.present(), cpu + time.Duration(c.others.Load()), ok}
}

// timed measures the wall-clock time until the returned function is called, and adds it to *sum.
func (c *clock) timed(sum *time.Duration) func() {
	begun := c.present()
	return func() { *sum += c.present().Sub(begun) }
}

func (m moment) since(before moment) spent {
	return spent{m.wall.Sub(before.wall), m.cpu - before.cpu}
}

func (s spent) plus(t spent) spent { return spent{s.wall + t.wall, s.cpu + t.cpu} }

func (s spent) minus(t spent) spent { return spent{s.wall - t.wall, s.cpu - t.cpu} }

// write writes the wall-clock seconds and, if cpu is true, the CPU seconds to values, the columns of a row. The names
// of the columns begin with prefix, such as qp_.
func (s spent) write(values map[string]float64, prefix string, cpu bool) {
	values[prefix+trace.Seconds] = s.wall.Seconds()
	if cpu {
		values[prefix+trace.CPUSeconds] = s.cpu.Seconds()
	}
}

// worker calls share, which does one goroutine's share of a loop, and adds the CPU time of this call to the clock.
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

// add adds the CPU time of another thread or of a program.
func (c *clock) add(cpu time.Duration) { c.others.Add(int64(cpu)) }

// workers returns the objective o, but its parallel loops run each goroutine's share by c.worker. Thus the CPU time of
// these goroutines counts.
func (c *clock) workers(o models.Objective) models.Objective {
	switch o := o.(type) {
	case *models.Risk:
		return o.Clocked(c.worker)
	case *models.Generative:
		return o.Clocked(c.worker)
	}
	return o
}
