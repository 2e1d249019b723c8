package energy

import "fmt"

// Strength is a factor ψ ≥ 0 of an energy. It is a constant or a linear function of an example's features f(x), cut off
// at 0:
//
//	ψ(x) = max(0, b + v·f(x))
//
// Psi = (b, v) are the parameters. The energies of all examples share the slice Psi, and learning changes its values in
// place. The derivatives by the parameters are those of b + v·f(x), even if b + v·f(x) is negative. Otherwise learning
// could never make a strength of 0 positive again.
type Strength struct {
	Psi      []float64 // the parameters: first b, then v
	Features []float64 // the features f(x), as many as v has numbers
}

// Constant returns a strength without features. Its only parameter starts at psi and is not shared with other
// strengths.
func Constant(psi float64) Strength { return Strength{Psi: []float64{psi}} }

// Value returns the strength ψ(x).
func (s Strength) Value() float64 {
	s.check()
	return max(0, s.Psi[0]+dot(s.Features, s.Psi[1:]))
}

// Parameters returns the length of Psi.
func (s Strength) Parameters() int { return len(s.Psi) }

// addGradient adds c times the gradient of b + v·f(x) by the parameters (b, v) (see Strength).
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
		panic(fmt.Sprintf("energy: a strength has %d parameters and %d features: want one parameter more than features",
			len(s.Psi),
			len(s.Features)))
	}
}
