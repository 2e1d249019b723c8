package energy

import "fmt"

// Strength is a factor ψ ≥ 0 of an energy, a number or a linear function of an example's features f(x):
//
//	ψ(x) = max(0, b + v·f(x))
//
// Psi = (b, v) are the parameters, shared by the energies of all examples: learning changes them in place. The
// derivatives are those of b + v·f(x) even where that is negative; otherwise an energy once switched off would stay
// off.
type Strength struct {
	Psi      []float64 // b, then v
	Features []float64 // f(x), as long as v
}

// Constant returns a strength with a parameter of its own and no features.
func Constant(psi float64) Strength { return Strength{Psi: []float64{psi}} }

// Value returns ψ(x).
func (s Strength) Value() float64 {
	s.check()
	return max(0, s.Psi[0]+dot(s.Features, s.Psi[1:]))
}

// Parameters returns the length of Psi.
func (s Strength) Parameters() int { return len(s.Psi) }

// addGradient adds c times the derivative of b + v·f(x).
func (s Strength) addGradient(dpsi []float64, c float64) {
	s.check()
	checkLengths(len(dpsi), len(s.Psi), "derivatives by parameters")
	dpsi[0] += c
	for j, f := range s.Features {
		dpsi[1+j] += c * f
	}
}

func (s Strength) check() {
	if len(s.Psi) != 1+len(s.Features) {
		panic(fmt.Sprintf("energy: a strength has %d parameters for %d features: want one more than features", len(s.Psi),
			len(s.Features)))
	}
}
