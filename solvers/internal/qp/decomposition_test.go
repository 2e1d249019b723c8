package qp

import (
	"math"
	"testing"
)

// direct returns the inner product g_k·g_l of two columns, computed without a cache.
func direct(b *Blocks, k, l int32) float64 {
	x := make([]float64, len(b.w))
	b.add(x, 1, k)
	return b.dot(l, x)
}

// TestRowCache checks that cached rows of the Gram matrix are correct after columns are added, and after columns with
// and without a cached row are removed. It also checks that rows of remaining columns stay in the cache and are not
// recomputed.
func TestRowCache(t *testing.T) {
	b := randomBlocks(1, 10, 6, 5, 1)
	var c rowCache
	check := func(k int32) {
		t.Helper()
		row := c.get(b, k)
		if len(row) != b.Len() {
			t.Fatalf("row %d has %d entries for %d columns", k, len(row), b.Len())
		}
		for l, got := range row {
			if want := direct(b, k, int32(l)); math.Abs(got-want) > 1e-12 {
				t.Fatalf("row %d, entry %d: %v, want %v", k, l, got, want)
			}
		}
	}
	c.follow(b, 1<<20, 2)
	for _, k := range []int32{0, 1, 7} {
		check(k)
	}
	more := randomBlocks(2, 10, 6, 5, 1)
	for k := range more.Len() {
		lo, hi := more.start[k], more.start[k+1]
		g := sparse()
		g.Index, g.Value = more.index[lo:hi], more.value[lo:hi]
		b.Add(k%10, g, 1)
	}
	c.follow(b, 1<<20, 2)
	check(7)
	for i := range b.blocks { // set α such that Age removes every third column of a block
		for p := range b.blocks[i].alpha {
			if p%3 != 0 {
				b.blocks[i].alpha[p] = 0.1
			}
		}
	}
	if b.Age(1) == 0 {
		t.Fatal("Age dropped no column")
	}
	c.follow(b, 1<<20, 2)
	if len(c.rows) == 0 || len(c.rows) == 3 {
		t.Fatalf("%d of three rows are left, want 1 or 2, because some of their columns were dropped", len(c.rows))
	}
	c.rows[0].entry[0] += 100
	if k := c.rows[0].column; math.Abs(c.get(b, k)[0]-direct(b, k, 0)-100) > 1e-9 {
		t.Error("a cached row was computed again")
	}
	c.rows[0].entry[0] -= 100
	for k := range int32(b.Len()) {
		check(k)
	}
}

// TestRowCacheForgets checks that the cache removes the least recently used row first, and that it never uses the row
// of one working set for another working set.
func TestRowCacheForgets(t *testing.T) {
	b := randomBlocks(1, 10, 6, 5, 1)
	var c rowCache
	c.follow(b, 1, 2)
	for _, k := range []int32{0, 1, 0, 2} {
		c.get(b, k)
	}
	if len(c.rows) != 2 || c.slot[0] < 0 || c.slot[1] >= 0 || c.slot[2] < 0 {
		t.Errorf("slots = %v after requests of rows 0, 1, 0, 2 with memory for two: want rows 0 and 2", c.slot)
	}
	other := randomBlocks(2, 10, 6, 5, 1)
	c.follow(other, 1, 2)
	if got, want := c.get(other, 0)[1], direct(other, 0, 1); got != want {
		t.Errorf("an entry of another working set is %v, want %v", got, want)
	}
}

// TestGramOfBlock checks that the Gram matrix of a block stays correct when columns are added and removed.
func TestGramOfBlock(t *testing.T) {
	b := randomBlocks(3, 4, 30, 5, 1)
	check := func(own *block) {
		t.Helper()
		for a := range own.columns {
			for p, got := range b.gramRow(nil, own, a) {
				if want := direct(b, own.columns[a], own.columns[p]); math.Abs(got-want) > 1e-12 {
					t.Fatalf("entry %d, %d of the Gram matrix is %v, want %v", a, p, got, want)
				}
			}
		}
	}
	for i := range b.blocks {
		own := &b.blocks[i]
		b.extendGram(own)
		check(own)
		for p := range own.alpha {
			if p%4 != 1 {
				own.alpha[p] = 0.01
			}
		}
	}
	b.Age(1)
	own := &b.blocks[2]
	if own.known != len(own.columns) || own.known == 0 {
		t.Fatalf("known = %d, want %d, the number of columns, and not 0", own.known, len(own.columns))
	}
	check(own)
	for range wideBlock {
		b.Add(2, sparse(1, 2, 3), 1)
	}
	b.extendGram(own)
	if own.gram != nil {
		t.Error("the Gram matrix of a wide block is stored, want none")
	}
	check(own)
}

// TestPairsShareAStep checks that Decomposition with five pairs in a step needs at most half as many steps as with one
// pair.
func TestPairsShareAStep(t *testing.T) {
	steps := map[int]int{}
	for _, pairs := range []int{1, 5} {
		steps[pairs] = (&Decomposition{Pairs: pairs}).Solve(randomBlocks(5, 200, 6, 8, 0.1), 1e-3)
	}
	if 2*steps[5] > steps[1] {
		t.Errorf("%d steps of five pairs, want at most half of the %d steps of one pair", steps[5], steps[1])
	}
}
