package energy

import "iter"

// Stepwise is an optional interface of an Inference that makes one oracle call at a time, to alternate between many
// problems. The problem holds the memory of the run. Run is
//
//	for it := s.Begin(p); yield(it) && !s.Done(p); it = s.Step(p) { }
//
// but for the trials of Damped that fail, which it does not yield.
type Stepwise interface {
	Inference
	Begin(p *Problem) Iterate // takes the base model's marginals; it panics if Supports returns an error
	Done(p *Problem) bool     // whether the run has ended, by tolerance or cap
	// calls the oracle once more; a trial that fails leaves the iterate and its Step as they were
	Step(p *Problem) Iterate
}

// run implements Run for a stepwise algorithm.
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

// settled reports whether the last step moved nothing by more than tol, or the cap of calls is reached.
func (p *Problem) settled(maxCalls int, tol float64) bool {
	return p.calls >= maxCalls || p.change <= tol
}
