package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestStepOf checks the step of weights at the borders of powers of 2 and of the normal numbers.
func TestStepOf(t *testing.T) {
	for _, c := range []struct {
		w    []float64
		want float64
	}{
		{nil, 1}, {[]float64{0, 0}, 1}, {[]float64{1}, 0x1p-30}, {[]float64{math.Nextafter(1, 0)}, 0x1p-31},
		{[]float64{0.25, -3, 1}, 0x1p-29}, {[]float64{-4, 3.5}, 0x1p-28}, {[]float64{math.MaxFloat64}, 0x1p+993},
		{[]float64{0x1p-992}, 0x1p-1022}, {[]float64{math.Nextafter(0x1p-992, 0)}, 0}, {[]float64{5e-324}, 0},
	} {
		if got := stepOf(c.w); got != c.want {
			t.Errorf("the step of %v is %g, want %g", c.w, got, c.want)
		}
	}
}

// TestVarint compares the decoder of numbers with that of package binary, for words with random lowest bytes.
func TestVarint(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	for range 20_000 {
		var text [8]byte
		binary.LittleEndian.PutUint64(text[:], rng.Uint64())
		for i := range rng.IntN(9) {
			text[i] |= 0x80
		}
		want, size := binary.Uvarint(text[:])
		got, n := varint(binary.LittleEndian.Uint64(text[:]))
		if size < 1 || size > longestVarint {
			if n <= longestVarint {
				t.Fatalf("%x: %d bytes, want more than %d", text, n, longestVarint)
			}
		} else if got != want || n != size {
			t.Fatalf("%x: %d of %d bytes, want %d of %d", text, got, n, want, size)
		}
	}
}

// TestEncodeZeros checks sequences of zeros at the borders of the number that two bytes encode, before and behind other
// weights, and that a weight of less than half a step is a zero.
func TestEncodeZeros(t *testing.T) {
	for _, n := range []int{0, 1, 2, 255, 256, 257, 511, 512, 513} {
		for _, w := range [][]float64{make([]float64, n), append(make([]float64, n), 1), append([]float64{-2},
			make([]float64, n)...)} {
			text := encode(w, 1)
			got, err := decode(slices.Clone(text), len(w), 1)
			if want := 2*((n+255)/256) + len(w) - n; err != nil || !slices.Equal(got, w) || len(text) != want {
				t.Errorf("%d zeros of %d weights: %d bytes, error %v; want %d bytes, and the weights back", n, len(w), len(text),
					err, want)
			}
		}
	}
	if got := encode([]float64{0.25, -0.25, 0.5, -0.5}, 1); !bytes.Equal(got, []byte{0, 3}) {
		t.Errorf("four weights of at most half a step give %v, want one sequence of zeros", got)
	}
	if got := encode([]float64{1.5, 2.5, -2.5, math.MaxInt32}, 1); !bytes.Equal(got, []byte{4, 4, 3, 254, 255, 255, 255,
		15}) {
		t.Errorf("ties give %v, want the even multiples 2, 2 and −2", got)
	}
}

// TestDecodeErrors checks which sequences of bytes are weights, and the errors of the others.
func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		text []byte
		dim  int
		step float64
		want string // "": no error
	}{
		{nil, 0, 1, ""}, {nil, 1, 1, "the data end after 0 weights, want 1"},
		{[]byte{2}, 0, 1, "1 bytes follow the last of 0"},
		{[]byte{2, 4}, 2, 1, ""}, {[]byte{2, 4}, 3, 1, "the data end after 2 weights, want 3"},
		{[]byte{2, 4, 6}, 1, 1, "2 bytes follow the last of 1 weights"}, {[]byte{0, 1}, 2, 1, ""},
		{[]byte{0, 1}, 1, 1, "zeros follow the last weight"}, {[]byte{2, 0, 1}, 2, 1, "zeros follow the last weight"},
		{[]byte{0, 1}, 3, 1, "the data end after 2 weights, want 3"}, {[]byte{2, 0}, 2, 1, "zeros follow the last weight"},
		{[]byte{2, 0x80}, 2, 1, "no number begins at byte 1 of 2"},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 1}, 1, 1, "no number begins at byte 0 of 6"},
		{[]byte{0x80, 0x80, 0x80, 0x80, 1}, 1, 1, ""},
		{[]byte{4, 2}, 2, math.MaxFloat64, "weight 0 is +Inf"}, {[]byte{2, 3}, 2, math.MaxFloat64, "weight 1 is -Inf"},
		{[]byte{16, 2}, 2, math.MaxFloat64 / 4, "weight 0 is +Inf"},
		{[]byte{2, 1}, 2, math.NaN(), "weight 0 is NaN"}, {[]byte{0, 0}, 1, math.MaxFloat64, ""},
	} {
		w, err := decode(slices.Clone(c.text), c.dim, c.step)
		if c.want == "" && (err != nil || len(w) != c.dim) || c.want != "" && (err == nil ||
			!strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%v as %d weights: %v, error %v; want %q", c.text, c.dim, w, err, c.want)
		}
	}
}

