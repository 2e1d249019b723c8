package deptree

// Eisner holds the oracles of dependency trees, for the external tests.
type Eisner = eisner

// NewEisner returns the oracles of single-root or multi-root trees.
var NewEisner = newEisner

// LogSumOfLogs computes LogSum in logarithms, whatever the range of the scores.
func (o *eisner) LogSumOfLogs(mu, theta []float64) float64 {
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	return s.logs.logSum(mu, &s.arcScores)
}

// LogSumScaled computes LogSum in scaled arithmetic. It returns false if that arithmetic cannot represent the scores.
func (o *eisner) LogSumScaled(mu, theta []float64) (float64, bool) {
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	return s.scaled(mu)
}
