package deptree

// NewEisner gives the external tests the oracles of dependency trees.
var NewEisner = newEisner

// LogSumOfLogs is LogSum with logarithms, whatever the range of the scores.
func (o *eisner) LogSumOfLogs(mu, theta []float64) float64 {
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	return s.logs.logSum(mu, &s.arcScores)
}

// LogSumScaled is LogSum in scaled arithmetic, false where it cannot hold the scores.
func (o *eisner) LogSumScaled(mu, theta []float64) (float64, bool) {
	s := o.sums.Get()
	defer o.sums.Put(s)
	s.set(theta, o.multiRoot)
	return s.scaled(mu)
}