// TestPackErrors checks the errors of packs whose digest is right, but whose lines are not those of a pack, with the
// number of the line.
func TestPackErrors(t *testing.T) {
	const head = `{"pack":{"format":"gaplab-pack/1","experiment":"p/a","scale":"smoke","runs":1,"common":{"n":3}}}` + "\n"
	run := func(columns, constants string, rows int) string {
		return fmt.Sprintf(`{"run":{"manifest":{"key":"k"},"columns":[%s],"constants":{%s},"rows":%d}}`+"\n", columns,
			constants, rows)
	}
	const other = `{"shared":{"in":"p/b","key":"k","order":1}}` + "\n"
	for _, c := range []struct {
		lines, want string // "": no error
	}{
		{head + run(`"x"`, "", 1) + "[1]\n", ""}, {head + other, ""}, {head + run(`"x"`, "", 1) + `[null,["w"]]` + "\n", ""},
		{head, "f:2: damaged: the pack has 0 runs, but its head counts 1"},
		{head + run("", "", 0) + other, `f:3: damaged: a second run with the key "k"`},
		{head + other + run("", "", 0), `f:3: damaged: a second run with the key "k"`},
		{head + head, "f:2: damaged: unknown kind of line"}, {head + "{}\n", "f:2: damaged: unknown kind of line"},
		{run("", "", 0), "f:1: "}, {`{"other":1}` + "\n", "f:1: "}, {"", "f:1: "},
		{head + `{"runs":1}` + "\n", "f:2: damaged: not a line of a pack: json: unknown field"},
		{head + strings.TrimSpace(other) + "{}\n", "f:2: damaged: more text after the JSON object"},
		{head + run(`"x"`, "", 1) + "[1,2]\n", "f:3: damaged: a row has 2 values, but its run has 1 columns"},
		{head + run(`"x","y"`, "", 1) + "[1]\n", "f:3: damaged: a row has 1 values, but its run has 2 columns"},
		{head + run(`"x"`, "", 1) + "[]\n", "f:3: damaged: a row has 0 values, but its run has 1 columns"},
		{head + run(`"x"`, "", 2) + "[1]\n[a]\n", `f:4: damaged: not a number: "a"`},
		{head + run(`"x"`, "", 1) + "[NaN]\n", `f:3: damaged: not a number: "NaN"`},
		{head + run(`"x"`, "", 1) + "[-inf]\n", `f:3: damaged: not a number: "-inf"`},
		{head + run(`"x"`, "", 1) + "[1e999]\n", `f:3: damaged: not a number: "1e999"`},
		{head + run(`"x"`, "", 1) + "1]\n", "f:3: damaged: not a row"},
		{head + run(`"x"`, "", 1) + "[1\n", "f:3: damaged: not a row"}, {head + run("", "", 1) + "[\n",
			"f:3: damaged: not a row"},
		{head + run("", "", 1) + "\n", "f:3: damaged: not a row"},
		{head + run(`"x"`, "", 1) + "[1,[2]]\n", "f:3: damaged: warnings of a row"},
		{head + `{"run":{"manifest":{"key":7},"rows":0}}` + "\n", "f:2: damaged: manifest: json"},
		{head + `{"shared":{"in":"p/b","key":"k","order":1,"labels":{"C":1e999}}}` + "\n", "f:2: damaged: strconv.Parse"},
	} {
		text := fmt.Appendf([]byte(c.lines), "{\"digest\":\"%x\"}\n", sha256.Sum256([]byte(c.lines)))
		_, runs, err := unpack("f", text)
		if c.want == "" && (err != nil || len(runs) != 1) || c.want != "" && (err == nil ||
			!strings.HasPrefix(err.Error(), c.want) || len(runs) > 0) {
			t.Errorf("%s: %d runs, error %v; want %q", c.lines, len(runs), err, c.want)
		}
		if _, _, err := unpack("f", append(text, "more\n"...)); err == nil || !errors.Is(err, trace.ErrDamaged) &&
			!errors.Is(err, trace.ErrFormat) {
			t.Errorf("%s with text after its digest: error %v, want that it is damaged", c.lines, err)
		}
	}
}
