package machine_test

import (
	"runtime"
	"testing"

	"github.com/gaplab/gaplab/internal/machine"
)

// TestThread checks that the clock of a thread advances while the thread works.
func TestThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start, ok := machine.Thread()
	if !ok {
		t.Skip("this system does not measure the CPU time of a thread")
	}
	for now := start; now <= start; now, _ = machine.Thread() { // the loop ends, since it takes CPU time itself
	}
}

// TestCollector checks that the garbage collector's share of the CPU time is 0 without a collection, and above 0 and at
// most 1 after collections.
func TestCollector(t *testing.T) {
	before := machine.NewCollector()
	if share := before.ShareSince(before); share != 0 {
		t.Errorf("the share between a reading and itself = %v, want 0", share)
	}
	for range 3 {
		runtime.GC()
	}
	if share := machine.NewCollector().ShareSince(before); !(share > 0 && share <= 1) {
		t.Errorf("the share after three collections = %v, want above 0 and at most 1", share)
	}
}

func BenchmarkThread(b *testing.B) {
	for b.Loop() {
		machine.Thread()
	}
}
