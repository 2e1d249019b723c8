package solvertest

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// shown is the number of yields of a run, from its start, whose bits the checks compare.
const shown = 40

// first returns the points (the values of each iterate) at the first yields of a run on p. Only the first call for p
// runs the solver; later calls return the stored points.
func (s *suite) first(t testing.TB, p *problem) []point {
	t.Helper()
	if p.first == nil {
		p.first = recordOf(t, p.name, s.run(p.objective), shown)
	}
	return p.first
}

// checkRepeats checks that a second run of the same solver value begins again at the start and gives the same bits,
// even if it was used for other problems in between.
func (s *suite) checkRepeats(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		s.first(t, p)
	}
	for _, p := range typical(all) {
		if at := sameBits(s.first(t, p), recordOf(t, p.name, s.run(p.objective), shown)); at >= 0 {
			t.Errorf("%s: a second run differs from the first at yield %d: want a new start with the same random numbers",
				p.name, at)
		}
	}
}

// shared contains the data of a problem's examples that all runs share.
type shared struct {
	truths        []models.Vertex
	costs, scores [][]float64 // label losses; part scores at arbitrary weights, to detect changes of the features
}

// share returns, for each problem, a copy of the data that all runs share.
func share(all []*problem) []shared {
	out := make([]shared, len(all))
	for i, p := range all {
		var w []float64
		if p.Risk != nil {
			w = make([]float64, p.Dim)
		}
		for j := range w {
			w[j] = math.Cos(float64(j))
		}
		p.objective.Map(func(e *models.Example) {
			out[i].truths = append(out[i].truths, slices.Clone(e.Truth))
			out[i].costs = append(out[i].costs, slices.Clone(e.Cost))
			if w != nil {
				theta := make([]float64, e.Features.Parts())
				e.Features.Score(theta, w)
				out[i].scores = append(out[i].scores, theta)
			}
		})
	}
	return out
}

// checkShared checks that runs did not change the examples. Other runs may read the same examples at the same time.
func checkShared(t testing.TB, all []*problem, before []shared) {
	for i, after := range share(all) {
		if was := before[i]; !slices.EqualFunc(was.truths, after.truths, models.Vertex.Equal) ||
			!slices.EqualFunc(was.costs, after.costs, slices.Equal) ||
			!slices.EqualFunc(was.scores, after.scores, slices.Equal) {
			t.Errorf("%s: a run has changed the truths, costs or features of the examples, which all runs share", all[i].name)
		}
	}
}

// checkSeeds checks that the same seed gives the same bits. It also checks that another seed gives other bits if the
// solver promises Random, and the same bits if it promises Deterministic.
func (s *suite) checkSeeds(t testing.TB, all []*problem) {
	p := typical(all)[0]
	runs := make([][]point, 3)
	for i, seed := range []uint64{11, 11, 12} {
		points, err := record(solvers.Run(s.solver, p.objective, solvers.Env{Seed: seed}), shown)
		if err != nil {
			t.Errorf("%s: seed %d: Run failed: %v", p.name, seed, err)
			return
		}
		runs[i] = points
	}
	if at := sameBits(runs[0], runs[1]); at >= 0 {
		t.Errorf("%s: two runs with seed 11 differ at yield %d: want the same bits", p.name, at)
	}
	switch same := sameBits(runs[0], runs[2]) < 0; {
	case s.random && same:
		t.Errorf("%s: seeds 11 and 12 give the same run, in spite of Random", p.name)
	case s.deterministic && !same:
		t.Errorf("%s: seeds 11 and 12 give different runs, in spite of Deterministic", p.name)
	}
}

// checkWorkers checks that the bits of a run do not depend on the number of goroutines, Env.Workers.
func (s *suite) checkWorkers(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		for _, workers := range []int{2, 5} {
			many, err := record(solvers.Run(s.solver, p.objective, solvers.Env{Seed: 1, Workers: workers}), shown)
			if err != nil {
				t.Errorf("%s: Run failed with %d workers: %v", p.name, workers, err)
			}
			if at := sameBits(s.first(t, p), many); at >= 0 {
				t.Errorf("%s: the run with %d workers differs from the run with 1 worker at yield %d", p.name, workers, at)
			}
		}
	}
}

// checkObservation checks that W does not change while the loop body runs, that the functions of an iterate return the
// same values when called again, and that calling them does not change the run.
func (s *suite) checkObservation(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		var seen [][]float64
		for it, err := range s.run(p.objective) {
			if err != nil || len(seen) == shown {
				break
			}
			w := slices.Clone(it.W)
			first := pointOf(it)
			value := primal(p.objective, it)
			runtime.Gosched()
			if again := primal(p.objective, it); again != value {
				t.Errorf("%s: yield %d: Primal returns %v at the first call and %v at the second", p.name, len(seen), value, again)
			}
			if at := sameBits([]point{first}, []point{pointOf(it)}); at >= 0 || !equalBits(w, it.W) {
				t.Errorf("%s: yield %d: W, Dual, Scores or Stats changed while the loop body ran", p.name, len(seen))
			}
			seen = append(seen, w)
		}
		k := 0
		for it, err := range s.run(p.objective) {
			if err != nil || k == shown {
				break
			}
			if k == len(seen) || !equalBits(seen[k], it.W) {
				t.Errorf("%s: calling Dual, Primal and Stats of the iterates changes the run at yield %d", p.name, k)
				break
			}
			k++
		}
	}
}

// checkConcurrent checks that concurrent runs of one solver value do not affect each other. Run this check with the
// race detector too, which finds more faults.
func (s *suite) checkConcurrent(t testing.TB, all []*problem) {
	for _, p := range typical(all) {
		var wg sync.WaitGroup
		got := make([][]point, 3)
		for g := range got {
			wg.Go(func() { got[g], _ = record(s.run(p.objective), shown) })
		}
		wg.Wait()
		for _, points := range got {
			if at := sameBits(s.first(t, p), points); at >= 0 {
				t.Errorf("%s: a run at the same time as others differs from a run alone at yield %d", p.name, at)
				break
			}
		}
	}
}
