package solvertest_test

import (
	"errors"
	"iter"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// fault is a defect that a test puts into a sound solver. plant changes the solver so that it has the defect. says is a
// substring of the message with which the suite must report the defect.
type fault struct {
	name     string
	says     string
	plant    func(*sound)
	promises []solvertest.Option
}

type sequence = iter.Seq2[solvers.Iterate, error]

func faults(t *testing.T) []fault {
	return slices.Concat(iterateFaults(), runFaults(t), supportFaults(), sessionFaults(), structureFaults())
}

// each returns a function for fault.plant. The faulty solver calls the argument change for every iterate of a run, with
// the index k of the iterate, from 0.
func each(change func(k int, p given, it *solvers.Iterate)) func(*sound) {
	return func(s *sound) {
		s.run = func(p given, run sequence) sequence { return changed(p, run, change) }
	}
}

func changed(p given, run sequence, change func(k int, p given, it *solvers.Iterate)) sequence {
	return altered(run, func(k int, it *solvers.Iterate) { change(k, p, it) })
}

// altered returns the given run with changed iterates: it calls the argument change for each iterate, with the index k
// of the iterate, from 0.
func altered(run sequence, change func(k int, it *solvers.Iterate)) sequence {
	return func(yield func(solvers.Iterate, error) bool) {
		k := 0
		for it, err := range run {
			if err == nil {
				change(k, &it)
			}
			k++
			if !yield(it, err) {
				return
			}
		}
	}
}

// serial makes sure that the runs of a faulty solver do not overlap in time. So a fault that changes shared data is not
// also a data race.
func serial(plant func(*sound)) func(*sound) {
	return func(s *sound) {
		plant(s)
		broken, alone := s.run, new(sync.Mutex)
		s.run = func(p given, run sequence) sequence {
			return func(yield func(solvers.Iterate, error) bool) {
				alone.Lock()
				defer alone.Unlock()
				broken(p, run)(yield)
			}
		}
	}
}

func iterateFaults() []fault {
	var runs atomic.Int64
	always := func(change func(it *solvers.Iterate)) func(*sound) {
		return each(func(_ int, _ given, it *solvers.Iterate) { change(it) })
	}
	dual := func(from int, change func(float64) float64) func(*sound) {
		return each(func(k int, _ given, it *solvers.Iterate) {
			if sound := it.Dual; k >= from {
				it.Dual = func() float64 { return change(sound()) }
			}
		})
	}
	return []fault{
		{"a dual that is too high", "no lower bound", dual(0, func(d float64) float64 { return d + 1e-3 }), nil},
		{"a dual that is NaN", "no lower bound", dual(3, func(float64) float64 { return math.NaN() }), nil},
		{"a dual that decreases", "in spite of MonotoneDual", dual(4, func(d float64) float64 { return d - 0.5 }), nil},
		{"a dual that stays below the optimum", "best dual =", dual(0, func(d float64) float64 { return d - 0.1 }), nil},
		{"weights that stay at zero", "best primal =", always(func(it *solvers.Iterate) {
			it.W, it.Dual = make([]float64, len(it.W)), nil
		}), nil},
		{"weights of a wrong sign", "best primal =", always(func(it *solvers.Iterate) {
			it.W = slices.Clone(it.W)
			dualspace.Scale(it.W, -1)
		}), nil},
		{"weights too short", "want Dim", always(func(it *solvers.Iterate) { it.W = it.W[1:] }), nil},
		{"a primal below the optimum", "but the optimum is at least", always(func(it *solvers.Iterate) {
			it.Primal = func() float64 { return 0 }
		}), nil},
		{"an epoch that decreases", "follows epoch", each(func(k int, _ given, it *solvers.Iterate) {
			if k > 15 {
				it.Epoch = 0
			}
		}), nil},
		{"epochs counted from one", "the first yield is at epoch 1", always(func(it *solvers.Iterate) { it.Epoch++ }), nil},
		{"even epochs", "want a yield at the end of each epoch", always(func(it *solvers.Iterate) { it.Epoch *= 2 }), nil},
		{"unseeded random numbers", "a second run differs", always(func(it *solvers.Iterate) {
			it.W = slices.Clone(it.W)
			it.W[0] += 1e-14 * float64(runs.Add(1))
		}), nil},
		{"a dual that changes the weights", "changed while the loop body ran", always(func(it *solvers.Iterate) {
			dual, w := it.Dual, it.W
			it.Dual = func() float64 { w[0] += 1e-12; return dual() }
		}), nil},
		{"statistics that change the weights", "calling Dual, Primal and Stats", always(func(it *solvers.Iterate) {
			w := it.W
			it.Stats = func(func(string, float64)) { w[0] += 1e-12 }
		}), nil},
		{"a statistic that is not listed", "the run has the column luck, which is not in the list [step]",
			always(func(it *solvers.Iterate) {
				it.Stats = func(put func(string, float64)) { put("step", 1); put("luck", 1) }
			}), []solvertest.Option{solvertest.Columns([]string{"step"})}},
		{"worker-dependent bits", "differs from the run with 1 worker", each(func(_ int, p given, it *solvers.Iterate) {
			it.W = slices.Clone(it.W)
			it.W[0] += 1e-14 * float64(p.Workers)
		}), nil},
		{"NaN at an extreme λ", "with λ = 1e-09", each(func(k int, p given, it *solvers.Iterate) {
			if k > 2 && p.Lambda < 1e-6 {
				it.W = slices.Repeat([]float64{math.NaN()}, len(it.W))
			}
		}), nil},
		{"truths changed", "changed the truths", serial(each(func(_ int, p given, _ *solvers.Iterate) {
			if e := &p.Examples[0]; p.Workers == 0 && e.Cost != nil {
				e.Cost = slices.Clone(e.Cost)
				e.Cost[0] += 1e-15
			}
		})), nil},
	}
}

// around returns a function for fault.plant that replaces whole runs by f.
func around(f func(p given, sound sequence, yield func(solvers.Iterate, error) bool)) func(*sound) {
	return func(s *sound) {
		s.run = func(p given, run sequence) sequence {
			return func(yield func(solvers.Iterate, error) bool) { f(p, run, yield) }
		}
	}
}

func runFaults(t *testing.T) []fault {
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	errSometimes := errors.New("something went wrong")
	every := func(keep func(k int, it solvers.Iterate) bool) func(*sound) {
		return around(func(_ given, run sequence, yield func(solvers.Iterate, error) bool) {
			k := 0
			for it, err := range run {
				if (err != nil || keep(k, it)) && !yield(it, err) {
					return
				}
				k++
			}
		})
	}
	return []fault{
		{name: "another goroutine", says: "on a goroutine that does not belong to the run", plant: func(s *sound) {
			s.run = func(_ given, run sequence) sequence {
				return func(yield func(solvers.Iterate, error) bool) {
					next, stop := iter.Pull2(run)
					defer stop()
					for {
						if it, err, more := next(); !more || !yield(it, err) {
							return
						}
					}
				}
			}
		}},
		{name: "no yield at the start", says: "oracle calls before the first yield",
			plant: every(func(k int, _ solvers.Iterate) bool { return k > 0 })},
		{name: "yields at epochs only", says: "oracle calls between two yields", plant: serial(func(s *sound) {
			last := -1
			every(func(k int, it solvers.Iterate) bool {
				defer func() { last = it.Epoch }()
				return k == 0 || it.Epoch > last
			})(s)
		})},
		{name: "no yields at all", says: "Run yielded nothing",
			plant: around(func(given, sequence, func(solvers.Iterate, error) bool) {})},
		{name: "an end before the optimum", says: "best primal =",
			plant: around(func(_ given, run sequence, yield func(solvers.Iterate, error) bool) {
				for it, err := range run {
					if !yield(it, err) || it.Epoch > 0 {
						return
					}
				}
			})},
		{name: "work after the last yield", says: "changed the iterate after its last yield",
			plant: around(func(_ given, run sequence, yield func(solvers.Iterate, error) bool) {
				for it, err := range run {
					if !yield(it, err) {
						return
					}
					if it.Epoch > 0 {
						it.W[0]++
						return
					}
				}
			})},
		{name: "an error during the run", says: "something went wrong",
			plant: around(func(_ given, run sequence, yield func(solvers.Iterate, error) bool) {
				for it, err := range run {
					if it.Epoch > 0 {
						err = errSometimes
					}
					if !yield(it, err) || err != nil {
						return
					}
				}
			})},
		{name: "more calls than promised", says: "want 0 to 7",
			promises: []solvertest.Option{solvertest.CallsPerEpoch(func(int) (int, int) { return 0, 7 })},
			plant:    func(*sound) {}},
		{name: "a set-up that does not end", says: "has not ended",
			plant: around(func(p given, run sequence, yield func(solvers.Iterate, error) bool) {
				for it, err := range run {
					if p.Phase != nil {
						p.Phase("setup")
					}
					if !yield(it, err) {
						return
					}
				}
			})},
		{name: "a goroutine left behind", says: "goroutines remain",
			plant: around(func(_ given, run sequence, yield func(solvers.Iterate, error) bool) {
				go func() { <-end }()
				run(yield)
			})},
		{name: "state that all runs share", says: "a run at the same time as others", plant: func(s *sound) {
			var inside atomic.Int64
			around(func(p given, run sequence, yield func(solvers.Iterate, error) bool) {
				crowd := inside.Add(1)
				defer inside.Add(-1)
				time.Sleep(time.Millisecond)
				changed(p, run, func(_ int, _ given, it *solvers.Iterate) {
					if max(crowd, inside.Load()) > 1 {
						it.W = slices.Clone(it.W)
						it.W[0]++
					}
				})(yield)
			})(s)
		}},
		{name: "a second run that continues the first", says: "a second run differs", plant: serial(func(s *sound) {
			sessions := map[*models.Risk]solvers.Session{}
			around(func(p given, run sequence, yield func(solvers.Iterate, error) bool) {
				if p.Workers > 0 || p.Phase != nil || solvers.Missing(s, p.Risk) != nil || p.Lambda != 0.1 {
					run(yield)
					return
				}
				if sessions[p.Risk] == nil {
					sessions[p.Risk], _ = s.gibbs.Start(p.Risk, p.Env)
				}
				sessions[p.Risk].Run(p.Lambda)(yield)
			})(s)
		})},
		{name: "a State that leaves out variables", says: "resumed from the State of yield",
			plant: func(s *sound) { s.gibbs.forgets = true }},
		{name: "no State where one was promised", says: "iterates have a State: false",
			promises: []solvertest.Option{solvertest.Saves(true)},
			plant: around(func(p given, run sequence, yield func(solvers.Iterate, error) bool) {
				changed(p, run, func(_ int, _ given, it *solvers.Iterate) { it.State = nil })(yield)
			})},
		{name: "a State that changes the run", says: "saving the State changes the run",
			plant: around(func(p given, run sequence, yield func(solvers.Iterate, error) bool) {
				changed(p, run, func(_ int, _ given, it *solvers.Iterate) {
					names, w := it.State, it.W
					it.State = func(to *solvers.State) {
						names(to)
						w[0]++
					}
				})(yield)
			})},
		{name: "the same run for all seeds", says: "seeds 11 and 12 give the same run",
			promises: []solvertest.Option{solvertest.Random()},
			plant:    func(s *sound) { s.reseed = func(uint64) uint64 { return 1 } }},
		{name: "random in spite of the promise", says: "in spite of Deterministic",
			promises: []solvertest.Option{solvertest.Deterministic()}, plant: func(*sound) {}},
		{name: "a run that the seed does not determine", says: "two runs with seed 11 differ", plant: func(s *sound) {
			var calls atomic.Uint64
			s.reseed = func(uint64) uint64 { return calls.Add(1) }
		}},
	}
}

func supportFaults() []fault {
	return []fault{
		{name: "every problem is supported", says: "Missing returned nil, but Run",
			plant: func(s *sound) { s.needs = &solvers.Needs{} }},
		{name: "refused without a reason", says: "want an error with the reason", plant: refusing(solvers.Lacking("no"))},
		{name: "refused with another error", says: "want an *Unsupported",
			plant: refusing(errors.New("slack rescaling is not for me"))},
		{name: "refused by Check, run by Train", says: "want an error that refuses this problem", plant: func(s *sound) {
			refusing(solvers.Lacking("no"))(s)
			s.run = func(p given, run sequence) sequence {
				if p.Loss.Margin == 0 || p.Loss.Temp > 0 {
					return run
				}
				return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil) }
			}
		}},
		{name: "a run that continues after an error", says: "continues after an error", plant: func(s *sound) {
			s.run = func(p given, run sequence) sequence {
				return func(yield func(solvers.Iterate, error) bool) {
					for it, err := range run {
						if !yield(it, err) || err != nil && !yield(it, err) {
							return
						}
					}
				}
			}
		}},
		{name: "a run at λ = −1", says: "λ = −1: yield 1 of Run has the error <nil>", plant: func(s *sound) {
			s.run = func(p given, run sequence) sequence {
				if p.Lambda == -1 {
					return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{W: make([]float64, p.Dim)}, nil) }
				}
				return run
			}
		}},
	}
}

