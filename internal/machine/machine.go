// Package machine measures how much CPU time and memory a run uses, and how busy the machine is: the CPU time of a
// thread and of the process, memory, the load, and the garbage collector's share of the CPU time. Each function states
// in its result if the system does not report the value.
package machine

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"
)

// Load returns the load of the machine: the mean number of processes that were running or ready to run in the last
// minute. It returns nil if the system does not report the load. Linux reports it.
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

// Collector holds two estimates of the Go runtime at one moment, in seconds of CPU time since the start of the process:
// the time of the garbage collector, and all time that was not idle. The runtime updates both at the end of each
// garbage collection.
type Collector struct{ collecting, busy float64 }

// NewCollector returns the present estimates.
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

// ShareSince returns the garbage collector's share of the process's CPU time between the moments of before and c. It is
// 0 if no collection ended between them.
func (c Collector) ShareSince(before Collector) float64 {
	if c.collecting <= before.collecting || c.busy <= before.busy {
		return 0
	}
	return (c.collecting - before.collecting) / (c.busy - before.busy)
}
