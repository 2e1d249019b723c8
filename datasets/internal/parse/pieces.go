package parse

// pieces collects the elements of a slice whose length is not known in advance. A slice that grows by append copies
// each element about five times into new memory. The type pieces copies each element only once.
type pieces[T any] struct {
	full [][]T // pieces that are full
	last []T   // the piece to which elements are added
	n    int   // number of elements in all pieces
}

// add appends the elements to the collection.
func (p *pieces[T]) add(elements []T) {
	if len(p.last)+len(elements) > cap(p.last) {
		if len(p.last) > 0 {
			p.full = append(p.full, p.last)
		}
		p.last = make([]T, 0, max(p.next(), len(elements)))
	}
	p.last = append(p.last, elements...)
	p.n += len(elements)
}

// next returns the capacity of the next piece, which is small if there are few elements so far.
func (p *pieces[T]) next() int {
	const least, most = 1 << 8, 1 << 17
	return min(most, max(least, p.n))
}

// join returns all elements in one slice, or nil if there are none. Then p is empty.
func (p *pieces[T]) join() []T {
	if p.n == 0 {
		return nil
	}
	all := make([]T, 0, p.n)
	for i, piece := range p.full {
		all = append(all, piece...)
		p.full[i] = nil
	}
	all = append(all, p.last...)
	*p = pieces[T]{}
	return all
}
