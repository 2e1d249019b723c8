package datasets

// CellCounts are noisy counts of a population whose members move independently among k cells for l steps, all by the
// same Markov chain. The chain has scores θ: a path y_0 .. y_{l−1} has a probability proportional to exp of the sum of
//
//	s_t(y)     = Theta[t·k + y]                  cell y at step t = 0 .. l−1
//	T_t(y', y) = Theta[l·k + t·k² + y'·k + y]    cells y' at step t and y at t+1, t = 0 .. l−2
//
// and the count of cell y at step t, Counts[t·k + y], is drawn from the Poisson distribution with the mean Rate times
// the number of members there.
type CellCounts struct {
	Cells, Steps int       // k ≥ 2 and l ≥ 1
	Theta        []float64 // l·k + (l−1)·k² scores
	Counts       []float64 // l·k
	Population   float64   // members
	Rate         float64   // mean count per member, > 0
	// Moves is nil if unknown, or the truth behind the counts: how many members were in each cell, and took each edge, in
	// the layout of Theta.
	Moves []float64
}

var _ Data = (*CellCounts)(nil)

// Len returns 1: the population is one example.
func (*CellCounts) Len() int { return 1 }

// Kind returns "counts of a population".
func (*CellCounts) Kind() string { return "counts of a population" }
