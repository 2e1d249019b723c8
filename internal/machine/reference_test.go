package machine

import (
	"testing"
	"time"
)

// TestReference checks that the loop takes time, and that it has a best time after the first series.
func TestReference(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test measures for seconds")
	}
	r := NewReference()
	if measured, best := r.Measure(), r.Best(); measured <= 0 || best <= 0 {
		t.Errorf("the loop took %v, at best %v; want times above 0", measured, best)
	}
}

// TestBest checks that the best time is the shortest median of 15 measurements in a row: neither a few short times
// nor a busy series count.
func TestBest(t *testing.T) {
	var r Reference
	for _, c := range []struct {
		n    int           // number of measurements
		time time.Duration // of each of them
		want time.Duration // best time afterwards
	}{
		{14, 200, 0},  // not enough
		{1, 200, 200}, // the machine was busy during the first series
		{7, 50, 200},  // 8 of the last 15 took 200
		{1, 100, 100}, // the median of 7 times 50, 100 and 7 times 200
		{14, 100, 100},
		{7, 300, 100},
		{30, 300, 100}, // a busy series does not count
		{8, 90, 90},
	} {
		for range c.n {
			r.add(c.time)
		}
		if got := r.Best(); got != c.want {
			t.Errorf("after %d measurements of %v the best time is %v, want %v", c.n, c.time, got, c.want)
		}
	}
}

func BenchmarkReference(b *testing.B) {
	r := NewReference()
	for b.Loop() {
		r.Measure()
	}
}
