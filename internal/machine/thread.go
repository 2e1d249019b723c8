//go:build darwin || dragonfly || freebsd || linux || openbsd

package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// Process is the CPU time, of user and system, that all threads of this process have had; ok is false where the system
// has no such clock.
func Process() (cpu time.Duration, ok bool) {
	return read(unix.CLOCK_PROCESS_CPUTIME_ID)
}

// Thread is the CPU time, of user and system, that the calling thread has had; ok is false where the system has no such
// clock. Only differences mean something, and only of a goroutine that is locked to its thread.
func Thread() (cpu time.Duration, ok bool) {
	return read(unix.CLOCK_THREAD_CPUTIME_ID)
}

func read(clock int32) (cpu time.Duration, ok bool) {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, false
	}
	return time.Duration(t.Nano()), true
}
