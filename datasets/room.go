package datasets

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"

	"github.com/gaplab/gaplab/internal/machine"
)

// ErrTooLarge is wrapped by errors of Load if the data do not fit in memory.
var ErrTooLarge = errors.New("too large for the memory")

// openFile opens a regular file. It refuses pipes and devices, because reading them may never end, and because gaplab
// may read a file twice.
func openFile(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path) // before os.Open, which could wait forever on a pipe
	if err == nil {
		err = machine.Regular(path, info)
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := os.Open(path)
	return file, info, err
}

// guard is a reader of a text. It fails if the data that are parsed from the text would not fit in memory. Data take up
// to 16 bytes for each byte of text. So if B bytes of memory are available, the guard checks the memory again after the
// next B/16 bytes of text.
type guard struct {
	r    io.Reader
	size int64 // size of the text in bytes; 0: not known
	room func() machine.Room
	live func() int64 // returns the number of bytes on the heap, without garbage

	begun    bool
	at, next int64 // bytes read so far, and value of at from which the memory is checked again
	before   int64 // bytes on the heap before the first read
}

const (
	keptOfByte = 16       // largest number of bytes of data that is parsed from a byte of text
	leastRoom  = 64 << 20 // bytes of memory that must be available to continue, even if the rest of the text is short
)

func newGuard(r io.Reader, size int64) *guard {
	return &guard{r: r, size: size, room: machine.Available, live: func() int64 { runtime.GC(); return machine.Live() }}
}

// Read implements io.Reader.
func (g *guard) Read(b []byte) (int, error) {
	if !g.begun {
		g.begun = true
		if g.next = g.room().Bytes / keptOfByte; g.size == 0 || g.size > g.next { // otherwise the data fit
			g.before = g.live()
		}
	}
	if g.at >= g.next && (g.size == 0 || g.size > g.at) {
		if err := g.look(); err != nil {
			return 0, err
		}
	}
	n, err := g.r.Read(b)
	g.at += int64(n)
	return n, err
}

// look checks the memory. From the memory that the data so far take, it estimates how much memory the rest of the text
// needs. It returns an error if less memory is available. The estimate doubles the size of the data, because rows are
// copied once at the end and because the heap may hold as much garbage as data.
func (g *guard) look() error {
	grown := float64(max(0, g.live()-g.before))
	room, rest := g.room(), max(grown, leastRoom)
	if g.size > 0 && g.at > 0 {
		rest = max(rest, 2*grown*float64(g.size)/float64(g.at)-grown)
	}
	if rest <= float64(room.Bytes) {
		g.next = g.at + max(leastRoom, room.Bytes)/keptOfByte
		return nil
	}
	return fmt.Errorf("%w: the first %s of the text take %s of memory, the rest needs at least %s more, but %s leaves "+
		"only %s; use fewer rows or more memory", ErrTooLarge, machine.Size(float64(g.at)), machine.Size(grown),
		machine.Size(rest), room.By, machine.Size(float64(room.Bytes)))
}
