package prefetch

import "testing"

// TestPrefetch prefetches slices and values that begin and end at many offsets. It checks that this does not fail and
// does not change their contents.
func TestPrefetch(t *testing.T) {
	v := make([]int32, 5000)
	for i := range v {
		v[i] = int32(i)
	}
	for at := range 40 {
		for _, n := range []int{0, 1, 15, 16, 17, 4000} {
			Slice(v[at : at+n])
		}
		Value(&v[at])
	}
	Slice[float64](nil)
	Value(new(struct{}))
	for i, x := range v {
		if x != int32(i) {
			t.Fatalf("after the calls, element %d = %d, want %[1]d", i, x)
		}
	}
}

func BenchmarkSlice(b *testing.B) {
	v := make([]float64, 16)
	for b.Loop() {
		Slice(v)
	}
}
