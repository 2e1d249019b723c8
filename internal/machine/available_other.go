//go:build !linux

package machine

// addressSpace returns false, since no limit is known on this system.
func addressSpace() (int64, bool) { return 0, false }
