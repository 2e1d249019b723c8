package parse

// pieces collects the elements of a slice whose length is not known in advance. A slice that grows by append copies
// each element about five times into new memory. The type pieces copies each element once, or not at all if the length
// was estimated well.
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

// expect prepares memory for n elements in one piece. n is an estimate: there may be more elements, or fewer.
func (p *pieces[T]) expect(n int) {
	if n <= p.n {
		return
	}
	all := make([]T, 0, n)
	for _, piece := range append(p.full, p.last) {
		all = append(all, piece...)
	}
	p.full, p.last = nil, all
}

// join returns all elements in one slice, or nil if there are none. Then p is empty.
func (p *pieces[T]) join() []T {
	if p.n == 0 {
		return nil
	}
	if len(p.full) == 0 && cap(p.last)-p.n <= p.n/8 { // the rest of the memory is small, and was never written
		all := p.last[:p.n:p.n]
		*p = pieces[T]{}
		return all
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
