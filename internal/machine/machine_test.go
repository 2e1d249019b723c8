package machine_test

import (
	"runtime"
	"testing"

	"github.com/gaplab/gaplab/internal/machine"
)

// The thread's clock moves while the thread works.
func TestThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, ok := machine.Thread()
	if !ok {
		t.Skip("this system has no clock of a thread")
	}
	for now := start; now <= start; now, _ = machine.Thread() { // it ends because work counts
	}
}

// The collector's share of the CPU time is one of all of it, and more than none where it has collected.
func TestCollector(t *testing.T) {
	before := machine.NewCollector()
	if share := before.ShareSince(before); share != 0 {
		t.Errorf("a share of %v between a reading and itself", share)
	}
	for range 3 {
		runtime.GC()
	}
	if share := machine.NewCollector().ShareSince(before); !(share > 0 && share <= 1) {
		t.Errorf("a share of %v after three collections", share)
	}
}

func BenchmarkThread(b *testing.B) {
	for b.Loop() {
		machine.Thread()
	}
}
