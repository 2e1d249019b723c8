package machine_test

import (
	"testing"
	"time"

	"github.com/gaplab/gaplab/internal/machine"
)

// TestReference checks that the loop takes time, and that Best keeps the shortest time.
func TestReference(t *testing.T) {
	r := machine.NewReference()
	measured := r.Measure()
	if best := r.Best(measured); measured <= 0 || best <= 0 || best > measured {
		t.Errorf("the loop took %v, the best is %v; want times above 0, and the best no longer than the other", measured,
			best)
	}
	if best := r.Best(time.Nanosecond); best != time.Nanosecond {
		t.Errorf("best = %v, want the nanosecond that was given", best)
	}
	if best := r.Best(time.Hour); best != time.Nanosecond {
		t.Errorf("best = %v after a longer time, want the shorter one", best)
	}
}

func BenchmarkReference(b *testing.B) {
	r := machine.NewReference()
	for b.Loop() {
		r.Measure()
	}
}
