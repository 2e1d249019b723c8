package machine

import "testing"

// TestRates checks that a rate is measured once and then kept, and that working sets of nearly the same size share a
// measurement.
func TestRates(t *testing.T) {
	var r Rates
	calls := 0
	work := func() float64 {
		calls++
		for s := 1.0; s < 1e4; s++ {
			if s*s < 0 {
				return 0
			}
		}
		return 1e4
	}
	first := r.Flops(work)
	made := calls
	if again := r.Flops(work); !(first > 0) || again != first || calls != made {
		t.Errorf("rates %v and %v after %d and %d calls, want one positive rate, measured once", first, again, made, calls)
	}
	if a, b := r.Bandwidth(5000), r.Bandwidth(7000); !(a > 0) || a != b {
		t.Errorf("bandwidths %v and %v of 5000 and 7000 bytes, want the same positive one", a, b)
	}
	if r.Bandwidth(0) != r.Bandwidth(4096) || r.Bandwidth(1e12) != r.Bandwidth(64<<20) {
		t.Error("the size of a working set is not limited to 4 KiB .. 64 MiB")
	}
	if len(r.memory) != 2 {
		t.Errorf("%d sizes were measured, want 2", len(r.memory))
	}
}
