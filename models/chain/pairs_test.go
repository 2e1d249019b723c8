package chain

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestPairTable compares pairTable with a Go map. The comparison is repeated with several arguments of the method
// expect, smaller and larger than the true number of pairs.
func TestPairTable(t *testing.T) {
	number := rapid.OneOf(rapid.Int32Range(0, 30), rapid.Int32Range(math.MaxInt32-3, math.MaxInt32), rapid.Int32Min(0))
	rapid.Check(t, func(t *rapid.T) {
		var table pairTable
		if n := rapid.IntRange(-1, 300).Draw(t, "expected"); n >= 0 {
			table.expect(n)
		}
		want := map[[2]int32]int32{}
		for range rapid.SampledFrom([]int{0, 5, 2000}).Draw(t, "pairs") {
			pair := [2]int32{number.Draw(t, "a"), number.Draw(t, "b")}
			n, known := want[pair]
			if got, ok := table.find(pair[0], pair[1]); ok != known || ok && got != n {
				t.Fatalf("find(%v) = %d, %v, want %d, %v", pair, got, ok, n, known)
			}
			if !known {
				n = int32(len(want))
				want[pair] = n
			}
			if got := table.number(pair[0], pair[1]); got != n || table.pairs[got] != pair {
				t.Fatalf("number(%v) = %d, want %d", pair, got, n)
			}
		}
		if len(table.pairs) != len(want) {
			t.Fatalf("%d pairs, want %d", len(table.pairs), len(want))
		}
	})
}
