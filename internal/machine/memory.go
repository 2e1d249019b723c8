package machine

import (
	"os"
	"runtime/debug"
	"strconv"
)

// Peak measures the largest resident memory of this process since WatchPeak.
type Peak struct{ watched bool }

// WatchPeak begins to measure the peak. First it collects garbage and returns unused memory of the heap to the system,
// which takes milliseconds. The measured memory includes the memory of other work in the process. If a process cannot
// reset its peak on this system, nothing is measured. On Linux it can.
func WatchPeak() Peak {
	debug.FreeOSMemory()
	return Peak{os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil}
}

// Bytes returns the peak so far, or 0 if nothing is measured.
func (p Peak) Bytes() int64 {
	if !p.watched {
		return 0
	}
	return peakOf("self")
}

// PeakOf returns the largest resident memory so far, in bytes, of the process with this id, without its children. It
// returns 0 if the process has ended, or if the system does not report this number. Linux reports it.
func PeakOf(process int) int64 { return peakOf(strconv.Itoa(process)) }

func peakOf(process string) int64 {
	bytes, _ := field("/proc/"+process+"/status", "VmHWM:")
	return bytes
}
