// Package prefetch asks the processor to load memory that a loop will read soon, so that the loop need not wait for it.
// On amd64 this is an instruction; elsewhere nothing happens. No result depends on it.
package prefetch

import "unsafe"

// most is the largest number of bytes that one call asks for. The processor itself continues where a loop reads one
// line of the cache after another.
const most = 2048

// Slice prefetches the elements of v, at most the first 2 kB.
func Slice[T any](v []T) {
	if len(v) > 0 {
		lines(unsafe.Pointer(unsafe.SliceData(v)), min(uintptr(len(v))*unsafe.Sizeof(v[0]), most))
	}
}

// Value prefetches what v points to.
func Value[T any](v *T) { lines(unsafe.Pointer(v), unsafe.Sizeof(*v)) }
