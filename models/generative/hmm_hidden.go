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
// section 1: "emulating the coding technique of Besag"). It returns the best labelling that has the given states. Which
// positions are given can differ between examples. Features, counts and label losses still include all positions.
//
// The states at positions t for which t + first is odd are given.
type given struct {
	shape *hmmShape
	truth models.Vertex // the true labelling, whose first parts are the states
	first int
}

// Max implements models.MaxOracle by Viterbi's algorithm, with the score −∞ for states that differ from the given
// states.
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
