package machine

import (
	"os"
	"runtime/debug"
	"strconv"
)

// Peak is the watch of the largest resident memory that this process has had since it began.
type Peak struct{ watched bool }

// WatchPeak begins to watch, after it has given back to the system what the heap does not use (a collection, in
// milliseconds). Other work in the process counts as well. It watches nothing where the system does not let a process
// set its peak back (Linux does).
func WatchPeak() Peak {
	debug.FreeOSMemory()
	return Peak{os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil}
}

// Bytes is the peak so far; 0 if nothing is watched.
func (p Peak) Bytes() int64 {
	if !p.watched {
		return 0
	}
	return peakOf("self")
}

// PeakOf is the largest resident memory, in bytes, that the process of a number has had until now, without that of its
// children; 0 if it has ended, or where the system does not tell (Linux does).
func PeakOf(process int) int64 { return peakOf(strconv.Itoa(process)) }

func peakOf(process string) int64 {
	bytes, _ := field("/proc/"+process+"/status", "VmHWM:")
	return bytes
}
