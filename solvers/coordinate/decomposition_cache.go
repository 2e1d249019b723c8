package coordinate

// columnCache stores columns of an n × n matrix. When it is full, it removes the least recently used column. Columns
// are allocated on demand, and the memory of removed columns is reused.
type columnCache struct {
	n        int
	most     int     // largest number of columns
	slot     []int32 // for each column of the matrix: its index in kept, or −1 if the column is not cached
	kept     []keptColumn
	newest   int32 // index in kept of the most recently used column
	oldest   int32 // index in kept of the least recently used column
	computed int   // number of requests for columns that were not cached
}

type keptColumn struct {
	column       int32
	newer, older int32 // indices in kept of the neighbours in the list in order of use, −1 at the list's ends
	entries      []float64
}

// newColumnCache returns a cache of the given number of megabytes, but of at least two columns.
func newColumnCache(n int, megabytes float64) *columnCache {
	c := &columnCache{n: n, most: min(n, 2), slot: make([]int32, n), newest: -1, oldest: -1}
	if fit := megabytes * 1e6 / (8 * float64(n)); fit >= float64(n) {
		c.most = n
	} else if fit > 2 {
		c.most = int(fit)
	}
	for i := range c.slot {
		c.slot[i] = -1
	}
	return c
}

// get returns a slice for the entries of column i. known reports whether the slice already contains the entries; if
// not, the caller must write them. The slice stays valid until two other columns have been requested.
func (c *columnCache) get(i int) (entries []float64, known bool) {
	s := c.slot[i]
	if known = s >= 0; known {
		c.unlink(s)
	} else {
		c.computed++
		s = c.vacate()
		c.slot[i], c.kept[s].column = s, int32(i)
	}
	c.kept[s].newer, c.kept[s].older = -1, c.newest
	if c.newest >= 0 {
		c.kept[c.newest].newer = s
	} else {
		c.oldest = s
	}
	c.newest = s
	return c.kept[s].entries, known
}

// vacate returns the index of an element of kept that holds no column and is not in the list. If kept has its largest
// length, vacate first removes the least recently used column.
func (c *columnCache) vacate() int32 {
	if len(c.kept) < c.most {
		c.kept = append(c.kept, keptColumn{entries: make([]float64, c.n)})
		return int32(len(c.kept) - 1)
	}
	s := c.oldest
	c.slot[c.kept[s].column] = -1
	c.unlink(s)
	return s
}

// unlink removes the element s of kept from the list in order of use.
func (c *columnCache) unlink(s int32) {
	newer, older := c.kept[s].newer, c.kept[s].older
	if newer >= 0 {
		c.kept[newer].older = older
	} else {
		c.newest = older
	}
	if older >= 0 {
		c.kept[older].newer = newer
	} else {
		c.oldest = newer
	}
}
