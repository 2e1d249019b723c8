//go:build !linux

package machine

// addressSpace returns no limit: none is known on this system.
func addressSpace() (int64, bool) { return 0, false }
