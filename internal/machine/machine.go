// Package machine says what a run used of its machine, and how busy that was: the CPU time of a thread and of the
// process, its memory, the load, and the share of the garbage collector. What a system does not tell is absent.
package machine

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
)

// Load is the number of processes that were running or ready to run, as a mean over the last minute (Linux); nil where
// it is not known.
func Load() *float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return nil
	}
	return &load
}

// Collector is the CPU time of the process so far, in seconds as the Go runtime estimates them: what its garbage
// collector took, and all that was not idle. The runtime brings both up to date at the end of a collection.
type Collector struct{ collecting, busy float64 }

// NewCollector reads the estimates.
func NewCollector() Collector {
	samples := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(samples)
	var seconds [3]float64
	for i, s := range samples {
		if s.Value.Kind() == metrics.KindFloat64 {
			seconds[i] = s.Value.Float64()
		}
	}
	return Collector{collecting: seconds[0], busy: seconds[1] - seconds[2]}
}

// ShareSince is the collector's share of the process's CPU time between two readings; 0 if no collection ended there.
func (c Collector) ShareSince(before Collector) float64 {
	if c.collecting <= before.collecting || c.busy <= before.busy {
		return 0
	}
	return (c.collecting - before.collecting) / (c.busy - before.busy)
}
