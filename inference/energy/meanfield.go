package energy

import "fmt"

// MeanField makes inference in the base model mean-field inference in a larger one (equation 9 of the paper): for the
// cliques c that the base model lacks, of positions each, with scores θ_c,
//
//	L(μ) = −Σ_c Σ_{y_c} θ_c(y_c) Π_{t ∈ c} μ_t(y_t),
//
// minus their expected scores, were the positions independent. If the base model has positions only, this is naive
// mean field. It is not convex. The first parts of the example are the k marginals of each position in turn, as in a
// chain.
type MeanField struct {
	labels, leading int
	cliques         []Clique
}

// Clique is a set of positions whose labels are scored together.
type Clique struct {
	Positions []int // different ones
	// θ_c(y_c), the label of the last position running fastest: k to the power of the number of positions
	Scores []float64
}

const maxClique = 8 // positions of a clique

var _ Leading = (*MeanField)(nil)

// NewMeanField takes the missing cliques of an example with these numbers of labels and positions.
func NewMeanField(labels, positions int, cliques []Clique) (*MeanField, error) {
	if labels < 1 || positions < 1 {
		return nil, fmt.Errorf("energy: mean field of %d positions with %d labels: want at least 1 of each", positions,
			labels)
	}
	for i, c := range cliques {
		if n := len(c.Positions); n < 1 || n > maxClique {
			return nil, fmt.Errorf("energy: mean field: clique %d has %d positions: want 1 to %d", i, n, maxClique)
		}
		size := 1
		for a, t := range c.Positions {
			if t < 0 || t >= positions {
				return nil, fmt.Errorf("energy: mean field: clique %d has position %d: want 0 to %d", i, t, positions-1)
			}
			for _, u := range c.Positions[:a] {
				if t == u {
					return nil, fmt.Errorf("energy: mean field: clique %d has position %d twice", i, t)
				}
			}
			size *= labels
		}
		if len(c.Scores) != size {
			return nil, fmt.Errorf("energy: mean field: clique %d has %d scores: want %d, one for all labels of its %d "+
				"positions", i, len(c.Scores), size, len(c.Positions))
		}
	}
	return &MeanField{labels, positions * labels, cliques}, nil
}

// Value implements Energy.
func (e *MeanField) Value(mu []float64) float64 {
	checkLeast(len(mu), e.leading)
	var v float64
	for _, c := range e.cliques {
		v -= e.expected(c.Scores, c.Positions, mu)
	}
	return v
}

// expected is Σ scores(y_c) Π μ_t(y_t), position by position.
func (e *MeanField) expected(scores []float64, positions []int, mu []float64) float64 {
	k := e.labels
	m := mu[positions[0]*k : (positions[0]+1)*k]
	if len(positions) == 1 {
		return dot(scores, m)
	}
	var v float64
	for y, rest := 0, len(scores)/k; y < k; y++ {
		if m[y] != 0 {
			v += m[y] * e.expected(scores[y*rest:(y+1)*rest], positions[1:], mu)
		}
	}
	return v
}

// AddGradient implements Energy: the messages of mean field.
func (e *MeanField) AddGradient(g, mu []float64, c float64) {
	checkLeast(len(mu), e.leading)
	for _, clique := range e.cliques {
		e.addMessages(g, clique.Scores, clique.Positions, mu, -c)
	}
}

// addMessages adds c times the derivatives of expected, which it returns: for labels y of the first position, the
// expected score of the rest; for the others, those of the rest times μ(y).
func (e *MeanField) addMessages(g, scores []float64, positions []int, mu []float64, c float64) float64 {
	k, first := e.labels, positions[0]*e.labels
	var v float64
	for y, rest := 0, len(scores)/k; y < k; y++ {
		m, of := mu[first+y], scores[y*rest]
		if len(positions) > 1 {
			of = e.addMessages(g, scores[y*rest:(y+1)*rest], positions[1:], mu, c*m)
		}
		g[first+y] += c * of
		v += m * of
	}
	return v
}

// Convex implements Energy.
func (e *MeanField) Convex() bool { return false }

// Leading implements Leading: the positions.
func (e *MeanField) Leading() int { return e.leading }
