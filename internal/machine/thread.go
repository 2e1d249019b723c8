//go:build darwin || dragonfly || freebsd || linux || openbsd

package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// Process returns the CPU time (user and system) of all threads of this process. ok is false if the system has no such
// clock.
func Process() (cpu time.Duration, ok bool) {
	return read(unix.CLOCK_PROCESS_CPUTIME_ID)
}

// Thread returns the CPU time (user and system) of the calling thread. ok is false if the system has no such clock.
// Only the difference of two such times is meaningful, and only if both were measured in a goroutine that is locked to
// its thread.
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
