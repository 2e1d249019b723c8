package schedule_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/solvers"
)

const timed = "figure: {x: cpu_seconds, y: primal}\n"

// hungry adds a solver that allocates a number of megabytes while it runs. If program > 0, the solver also reports that
// it ran a program that used that many bytes of memory.
func hungry(name string, megabytes int, program int64) toy.Option {
	return toy.With(toy.Scripted{Is: name, Do: func(p toy.Given, yield func(solvers.Iterate, error) bool) {
		held := make([]byte, megabytes<<20)
		for i := 0; i < len(held); i += 1 << 10 {
			held[i] = 1
		}
		if program > 0 {
			p.Elsewhere(0, program)
		}
		yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil)
		runtime.KeepAlive(held)
	}})
}

// TestPeakBytes checks the peak memory in the files of runs, one of which runs at a time. An earlier run must not raise
// the peak of a later run. For a run with a program, the peak must be that of the program. If several runs run at a
// time, they must record no memory.
func TestPeakBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test allocates much memory")
	}
	if machine.WatchPeak().Bytes() == 0 {
		t.Skip("this system does not let a process watch its peak")
	}
	options := []toy.Option{toy.Workers(2), hungry("much", 64, 0), hungry("little", 1, 0), hungry("program", 64, 7<<20)}
	r := toy.Text(t, toy.Quickly("{epochs: 100}")+timed, options...)
	peak := func(as string) float64 { return toy.Last(t, toy.Labelled(t, r, "as", as))[trace.PeakBytes] }
	for _, c := range r.Set.Curves {
		if v := c.Final(trace.PeakBytes); v != float64(c.File.End.PeakBytes) || c.File.End.PeakBytes == 0 {
			t.Errorf("%v: final peak_bytes of the curve = %v, of the end line = %d; want them equal and not 0",
				c.Labels["as"], v, c.File.End.PeakBytes)
		}
	}
	if _, kept := toy.Labelled(t, r, "as", "much").Rows[0].Values[trace.PeakBytes]; kept || peak("much") != 0 {
		t.Error("a row has peak_bytes; rows must be equal in two runs, so only the end line may have it")
	}
	much, little := toy.Labelled(t, r, "as", "much").End.PeakBytes, toy.Labelled(t, r, "as", "little").End.PeakBytes
	if much < 64<<20 || much-little < 40<<20 {
		t.Errorf("peak memory = %d bytes with 64 MB allocated, %d with 1 MB; want at least 64 MB and a difference of 40 MB",
			much, little)
	}
	if got := toy.Labelled(t, r, "as", "program").End.PeakBytes; got != 7<<20 {
		t.Errorf("peak memory of a program of 7 MB = %d bytes, want 7 MB", got)
	}
	for _, f := range toy.Text(t, toy.Quickly("{epochs: 100}"), options...).Files {
		if f.Manifest.Labels["as"] != "program" && f.End.PeakBytes != 0 || f.Manifest.DataCPUSeconds != 0 {
			t.Errorf("a run that is not timed has peak memory %d bytes and %v s for its data, want 0 and 0", f.End.PeakBytes,
				f.Manifest.DataCPUSeconds)
		}
	}
}

// seen is toy.Points with a function that is called with the training data whenever they are read.
type seen struct {
	toy.Points `yaml:",inline"`
	note       func(n int, data *datasets.Labelled)
}

func (s *seen) Load(ctx context.Context, from datasets.Source) (*datasets.Set, error) {
	set, err := s.Points.Load(ctx, from)
	if err == nil {
		s.note(s.Train, set.Train.(*datasets.Labelled))
	}
	return set, err
}

// TestDataIsLetGo checks that a data set is read only once for all of its runs, and that the time of reading is
// recorded. The memory of the data must be released before runs on another data set begin.
func TestDataIsLetGo(t *testing.T) {
	reads := map[int]int{}
	held := map[int]weak.Pointer[datasets.Labelled]{}
	watched := func(o *schedule.Options) {
		o.Catalogue.Datasets[0].New = func() any {
			return &seen{toy.Points{Train: 60, Validation: 40, Seed: 1}, func(n int, data *datasets.Labelled) {
				reads[n]++
				held[n] = weak.Make(data)
			}}
		}
	}
	looks := func(o *schedule.Options) {
		o.Wrap = func(s solvers.Solver) solvers.Solver { // called when a run begins, right after its data were read
			runtime.GC()
			here := 0
			for _, data := range held {
				if data.Value() != nil {
					here++
				}
			}
			if here != 1 {
				t.Errorf("%d of %d data sets are in memory, want 1", here, len(held))
			}
			return s
		}
	}
	r := toy.Text(t, `
apiVersion: gaplab/v1
id: own/data
dataset: {name: points, train: {grid: [30, 60, 90]}, validation: 0}
model: {name: classifier, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: ascent}, {name: descent, step: 0.1}]
seeds: [1, 2]
stop: {passes: 1}
`+timed, watched, looks)
	if !r.Ended() || len(reads) != 3 {
		t.Fatalf("ended: %v, reads by size: %v; want it ended with three sizes", r.Ended(), reads)
	}
	for n, times := range reads {
		if times != 1 {
			t.Errorf("the data of %d points were read %d times, want once", n, times)
		}
	}
	_, clock := machine.Process()
	for _, c := range r.Set.Curves {
		if seconds := c.Final(trace.DataCPUSeconds); clock != (seconds > 0) {
			t.Errorf("%v: data_cpu_seconds = %v, want a positive value only if the system measures CPU time (%v)", c.Labels,
				seconds, clock)
		}
		// The least time of the oracle calls is that of one call, times the calls.
		for _, name := range []string{trace.ArithmeticCPUSeconds, trace.MemoryCPUSeconds} {
			calls := c.Final(trace.Passes) * float64(c.File.Manifest.N)
			if least := c.Final(name) / calls; !(least > 0 && least < 1e-3) {
				t.Errorf("%v: %s is %v s for one call, want a positive time of less than a millisecond", c.Labels, name, least)
			}
		}
	}
}
