//go:build !(darwin || dragonfly || freebsd || linux || openbsd)

package machine

import "time"

// Process has no clock to read on this system.
func Process() (cpu time.Duration, ok bool) { return 0, false }

// Thread has no clock to read on this system.
func Thread() (cpu time.Duration, ok bool) { return 0, false }