// structureFaults returns faults that the suite can find only on problems whose labellings have several parts.
func structureFaults() []fault {
	elsewhere := func(change func(*models.Example)) func(*sound) {
		return func(s *sound) {
			s.run = func(p given, _ sequence) sequence {
				return newSound().Train(p.Map(change).(*models.Risk), p.Env)
			}
		}
	}
	return []fault{
		{name: "a part that occurs twice counted once", says: "chain, log, λ = 0.1: ",
			plant: elsewhere(func(e *models.Example) { e.Truth = slices.Compact(slices.Clone(e.Truth)) })},
		{name: "costs of one part only", says: "deptree, hinge, λ = 0.1: ",
			plant: elsewhere(func(e *models.Example) {
				if e.Cost = slices.Clone(e.Cost); len(e.Truth) > 1 {
					clear(e.Cost[e.Truth[1]:])
				}
			})},
		{name: "costs rounded in place", says: "which all runs share", plant: sharing(func(e *models.Example) {
			for r, c := range e.Cost {
				e.Cost[r] = min(c, 0.75)
			}
		})},
		{name: "truths sorted in place", says: "which all runs share", plant: sharing(func(e *models.Example) {
			slices.SortFunc(e.Truth, func(a, b int) int { return b - a })
		})},
		{name: "a 0/1 loss left out", says: "cfg, hinge, λ = 0.1: ", plant: func(s *sound) {
			needs := s.gibbs.Needs()
			needs.PartLoss = false
			s.needs = &needs
			elsewhere(func(e *models.Example) { e.ZeroOne = 0 })(s)
		}},
	}
}

