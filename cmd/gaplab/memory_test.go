package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// percentage returns the current value of GOGC: by how many percent the live heap grows before the garbage collector
// runs again.
func percentage() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// TestDelayCollection checks that the first collection is delayed, that afterwards GOGC has its old value again, and
// that nothing is delayed if the user has set GOGC.
func TestDelayCollection(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(90))
	delayCollection(func(string) string { return "50" })
	if got := percentage(); got != 90 {
		t.Errorf("with GOGC set, the percentage is %d, want 90 as before", got)
	}
	delayCollection(func(string) string { return "" })
	if got := percentage(); got != 1600 {
		t.Errorf("the percentage is %d before the first collection, want 1600", got)
	}
	for deadline := time.Now().Add(10 * time.Second); percentage() != 90; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatalf("the percentage is %d after a collection, want 90 as before", percentage())
		}
	}
}
