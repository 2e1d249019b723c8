package coordinate

// columnCache stores columns of an n × n matrix. The least recently used column is dropped first. Columns are allocated
// on demand, and their memory is reused.
type columnCache struct {
	n        int
	most     int     // largest number of columns
	slot     []int32 // index in kept of each column of the matrix, −1 if it is not cached
	kept     []keptColumn
	newest   int32 // the most recently used column in kept
	oldest   int32 // the least recently used column in kept
	computed int   // number of requests for columns that were not cached
}

type keptColumn struct {
	column       int32
	newer, older int32 // neighbours in the list in order of use, −1 at its ends
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

// get returns memory for column i, and whether it contains the entries. If it does not, the caller must write them. The
// slice stays valid until two other columns have been requested.
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

// vacate returns the index of a free place in kept, which is not in the list. If there is none, it drops the least
// recently used column.
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

// unlink removes a place from the list.
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
