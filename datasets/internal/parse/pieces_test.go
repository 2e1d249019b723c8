package parse

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPieces checks that join returns the elements in the order in which they were added, whatever the number of
// elements in each call of add, and whatever the estimates in the calls of expect.
func TestPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pieces[int]
		var want []int
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 700), 0, 20).Draw(t, "lengths") {
			if n%7 == 0 {
				p.expect(rapid.IntRange(-1, 3000).Draw(t, "expected"))
			}
			from := len(want)
			for k := range n {
				want = append(want, from+k)
			}
			p.add(want[from:])
			if p.n != len(want) {
				t.Fatalf("%d elements, want %d", p.n, len(want))
			}
		}
		got := p.join()
		if !slices.Equal(got, want) || cap(got) != len(want) {
			t.Fatalf("got %d elements with capacity %d; want the %d added elements in their order, and this capacity",
				len(got), cap(got), len(want))
		}
		if (got == nil) != (len(want) == 0) {
			t.Fatal("join must return nil exactly if there are no elements")
		}
	})
}
