//go:build darwin || dragonfly || freebsd || linux || openbsd

package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// Thread is the CPU time, of user and system, that the calling thread has had; ok is false where the system has no such
// clock. Only differences mean something, and only of a goroutine that is locked to its thread.
func Thread() (cpu time.Duration, ok bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
