//go:build !(darwin || dragonfly || freebsd || linux || openbsd)

package machine

import "time"

// Process returns false: this system has no clock of CPU time.
func Process() (cpu time.Duration, ok bool) { return 0, false }

// Thread returns false: this system has no clock of CPU time.
func Thread() (cpu time.Duration, ok bool) { return 0, false }
