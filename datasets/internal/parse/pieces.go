package parse

// pieces gathers the elements of a slice whose length is not known before its end. An append that outgrows its slice
// again and again copies all elements five times, into memory that is new each time; here they are copied once.
type pieces[T any] struct {
	full [][]T
	last []T
	n    int
}

// add appends elements.
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

// next is the capacity of the next piece: small texts have small ones.
func (p *pieces[T]) next() int {
	const least, most = 1 << 8, 1 << 17
	return min(most, max(least, p.n))
}

// join is all elements in one slice; nil if there are none. The pieces are given up.
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
