package explog

import (
	"math"
	"sync"

	"golang.org/x/sys/cpu"
)

// The kernels (assembly functions) exp4 and log4 compute n ≥ 4 numbers in groups of four. If 4 does not divide n, the
// last group overlaps the group before it. A kernel stops before a group that contains a number outside its range. It
// returns how many numbers it has computed, and leaves the other elements of dst unchanged.

//go:noescape
func exp4(dst, x *float64, shift float64, n int, constants *[16][4]float64) int

//go:noescape
func log4(dst, x *float64, n int, constants *[16][4]float64) int

// constants holds the constants of the kernels in the order in which the assembly uses them. Each constant is repeated
// four times, once for each number in a vector register.
type constants struct{ exp, log [16][4]float64 }

// kernels returns the constants if the kernels may be used, else nil. Two conditions must hold: the processor has the
// instructions of the kernels, and on test numbers with all exponents of 2 the kernels give the same bits as package
// math.
var kernels = sync.OnceValue(func() *constants {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	c := &constants{
		exp: lanes(
			least, most, // range of x in which exp(x) is a normal number
			1.4426950408889634073599246810018920,                  // 1/ln 2, to split exp(x) into 2ⁿ times a rest
			0.69314718055966295651160180568695068359375,           // upper part of ln 2
			0.28235290563031577122588448175013436025525412068e-12, // lower part of ln 2
			0.0625, 2.4801587301587301587e-5, 1.9841269841269841270e-4, 1.3888888888888888889e-3, 8.3333333333333333333e-3,
			4.1666666666666666667e-2, 1.6666666666666666667e-1, 0.5, 1, 2,
			math.Float64frombits(1023)),
		log: lanes(
			math.SmallestNonzeroFloat64, math.MaxFloat64,
			math.Float64frombits(0x000FFFFFFFFFFFFF), 0.5, // to set a number's exponent, so that the fraction is in [1/2, 1)
			math.Float64frombits(0x4330000000000000), 1<<52+0x3FE, // to convert the bits of an exponent to a number
			7.07106781186547524401e-01, 1, // √½
			1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01,
			1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01,
			1.90821492927058770002e-10), // lower part of ln 2
	}
	if !c.agree() {
		return nil
	}
	return c
})

// least and most are the limits of the arguments of exp4.
const least, most = -708, 709

// lanes repeats each number four times, once for each number in a vector register.
func lanes(v ...float64) (out [16][4]float64) {
	for i, x := range v {
		out[i] = [4]float64{x, x, x, x}
	}
	return out
}

// agree reports whether the results of the kernels have the same bits as those of package math.
func (c *constants) agree() bool {
	var x, y [4]float64
	for e := least + 1.0; e < most-1; e += 1.1 {
		for i := range x {
			x[i] = e + 0.23*float64(i)
		}
		exp4(&y[0], &x[0], 0, 4, &c.exp)
		for i, v := range x {
			if x[i] = math.Exp(v); y[i] != x[i] {
				return false
			}
		}
		log4(&y[0], &x[0], 4, &c.log)
		for i, v := range x {
			if y[i] != math.Log(v) {
				return false
			}
		}
	}
	return true
}

func expBlocks(dst, x []float64, shift float64) int {
	if len(x) < 4 {
		return 0
	}
	c := kernels()
	if c == nil {
		return 0
	}
	_ = dst[len(x)-1]
	return exp4(&dst[0], &x[0], shift, len(x), &c.exp)
}

func logBlocks(dst, x []float64) int {
	if len(x) < 4 {
		return 0
	}
	c := kernels()
	if c == nil {
		return 0
	}
	_ = dst[len(x)-1]
	return log4(&dst[0], &x[0], len(x), &c.log)
}
