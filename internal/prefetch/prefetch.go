// Package prefetch asks the processor for memory that a loop will read soon, so that it need not wait for it then. On
// amd64 that is an instruction; elsewhere nothing happens. No result depends on it.
package prefetch

import "unsafe"

// most is what one call asks for at most, in bytes: the processor itself goes on where a loop reads one line of the
// cache after the other.
const most = 2048

// Slice asks for the elements of v, or the first of them.
func Slice[T any](v []T) {
	if len(v) > 0 {
		lines(unsafe.Pointer(unsafe.SliceData(v)), min(uintptr(len(v))*unsafe.Sizeof(v[0]), most))
	}
}

// Value asks for what v points to.
func Value[T any](v *T) { lines(unsafe.Pointer(v), unsafe.Sizeof(*v)) }
