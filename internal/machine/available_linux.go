package machine

import "golang.org/x/sys/unix"

// addressSpace returns the limit on the address space of this process, in bytes, if there is one.
func addressSpace() (int64, bool) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_AS, &limit); err != nil || limit.Cur > 1<<62 {
		return 0, false
	}
	return int64(limit.Cur), true
}
