package datasets

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/pack"
)

// A file of the folder Parsed holds, in this order:
//
//	magic      "gaplab parsed 1\n"; the number is raised with the form of what follows
//	key        of Source.Load, 64 hexadecimal digits
//	[]readFile  the files that were read, packed
//	Set        packed
//	digest     CRC-32C of all before it, little endian
const magic = "gaplab parsed 1\n"

const digestBytes = 4

func newDigest() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// kinds are the types of Data that are kept. A Treebank is not: its many small nodes take as long as their text.
func kinds() []reflect.Type {
	return []reflect.Type{reflect.TypeFor[Labelled](), reflect.TypeFor[Sequences](), reflect.TypeFor[Sentences](),
		reflect.TypeFor[Discrete](), reflect.TypeFor[CellCounts]()}
}

// path is that of the file with a key.
func (p Parsed) path(key string) string { return filepath.Join(p.Folder, key[:32]+parsedSuffix) }

// earlier is the set that is kept under a key; nil if there is none, or if it is not of the files that there are now.
func (s Source) earlier(ctx context.Context, key string) *Set {
	path := s.Parsed.path(key)
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	set, err := s.unpack(ctx, file, key)
	if err != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // used now; where that cannot be noted, the file may have to make room sooner
	return set
}

// unpack reads a file of the folder. The data go straight into their slices, and count only if the digest is right.
func (s Source) unpack(ctx context.Context, file *os.File, key string) (*Set, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	head, size := []byte(magic+key), info.Size()-digestBytes
	digest := newDigest()
	in := io.TeeReader(io.LimitReader(file, size), digest)
	got := make([]byte, len(head))
	if _, err := io.ReadFull(in, got); err != nil || !bytes.Equal(got, head) {
		return nil, errors.Join(errForeign, err)
	}
	var read []readFile
	r := pack.NewReader(in, size-int64(len(head)), kinds())
	if err := r.Get(&read); err != nil {
		return nil, err
	}
	if !s.same(ctx, read) {
		return nil, errors.New("other files were read")
	}
	set := &Set{}
	if err := errors.Join(r.Get(set), r.End()); err != nil {
		return nil, err
	}
	var want [digestBytes]byte
	if _, err := io.ReadFull(file, want[:]); err != nil || binary.LittleEndian.Uint32(want[:]) != digest.Sum32() {
		return nil, errors.Join(errForeign, err)
	}
	return set, nil
}

// errForeign is the error of a file that is damaged, or that this program has not written.
var errForeign = errors.New("not the parsed data of this key")

// keep writes a set under its name, whole or not at all, and makes room for it. A failure leaves the folder without it.
func (p Parsed) keep(key string, read []readFile, set *Set) {
	if os.MkdirAll(p.Folder, 0o755) != nil {
		return
	}
	out, err := os.CreateTemp(p.Folder, "*"+partSuffix)
	if err != nil {
		return
	}
	defer os.Remove(out.Name()) // gone, if it was renamed
	err = p.write(out, key, read, set)
	if errors.Join(err, out.Close()) == nil && os.Rename(out.Name(), p.path(key)) == nil {
		p.makeRoom(p.path(key))
	}
}

func (p Parsed) write(out io.Writer, key string, read []readFile, set *Set) error {
	digest := newDigest()
	w := &limited{w: io.MultiWriter(out, digest), left: p.Limit - digestBytes}
	if _, err := io.WriteString(w, magic+key); err != nil {
		return err
	}
	packed := pack.NewWriter(w, kinds())
	if err := errors.Join(packed.Put(&read), packed.Put(set)); err != nil {
		return err
	}
	_, err := out.Write(binary.LittleEndian.AppendUint32(nil, digest.Sum32()))
	return err
}

// limited fails behind so many bytes.
type limited struct {
	w    io.Writer
	left int64
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left -= int64(len(b)); l.left < 0 {
		return 0, errors.New("more than the limit of the folder of parsed data")
	}
	return l.w.Write(b)
}
