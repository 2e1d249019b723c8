package expr

// Limit sets the largest accepted number of steps of the following evaluations.
func (e *Evaluation) Limit(steps int) { e.most = steps }
