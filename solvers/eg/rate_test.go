package eg

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestFirstRateIgnoresRounding checks that rounding errors do not make the rate that firstRate returns too small. The
// dual does not change for sentences with a single parse, but rounding errors may make it seem to decrease.
func TestFirstRateIgnoresRounding(t *testing.T) {
	set, err := (generated.GrammarTrees{Train: 100, Seed: 1, MaxWords: 12}).Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	task, err := cfg.Model{LossScale: 100, Forests: 64}.Build(set.Train, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(models.LogLoss(), 10.0/100).(*models.Risk)
	for seed := range uint64(20) {
		if eta := firstRate(p, solvers.Env{Seed: seed}, 10); eta < 1e-3 {
			t.Errorf("seed %d: firstRate = %v, want at least 1e-3", seed, eta)
		}
	}
}

// TestFirstRate compares firstRate with a second implementation of its rule, which computes each dual value by its
// definition. The samples have 1 to 45 examples, so that the share of 95 % is not the same as all examples.
func TestFirstRate(t *testing.T) {
	rates, short := map[float64]int{}, 0
	for _, n := range []int{7, 60, 450} {
		task := testbed.TaskOf(t, multiclass.Model{LossScale: 2}, testbed.OverlappingClasses(n, 3, 3))
		for _, loss := range []models.Loss{models.LogLoss(), models.Hinge(), {Temp: 0.5, Margin: 1}} {
			for k := range 8 {
				p := task.Objective(loss, []float64{1e-3, 0.02, 1}[k%3]).(*models.Risk)
				seed, peak := uint64(k), []float64{0, 3}[k%2]
				want, all := firstRateByDefinition(p, seed, peak)
				if got := firstRate(p, solvers.Env{Seed: seed}, peak); got != want {
					t.Errorf("n = %d, %+v, λ = %v, seed %d, start %v: firstRate = %v, want %v", n, loss, p.Lambda, seed, peak,
						got, want)
				}
				rates[want]++
				if !all {
					short++
				}
			}
		}
	}
	if len(rates) < 4 || short == 0 {
		t.Errorf("%d different rates, %d of them do not improve the dual in all updates: want at least 4 and 1", len(rates),
			short)
	}
}

// firstRateByDefinition returns the initial rate by the rule of firstRate, and whether all updates at this rate improve
// the dual.
func firstRateByDefinition(p *models.Risk, seed uint64, peak float64) (eta float64, all bool) {
	m := max(1, len(p.Examples)/10)
	sample := p.At(p.Lambda * float64(len(p.Examples)) / float64(m))
	sample.Examples = nil
	for _, i := range rand.New(rand.NewPCG(seed, dualspace.StreamEGRate)).Perm(len(p.Examples))[:m] {
		sample.Examples = append(sample.Examples, p.Examples[i])
	}
	for eta = 1; ; eta /= 2 {
		st := &egState{p: sample, lambda: sample.Lambda, Layout: dualspace.NewLayout(sample)} // only for definition
		st.score = st.Zeros()
		for i := range sample.Examples {
			for _, r := range sample.Examples[i].Truth {
				st.Of(st.score, i)[r] = peak
			}
		}
		st.mu = st.Zeros()
		before, w := definition(st)
		tol := 1e-12 * (1 + math.Abs(before))
		improved := 0
		for i := range sample.Examples {
			e, s := &sample.Examples[i], st.Of(st.score, i)
			theta := make([]float64, len(s))
			e.Features.Score(theta, w)
			for r := range s {
				step := theta[r] - p.Loss.Temp*s[r]
				if r < len(e.Cost) {
					step += p.Loss.Margin * e.Cost[r]
				}
				s[r] += eta * step
			}
			var after float64
			after, w = definition(st)
			if float64(m)*(after-before) >= -tol {
				improved++
			}
			before = after
		}
		if float64(improved) >= 0.95*float64(m) || eta < 1e-9 {
			return eta, improved == m
		}
	}
}
