package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Weights are stored as whole multiples of a step, which is a power of 2. stepBits is chosen so that the error of a
// stored weight, at most half a step, is at most 2⁻³¹ of the largest weight. Each multiple is encoded as by
// binary.AppendVarint, so small weights take few bytes. A byte 0 begins a sequence of weights that are zero; the next
// byte is the number of these weights minus 1.
const (
	stepBits = 31  // bits of the largest multiple, without the sign
	zeroRun  = 256 // largest number of zero weights that a byte 0 and the next byte can encode

	longestVarint = 5 // number of bytes of the longest encoded multiple
)

// ErrNotFinite is wrapped by errors about weights that are NaN or infinite.
var ErrNotFinite = errors.New("want finite numbers")

// finite returns an error that names the first weight that is NaN or infinite.
func finite(w []float64) error {
	for j, x := range w {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("weight %d is %v: %w", j, x, ErrNotFinite)
		}
	}
	return nil
}

// stepOf returns the step for the weights w, or 0 if the step would be smaller than the smallest normal float64.
func stepOf(w []float64) float64 {
	var largest float64
	for _, x := range w {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest) // largest < 2^exponent
	if exponent-stepBits < -1022 {
		return 0
	}
	return math.Ldexp(1, exponent-stepBits)
}

// encode returns finite weights as multiples of a step.
func encode(w []float64, step float64) []byte {
	out := make([]byte, 0, 3*len(w))
	for j := 0; j < len(w); {
		if q := math.RoundToEven(w[j] / step); q != 0 {
			out = binary.AppendVarint(out, int64(q))
			j++
			continue
		}
		from := j
		for j < len(w) && j < from+zeroRun && math.RoundToEven(w[j]/step) == 0 {
			j++
		}
		out = append(out, 0, byte(j-from-1))
	}
	return out
}

// decode returns dim weights that were stored as multiples of a step. The caller must have checked that dim is possible
// for the number of bytes, because decode allocates memory for dim weights.
func decode(text []byte, dim int, step float64) ([]float64, error) {
	w := make([]float64, dim)
	j, end := 0, len(text)
	largest := uint64(0)                    // the largest value of u in the loop
	text = append(text, make([]byte, 8)...) // so that 8 bytes can be read at the position of each number
	for at := 0; at < end; {
		if j == dim {
			return nil, fmt.Errorf("%d bytes follow the last of %d weights", end-at, dim)
		}
		b := text[at]
		if b == 0 {
			if at+1 == end || int(text[at+1]) >= dim-j {
				return nil, errors.New("zeros follow the last weight")
			}
			j += 1 + int(text[at+1])
			at += 2
			continue
		}
		u, n := varint(binary.LittleEndian.Uint64(text[at:]))
		if at += n; n > longestVarint || at > end {
			return nil, fmt.Errorf("no number begins at byte %d of %d", at-n, end)
		}
		w[j] = float64(int64(u>>1)^-int64(u&1)) * step // u>>1 or, if u is odd, −(u>>1) − 1: see binary.Varint
		largest = max(largest, u)
		j++
	}
	if j < dim {
		return nil, fmt.Errorf("the data end after %d weights, want %d", j, dim)
	}
	if bound := float64(largest/2+1) * step; math.IsNaN(bound) || math.IsInf(bound, 0) {
		return w, finite(w)
	}
	return w, nil // do not read w again: reading zeros that were never written would allocate their memory
}

// varint decodes the number in the first bytes of a word, in which the lowest byte comes first. It returns the number
// and the number n of its bytes. n is larger than longestVarint if the bytes do not encode a number. Unlike
// binary.Uvarint, varint has no branches, because the processor would often predict them wrongly.
func varint(word uint64) (u uint64, n int) {
	n = bits.TrailingZeros64(^word&0x80_80_80_80_80)/8 + 1 // in a number, only its last byte has the highest bit 0
	word &= 1<<(8*n) - 1
	u = word&0x7f | word>>1&(0x7f<<7) | word>>2&(0x7f<<14) | word>>3&(0x7f<<21) | word>>4&(0x7f<<28)
	return u, n
}
