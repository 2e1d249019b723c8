package deptree

// Eisner exports the oracles of dependency trees to the external tests.
type Eisner = eisner

// NewEisner returns the oracles of single-root or multi-root trees.
var NewEisner = newEisner

// LogSumOfLogs computes LogSum with logarithms, for scores of any range.
func (o *eisner) LogSumOfLogs(mu, theta []float64) float64 {
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	return s.logs.logSum(mu, &s.arcScores)
}

// LogSumScaled computes LogSum with scaled numbers. It returns false if their range does not suffice.
func (o *eisner) LogSumScaled(mu, theta []float64) (float64, bool) {
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	return s.scaled(mu)
}
