package prefetch

import "unsafe"

// lines prefetches the lines of the cache that hold the n > 0 bytes from p on; if n ≤ 128, all but one of them.
//
//go:noescape
func lines(p unsafe.Pointer, n uintptr)
