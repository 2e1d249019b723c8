//go:build !(darwin || dragonfly || freebsd || linux || openbsd)

package machine

import "time"

// Thread has no clock to read on this system.
func Thread() (cpu time.Duration, ok bool) { return 0, false }
