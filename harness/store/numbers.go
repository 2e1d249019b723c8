package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Weights are stored as whole multiples of a step, which is a power of 2. The error of a stored weight is at most half
// a step, and stepBits makes this at most 2⁻³¹ of the largest weight. A multiple has the form of binary.AppendVarint,
// so that small weights take few bytes. A byte 0 stands for weights that are zero, and the next byte is their number
// minus 1.
const (
	stepBits = 31  // bits of the largest multiple
	zeroRun  = 256 // most zeros that two bytes stand for

	longestVarint = 5 // bytes of the longest multiple
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

// stepOf returns the step for weights, or 0 if it would be too small for a normal number.
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

// decode returns dim weights that were stored as multiples of a step. The caller has compared dim with the number of
// bytes.
func decode(text []byte, dim int, step float64) ([]float64, error) {
	w := make([]float64, dim)
	j, end := 0, len(text)
	text = append(text, make([]byte, 8)...) // so that 8 bytes can be read at each number
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
			return nil, fmt.Errorf("byte %d of %d begins no number", at-n, end)
		}
		w[j] = float64(int64(u>>1)^-int64(u&1)) * step // zigzag, as of binary.Varint
		j++
	}
	if j < dim {
		return nil, fmt.Errorf("%d weights, want %d", j, dim)
	}
	return w, nil
}

// varint returns the number that the first bytes of a word encode, the lowest byte first, and the number of these
// bytes, which is larger than longestVarint if they encode none. Unlike binary.Uvarint it has no branches, since the
// lengths of numbers are hard to predict.
func varint(word uint64) (u uint64, n int) {
	n = bits.TrailingZeros64(^word&0x80_80_80_80_80)/8 + 1 // the last byte has no high bit
	word &= 1<<(8*n) - 1
	u = word&0x7f | word>>1&(0x7f<<7) | word>>2&(0x7f<<14) | word>>3&(0x7f<<21) | word>>4&(0x7f<<28)
	return u, n
}
