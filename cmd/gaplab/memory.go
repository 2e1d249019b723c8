package main

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is the size of the heap, in bytes, at which the garbage collector runs for the first time. By default
// it would run at 4 MB, and then each time the live heap has doubled. In a run on some ten thousand examples it would
// run half a dozen times, free little, and take a tenth of the CPU time.
const firstCollection = 64 << 20

// leastHeap is the size of the heap, in bytes, at which the garbage collector runs for the first time by default
// (GOGC=100).
const leastHeap = 4 << 20

// delayCollection lets the heap grow to firstCollection before the first garbage collection. After this collection, the
// collector has its default setting again. So a process uses at most firstCollection more memory than by default. If
// the user has set GOGC, delayCollection does nothing.
func delayCollection(getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	own := debug.SetGCPercent(100 * firstCollection / leastHeap)
	freed := &struct{ self *int }{} // garbage from the start, so the first collection frees it
	runtime.AddCleanup(freed, func(own int) { debug.SetGCPercent(own) }, own)
}
