package coordinate

// columnCache keeps columns of an n × n matrix, the least recently used dropped first. Columns are allocated on demand,
// and their memory is reused.
type columnCache struct {
	n        int
	most     int     // columns at once
	slot     []int32 // of each column of the matrix in kept, −1 if it is not there
	kept     []keptColumn
	newest   int32 // ends of the list in order of use
	oldest   int32
	computed int // columns that were requested but not cached
}

type keptColumn struct {
	column       int32
	newer, older int32 // neighbours in order of use, −1 at the ends
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

// get returns column i and whether its entries are there; if not, the caller writes them. The slice is borrowed until
// two other columns have been asked for.
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

// vacate returns a place that is not in the list.
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

// unlink takes a place out of the list.
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
