package generative

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
	"github.com/gaplab/gaplab/models"
)

// Values of HMM.Hidden.
const (
	hiddenAll       = "all"
	hiddenAlternate = "alternate"
)

// given is the max-oracle of a sequence in which the states of some positions are given (Yu, Bertsekas and Rousu,
// section 1: "emulating the coding technique of Besag"): it returns the best labelling that agrees with them. Which
// states are hidden differs from example to example; features, counts and label losses are those of all positions.
//
// The states of the positions t with t + first odd are given.
type given struct {
	shape *hmmShape
	truth models.Vertex // its first parts are the states
	first int
}

// Max implements models.MaxOracle by Viterbi's algorithm, with scores −∞ at states that are known to be wrong.
func (o *given) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	k := o.shape.k
	l := (len(o.truth) + 1) / 2
	s := o.shape.pool.Get()
	defer o.shape.pool.Put(s)
	s.v = scratch.Grow(s.v, len(theta))
	copy(s.v, theta)
	for t := 1 - o.first%2; t < l; t += 2 {
		for r := t * k; r < (t+1)*k; r++ {
			if r != o.truth[t] {
				s.v[r] = math.Inf(-1)
			}
		}
	}
	return o.shape.oracle.Max(dst, s.v)
}
