package qp

import "slices"

// rowCache stores rows of the Gram matrix of all columns: row k has the entries g_k·g_l for every column l. A full
// cache removes the least recently used row first. Rows stay valid when the working set changes: the cache removes the
// entries of columns that Age has removed, and when a row is used again, it computes the row's entries for new columns.
type rowCache struct {
	of     *Blocks  // the working set whose columns are cached
	aged   int      // Blocks.aged at the last call of follow
	serial []uint32 // copy of Blocks.serial at the last call of follow
	most   int      // largest number of rows
	rows   []cachedRow
	slot   []int32 // for each column: the index of its row in rows, or −1 if the row is not cached
	clock  int     // number of calls of get
}

// cachedRow is a row of the Gram matrix: the inner products of one column with all columns.
type cachedRow struct {
	column int32     // number of the column in Blocks
	used   int       // value of rowCache.clock at the last use
	entry  []float64 // the inner products with the columns 0, 1, ...; columns added since the last use have no entry
}

// follow prepares the cache for the present columns of b. It limits the memory of the rows to `bytes` bytes, but always
// allows at least `least` rows.
func (c *rowCache) follow(b *Blocks, bytes, least int) {
	switch {
	case c.of != b:
		*c = rowCache{of: b}
	case c.aged != b.aged:
		c.renumber(b)
	}
	c.aged, c.serial = b.aged, append(c.serial[:0], b.serial...)
	c.most = max(least, bytes/(8*max(1, b.Len())))
	if len(c.rows) > c.most { // remove the least recently used rows
		slices.SortFunc(c.rows, func(x, y cachedRow) int { return y.used - x.used })
		clear(c.rows[c.most:])
		c.rows = c.rows[:c.most]
	}
	c.slot = slices.Grow(c.slot[:0], b.Len())[:b.Len()]
	for k := range c.slot {
		c.slot[k] = -1
	}
	for i, r := range c.rows {
		c.slot[r.column] = int32(i)
	}
}

// renumber removes the rows and the entries of columns that Age has removed. It finds these columns by their serial
// numbers, which increase in the old list of columns and in the new list.
func (c *rowCache) renumber(b *Blocks) {
	number := make([]int32, len(c.serial))
	next := 0
	for k, serial := range c.serial {
		number[k] = -1
		if next < len(b.serial) && b.serial[next] == serial {
			number[k] = int32(next)
			next++
		}
	}
	c.rows = slices.DeleteFunc(c.rows, func(r cachedRow) bool { return number[r.column] < 0 })
	for i := range c.rows {
		r := &c.rows[i]
		r.column = number[r.column]
		kept := 0
		for k, x := range r.entry {
			if number[k] >= 0 {
				r.entry[kept] = x
				kept++
			}
		}
		r.entry = r.entry[:kept]
	}
}

// get returns row k of the Gram matrix: g_k·g_l for every column l. The slice stays valid until `most` other rows have
// been requested.
func (c *rowCache) get(b *Blocks, k int32) []float64 {
	c.clock++
	if c.slot[k] < 0 {
		c.slot[k] = c.vacate()
		r := &c.rows[c.slot[k]]
		r.column, r.entry = k, r.entry[:0]
	}
	r := &c.rows[c.slot[k]]
	r.used = c.clock
	if known := len(r.entry); known < b.Len() {
		if cap(r.entry) < b.Len() {
			r.entry = append(make([]float64, 0, b.Len()), r.entry...)
		}
		r.entry = r.entry[:b.Len()]
		dense := b.spread(k)
		for l := known; l < b.Len(); l++ {
			r.entry[l] = b.dot(int32(l), dense)
		}
		b.unspread(k)
	}
	return r.entry
}

// vacate returns the index in rows of an element for a new row. If there are already `most` rows, this element is the
// least recently used row, which vacate removes.
func (c *rowCache) vacate() int32 {
	if len(c.rows) < c.most {
		c.rows = append(c.rows, cachedRow{})
		return int32(len(c.rows) - 1)
	}
	oldest := 0
	for i, r := range c.rows {
		if r.used < c.rows[oldest].used {
			oldest = i
		}
	}
	c.slot[c.rows[oldest].column] = -1
	return int32(oldest)
}