// sharing returns a function for fault.plant. The faulty solver changes the examples, which all runs share, at the
// start of a run.
func sharing(change func(*models.Example)) func(*sound) {
	return serial(func(s *sound) {
		s.run = func(p given, run sequence) sequence {
			return func(yield func(solvers.Iterate, error) bool) {
				p.Map(change)
				run(yield)
			}
		}
	})
}

// refusing returns a function for fault.plant. Check of the faulty solver returns err for the hinge.
func refusing(err error) func(*sound) {
	return func(s *sound) {
		s.check = func(p *models.Risk) error {
			if p.Loss.Temp == 0 {
				return err
			}
			return nil
		}
	}
}

// sessionFunc is a session whose method Run is the function itself.
type sessionFunc func(lambda float64) sequence

func (f sessionFunc) Run(lambda float64) iter.Seq2[solvers.Iterate, error] { return f(lambda) }

func sessionFaults() []fault {
	broken := func(f func(p given, s solvers.Session, lambda float64) sequence) func(*sound) {
		return func(s *sound) {
			s.session = func(p given, session solvers.Session) solvers.Session {
				return sessionFunc(func(lambda float64) sequence { return f(p, session, lambda) })
			}
		}
	}
	wide := []solvertest.Option{solvertest.Lambdas(0.01, 1)}
	return []fault{
		{name: "a session that keeps its first λ", says: "since λ·W depends on the dual variables only", promises: wide,
			plant: broken(func(p given, s solvers.Session, _ float64) sequence { return s.Run(p.Lambda) })},
		{name: "a session that counts epochs from 0 again", says: "want one count for the whole session",
			plant: broken(func(p given, _ solvers.Session, lambda float64) sequence {
				return newSound().Train(p.At(lambda), p.Env)
			})},
		{name: "a session that changes the problem", says: "changed Risk.Lambda", promises: wide,
			plant: broken(func(p given, s solvers.Session, lambda float64) sequence {
				p.Lambda = lambda * 1.5
				return s.Run(lambda)
			})},
		{name: "a session with the dual value of another λ", says: "is no lower bound", promises: wide,
			plant: broken(func(p given, s solvers.Session, lambda float64) sequence {
				return changed(p, s.Run(lambda), func(_ int, _ given, it *solvers.Iterate) {
					dual := it.Dual
					it.Dual = func() float64 { return dual() + 0.2 }
				})
			})},
	}
}
