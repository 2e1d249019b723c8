package prefetch

import "unsafe"

// lines asks for the lines of the cache that n > 0 bytes from p on are in; where n ≤ 128, for all but one.
//
//go:noescape
func lines(p unsafe.Pointer, n uintptr)
