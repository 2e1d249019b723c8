package vec

import "math"

// Exp writes dst[c] = exp(x[c] − shift) for x[c] ≤ shift, with an error of about an ulp. It writes 0 for results below
// e^−708.7, about the smallest normal number. With y = n ln 2 + r and |r| ≤ ln 2 / 2,
//
//	e^y = 2ⁿ (Σ_{i ≤ 6} r²ⁱ/(2i)! + r Σ_{i ≤ 6} r²ⁱ/(2i+1)!)
//
// where the rest of the series is below 5e-18. The processor computes the two short sums in parallel, whereas in one
// long sum each step would wait for the step before. dst may be x.
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
	expLeast = -709.2  // for this argument n (see Exp) is −1023, and 2ⁿ has the bits of 0
	expMagic = 3 << 51 // adding expMagic to a number rounds the number and leaves n (see Exp) in the last bits of the sum
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
