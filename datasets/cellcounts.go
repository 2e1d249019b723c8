package datasets

// CellCounts are noisy counts of a population. Its members move independently among k cells for l steps. All move by
// the same Markov chain, whose scores are Theta. The probability of a path y_0 .. y_{l−1} is proportional to the
// exponential of the sum of
//
//	s_t(y)     = Theta[t·k + y]                  cell y at step t = 0 .. l−1
//	T_t(y', y) = Theta[l·k + t·k² + y'·k + y]    cells y' at step t and y at t+1, t = 0 .. l−2
//
// The count of cell y at step t, Counts[t·k + y], is drawn from a Poisson distribution whose mean is Rate times the
// number of members in that cell.
type CellCounts struct {
	Cells, Steps int       // k ≥ 2 and l ≥ 1
	Theta        []float64 // l·k + (l−1)·k² scores
	Counts       []float64 // l·k noisy counts, step by step
	Population   float64   // number of members
	Rate         float64   // mean count per member, > 0
	// Moves holds the true numbers, in the layout of Theta: how many members were in each cell at each step, and how many
	// moved between each pair of cells. Moves is nil if these numbers are unknown.
	Moves []float64
}

var _ Data = (*CellCounts)(nil)

// Len returns 1: the population is one example.
func (*CellCounts) Len() int { return 1 }

// Kind returns "counts of a population".
func (*CellCounts) Kind() string { return "counts of a population" }
