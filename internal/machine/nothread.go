//go:build !(darwin || dragonfly || freebsd || linux || openbsd)

package machine

import "time"

// Process returns ok = false, since this system does not measure CPU time.
func Process() (cpu time.Duration, ok bool) { return 0, false }

// Thread returns ok = false, since this system does not measure CPU time.
func Thread() (cpu time.Duration, ok bool) { return 0, false }
