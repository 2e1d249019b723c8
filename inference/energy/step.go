package energy

import "iter"

// Stepwise is an optional interface of an Inference that can make one oracle call at a time, so that a caller can
// alternate between many problems. The state of the run is in the problem. Run is equivalent to
//
//	for it := s.Begin(p); yield(it) && !s.Done(p); it = s.Step(p) { }
//
// except that Run does not yield the failed trials of Damped.
type Stepwise interface {
	Inference
	// Begin starts a run with the base model's marginals. It panics if Supports returns an error.
	Begin(p *Problem) Iterate
	// Done reports whether the run has ended, by its tolerance or its largest number of oracle calls.
	Done(p *Problem) bool
	// Step makes the next oracle call. If the call was a failed trial of Damped, Step returns the iterate as before, with
	// the same number Step.
	Step(p *Problem) Iterate
}

// run implements the method Run of a Stepwise algorithm.
func run(s Stepwise, p *Problem) iter.Seq[Iterate] {
	return func(yield func(Iterate) bool) {
		step := -1
		for it := s.Begin(p); ; it = s.Step(p) {
			if it.Step > step && !yield(it) {
				return
			}
			if step = it.Step; s.Done(p) {
				return
			}
		}
	}
}

// settled reports whether the run should end: the last step changed no marginal by more than tol, or the largest number
// of calls is reached.
func (p *Problem) settled(maxCalls int, tol float64) bool {
	return p.calls >= maxCalls || p.change <= tol
}
