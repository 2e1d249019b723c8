package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
)

// Exact is a digest over rows: every bit of all columns but clocks, and the warnings. Runs of the same program on the
// same kind of machine have the same digest.
func Exact(rows []Row) string {
	sum := sha256.New()
	var names []string
	var text []byte
	for _, r := range rows {
		names = names[:0]
		for name := range r.Values {
			if !Clock(name) {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		text = text[:0]
		for _, name := range names {
			text = append(append(text, name...), 0)
			text = binary.BigEndian.AppendUint64(text, math.Float64bits(r.Values[name]))
		}
		for _, w := range r.Warnings {
			text = append(append(append(text, 1), bytes.ReplaceAll([]byte(w), []byte{0}, nil)...), 0)
		}
		sum.Write(append(text, '\n', 2))
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Reference returns a thinned copy of a whole run, with about n rows, to compare later runs with. Its manifest
// says how many rows there were, which of them it keeps, and the digest over all of them.
func (f *File) Reference(n int) *File {
	kept := f.Thin(n)
	if f.Manifest.Thinned > 0 {
		return kept // not whole: the other rows are not known
	}
	kept.Manifest.Exact = Exact(f.Rows)
	if len(kept.Rows) < len(f.Rows) {
		kept.Manifest.Kept = thinned(f.Rows, n)
	}
	return kept
}

// Digest is a word of 16 hexadecimal digits for a text: the beginning of its SHA-256.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
