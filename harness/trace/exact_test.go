package trace_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/trace"
)

// exactly computes the digest of trace.Exact from its definition, in the simplest way: for each row the columns by
// name, then the warnings.
func exactly(rows []trace.Row) string {
	var text strings.Builder
	for _, r := range rows {
		for _, name := range slices.Sorted(maps.Keys(r.Values)) {
			if name == "seconds" || strings.HasSuffix(name, "_seconds") {
				continue
			}
			var bits [8]byte
			binary.BigEndian.PutUint64(bits[:], math.Float64bits(r.Values[name]))
			text.WriteString(name + "\x00" + string(bits[:]))
		}
		for _, w := range r.Warnings {
			text.WriteString("\x01" + strings.ReplaceAll(w, "\x00", "") + "\x00")
		}
		text.WriteString("\n\x02")
	}
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:])[:32]
}

// TestExact compares the digest of rows with a second implementation, so that the digests in git stay valid.
func TestExact(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rows := rapid.SliceOfN(rowGenerator(), 0, 5).Draw(rt, "rows")
		for i := range rows {
			rows[i].Values = maps.Clone(rows[i].Values)
			rows[i].Values["qp_seconds"] = float64(i)
			if rapid.Bool().Draw(rt, "more") {
				rows[i].Values[rapid.SampledFrom([]string{"a", "zz", "seconds"}).Draw(rt, "column")] = 0.5
			}
		}
		if got, want := trace.Exact(rows), exactly(rows); got != want {
			rt.Fatalf("digest %s, want %s", got, want)
		}
	})
}
