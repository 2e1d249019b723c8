package prefetch

import "unsafe"

// lines prefetches the lines of the cache that hold the n bytes from p on. If n ≤ 128, it prefetches only the first and
// the last line; at most one line lies between them.
//
//go:noescape
func lines(p unsafe.Pointer, n uintptr)
