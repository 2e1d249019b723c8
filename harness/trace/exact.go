package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
)

// Exact returns a digest of rows, which covers the warnings and every bit of all columns except times (see Clock). The
// same program on the same kind of machine gives the same digest.
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

// Reference returns a copy of a run for comparison with later runs, with about n of its rows (see Thin). The manifest
// of the copy records the run's number of rows, the indices of the rows in the copy, and the digest of all rows. If
// rows of the run have been removed before, Reference adds no digest, since it does not know these rows.
func (f *File) Reference(n int) *File {
	kept := f.Thin(n)
	if f.Manifest.Thinned > 0 {
		return kept
	}
	kept.Manifest.Exact = Exact(f.Rows)
	if len(kept.Rows) < len(f.Rows) {
		kept.Manifest.Kept = thinned(f.Rows, n)
	}
	return kept
}

// Digest returns the first 16 hexadecimal digits of a text's SHA-256.
func Digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
