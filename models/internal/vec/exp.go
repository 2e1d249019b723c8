package vec

import "math"

// Exp writes dst[c] = exp(x[c] − shift) for x[c] ≤ shift, to about an ulp, and 0 below e^−708.7, where normal numbers
// end. With y = n ln 2 + r and |r| ≤ ln 2 / 2,
//
//	e^y = 2ⁿ (Σ_{i ≤ 6} r²ⁱ/(2i)! + r Σ_{i ≤ 6} r²ⁱ/(2i+1)!)
//
// where the rest of the series is below 5e-18. Two short sums overlap where each step of one long sum would wait for
// the last. dst may be x.
func Exp(dst, x []float64, shift float64) {
	if len(dst) != len(x) {
		panic("vec: len(dst) != len(x)")
	}
	c := expBlocks(dst, x, shift)
	for ; c < len(x); c++ {
		dst[c] = exp(x[c] - shift)
	}
}

const (
	expLeast = -709.2  // n is −1023 here, and the bits of 2ⁿ are those of 0
	expMagic = 3 << 51 // added to n, it leaves n in the last bits of the sum
	ln2High  = 6.93147180369123816490e-01
	ln2Low   = 1.90821492927058770002e-10
)

func exp(x float64) float64 {
	if expLeast > x {
		x = expLeast
	}
	t := x*math.Log2E + expMagic
	n := t - expMagic
	r := x - n*ln2High
	r -= n * ln2Low
	q := r * r
	odd := 1.0 / 6227020800
	even := 1.0 / 479001600
	odd = odd*q + 1.0/39916800
	even = even*q + 1.0/3628800
	odd = odd*q + 1.0/362880
	even = even*q + 1.0/40320
	odd = odd*q + 1.0/5040
	even = even*q + 1.0/720
	odd = odd*q + 1.0/120
	even = even*q + 1.0/24
	odd = odd*q + 1.0/6
	even = even*q + 1.0/2
	odd = odd*q + 1
	even = even*q + 1
	return (odd*r + even) * math.Float64frombits((math.Float64bits(t)+1023)<<52)
}
