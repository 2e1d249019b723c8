package qp

import "slices"

// Age removes each column whose α was 0 at each of the last `limit` calls of Age, including this one. It returns the
// number of removed columns. With limit 0, Age removes no column. Call Age after each Solve. w does not change.
func (b *Blocks) Age(limit int) (dropped int) {
	for i := range b.blocks {
		own := &b.blocks[i]
		for p, k := range own.columns {
			if own.alpha[p] > 0 {
				b.idle[k] = 0
				continue
			}
			if b.idle[k]++; limit > 0 && int(b.idle[k]) >= limit {
				dropped++
			}
		}
	}
	if dropped > 0 {
		b.drop(limit)
	}
	return dropped
}

// drop removes the columns whose α was 0 at each of the last `limit` calls of Age, and moves the remaining columns so
// that they are again one after the other in memory.
func (b *Blocks) drop(limit int) {
	number := make([]int32, b.Len()) // for each column: its new number, or −1 if it is removed
	kept, end := 0, 0
	for k := range number {
		lo, hi := b.start[k], b.start[k+1]
		if int(b.idle[k]) >= limit {
			number[k] = -1
			continue
		}
		number[k] = int32(kept)
		b.start[kept] = end
		copy(b.value[end:], b.value[lo:hi])
		end += copy(b.index[end:], b.index[lo:hi])
		b.loss[kept], b.norm[kept], b.idle[kept], b.serial[kept] = b.loss[k], b.norm[k], b.idle[k], b.serial[k]
		kept++
	}
	b.start[kept] = end
	b.start, b.index, b.value = fit(b.start, kept+1), fit(b.index, end), fit(b.value, end)
	b.loss, b.norm, b.idle, b.serial = fit(b.loss, kept), fit(b.norm, kept), fit(b.idle, kept), fit(b.serial, kept)
	for i := range b.blocks {
		b.blocks[i].renumber(number)
	}
	b.aged++
}

// renumber gives each column k of the block the new number number[k], and removes the columns whose new number is
// negative.
func (o *block) renumber(number []int32) {
	known, entries := 0, 0
	for p := range o.known {
		if number[o.columns[p]] < 0 {
			continue
		}
		known++
		for q, g := range o.row(p) {
			if number[o.columns[q]] >= 0 {
				o.gram[entries] = g
				entries++
			}
		}
	}
	kept := 0
	for p, k := range o.columns {
		if number[k] >= 0 {
			o.columns[kept], o.alpha[kept] = number[k], o.alpha[p]
			kept++
		}
	}
	o.gram, o.known = fit(o.gram, entries), known
	o.columns, o.alpha = fit(o.columns, kept), fit(o.alpha, kept)
}

// row returns row p of the block's Gram matrix: the inner products of column p of the block with its columns q ≤ p. p
// must be less than known.
func (o *block) row(p int) []float64 { return o.gram[p*(p+1)/2 : (p+1)*(p+2)/2] }

// fit returns s cut to length n. It copies s into a smaller array if more than half of the memory would be unused.
func fit[E any](s []E, n int) []E {
	if cap(s) > 2*n+64 {
		return slices.Clone(s[:n])
	}
	return s[:n]
}
