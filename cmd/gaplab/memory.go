package main

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is the size of the heap, in bytes, at which the garbage collector runs for the first time. By its own
// rule it would run at 4 MB, and then each time the live heap has doubled. A run on some ten thousand examples would
// end after half a dozen collections that free little, and they take a tenth of its CPU time.
const firstCollection = 64 << 20

// leastHeap is the size of the heap at which the garbage collector runs first if the percentage of its rule is 100.
const leastHeap = 4 << 20

// delayCollection lets the heap grow to firstCollection before the first collection; the collector then follows its own
// rule. So a process has at most firstCollection more memory than by that rule alone. If the user has set GOGC, the
// rule is the user's, and delayCollection does nothing.
func delayCollection(getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	own := debug.SetGCPercent(100 * firstCollection / leastHeap)
	freed := &struct{ self *int }{} // garbage from the start, so the first collection frees it
	runtime.AddCleanup(freed, func(own int) { debug.SetGCPercent(own) }, own)
}
