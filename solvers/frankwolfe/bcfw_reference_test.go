package frankwolfe

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// listed is BCFW with explicit distributions over labellings. It follows the comment of BCFW and shares no code with
// the solver, except for the order and the batches of visits.
type listed struct {
	b     *BCFW
	p     *models.Risk
	alpha mixture
	shift [][]float64 // for each example, its term of w
	w     []float64
	loss  []float64 // the expected label losses l_i

	visits      int
	average     []float64
	averageLoss float64
	calm        map[int]bool // examples without a gap since the last change of w
	gaps, steps float64      // sums over the visits of the epoch
	stats       [2]float64   // block_gap_sum and step_mean of the last epoch
}

func newListed(b *BCFW, p *models.Risk) *listed {
	n := len(p.Examples)
	l := &listed{b: b, p: p, alpha: truths(p), shift: make([][]float64, n), w: make([]float64, p.Dim),
		loss: make([]float64, n), average: make([]float64, p.Dim), calm: map[int]bool{}}
	for i := range l.shift {
		l.shift[i] = make([]float64, p.Dim)
	}
	return l
}

// violation returns Δ_i(y) + θ·1_y at the present w.
func (l *listed) violation(i int, y models.Vertex) float64 {
	e := &l.p.Examples[i]
	theta := make([]float64, e.Features.Parts())
	e.Features.Score(theta, l.w)
	return e.LabelLoss(y) + y.Dot(theta)
}

// mean returns the mean of violation over the labellings of example i.
func (l *listed) mean(i int) (mean float64) {
	for _, x := range l.alpha[i] {
		mean += x.mass * l.violation(i, x.y)
	}
	return mean
}

// direction is a step that a batch has prepared: towards y, from the labelling from, or from all labellings if from is
// nil.
type direction struct {
	y, from models.Vertex
	gap     float64 // the gap of the block at the start of the batch
	longest float64
}

func (l *listed) prepare(i int) direction {
	e := &l.p.Examples[i]
	theta := make([]float64, e.Features.Parts())
	e.Features.Score(theta, l.w)
	y, _, _ := l.p.Loss.Violated(nil, e, theta)
	d := direction{y: slices.Clone(y), gap: l.violation(i, y) - l.mean(i), longest: 1}
	if l.b.Step == pairwise {
		least := math.Inf(1)
		for _, x := range l.alpha[i] {
			if v := l.violation(i, x.y); v < least-1e-13 {
				least, d.from, d.longest = v, x.y, x.mass
			}
		}
	}
	return d
}

// step makes a prepared step at the present w. moved tells whether w has changed since the step was prepared.
func (l *listed) step(i int, d direction, moved bool) (changed bool) {
	l.visits++
	defer func() {
		share := 2 / (float64(l.visits-1) + 2)
		for j, x := range l.w {
			l.average[j] += share * (x - l.average[j])
		}
		l.averageLoss += share * (dualspace.Sum(l.loss)/float64(len(l.loss)) - l.averageLoss)
	}()
	gain := l.violation(i, d.y) - l.mean(i)
	if d.from != nil {
		gain = l.violation(i, d.y) - l.violation(i, d.from)
	}
	if tiny := 1e-11; d.gap <= tiny || gain <= tiny {
		if !moved {
			l.calm[i] = true
		}
		return false
	}
	e, n := &l.p.Examples[i], float64(len(l.p.Examples))
	v := testbed.Difference(l.p.Dim, e, d.y) // A_iᵀ(1_{y_i} − 1_{y*}); after the loop A_iᵀ(μ_i − 1_{y*})
	for _, x := range l.alpha[i] {
		switch {
		case d.from == nil:
			addTo(v, -x.mass, testbed.Difference(l.p.Dim, e, x.y))
		case slices.Equal(x.y, d.from):
			addTo(v, -1, testbed.Difference(l.p.Dim, e, x.y))
		}
	}
	gamma := d.longest
	if norm := dualspace.Dot(v, v); norm > 0 {
		gamma = min(gamma, l.p.Lambda*n*gain/norm)
	}
	var list []weighted
	for _, x := range l.alpha[i] {
		switch {
		case d.from == nil:
			x.mass *= 1 - gamma
		case slices.Equal(x.y, d.from):
			x.mass -= gamma
		}
		if x.mass > 1e-15 {
			list = append(list, x)
		}
	}
	if k := slices.IndexFunc(list, func(x weighted) bool { return slices.Equal(x.y, d.y) }); k >= 0 {
		list[k].mass += gamma
	} else {
		list = append(list, weighted{d.y, gamma})
	}
	l.alpha[i] = list
	fresh := make([]float64, l.p.Dim)
	l.loss[i] = 0
	for _, x := range list {
		addTo(fresh, x.mass/(l.p.Lambda*n), testbed.Difference(l.p.Dim, e, x.y))
		l.loss[i] += x.mass * e.LabelLoss(x.y)
	}
	addTo(l.w, 1, fresh)
	addTo(l.w, -1, l.shift[i])
	l.shift[i] = fresh
	clear(l.calm)
	if d.from == nil {
		l.gaps += gain
	} else {
		l.gaps += d.gap
	}
	l.steps += gamma
	return true
}

func addTo(v []float64, share float64, x []float64) {
	for j, y := range x {
		v[j] += share * y
	}
}

// outcome contains the values of an iterate.
type outcome struct {
	epoch int
	dual  float64
	w     []float64
	stats []float64
}

func (l *listed) outcome(average bool) outcome {
	n := len(l.p.Examples)
	w, loss := l.w, dualspace.Sum(l.loss)/float64(n)
	if average {
		w, loss = l.average, l.averageLoss
	}
	o := outcome{l.visits / n, loss - l.p.Lambda/2*dualspace.Dot(w, w), slices.Clone(w), nil}
	if o.epoch > 0 {
		o.stats = slices.Clone(l.stats[:])
	}
	return o
}

// run returns the outcomes of at most the given number of epochs.
func (l *listed) run(seed uint64, epochs int) (out []outcome) {
	n := len(l.p.Examples)
	order, due := dualspace.NewOrder(l.b.Order, n, seed, dualspace.StreamBCFW), dualspace.NewCadence(n)
	out = append(out, l.outcome(l.b.Average))
	for l.visits < epochs*n {
		if len(l.calm) == n {
			if l.b.Average {
				out = append(out, l.outcome(false))
			}
			return out
		}
		batch := order.Batch(nil, min(max(1, l.b.Minibatch), due.Next(l.visits)-l.visits))
		var list []direction
		for _, i := range batch {
			list = append(list, l.prepare(i))
		}
		moved := false
		for k, i := range batch {
			moved = l.step(i, list[k], moved) || moved
		}
		if l.visits%n == 0 {
			l.stats = [2]float64{l.gaps / float64(n), l.steps / float64(n)}
			l.gaps, l.steps = 0, 0
		}
		if due.Yields(l.visits) {
			out = append(out, l.outcome(l.b.Average))
		}
	}
	return out
}

// blank returns classes, of which one example has no features: its steps change the label loss but not w.
func blank(t *testing.T) *models.Task {
	rows := testbed.OverlappingClasses(24, 3, 3)
	task := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows)
	e := &task.Train[5].Features
	*e = without{(*e).(models.SparseMap)}
	return task
}

// without is a feature map whose features are all 0.
type without struct{ models.SparseMap }

func (without) Score(theta, _ []float64)                 { clear(theta) }
func (without) AddAdjoint([]float64, float64, []float64) {}
func (without) Adjoint(dst *models.Sparse, _ []float64) {
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
}
func (without) Add([]float64, float64, models.Vertex) {}

// TestBCFWIsTheAlgorithm compares each iterate of runs with a second implementation, which lists all labellings with
// positive mass: W, the dual, the statistics, and where the run ends. It covers both steps, averages, all orders and
// minibatches.
func TestBCFWIsTheAlgorithm(t *testing.T) {
	const epochs = 4
	for name, task := range map[string]*models.Task{
		"classes": blank(t),
		"chain": testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(2, 2, 3, 1, 2, 2, 4, 2, 3, 1, 3, 1, 2,
			2, 4, 2, 3, 1, 3, 1, 2, 2, 4, 2)),
		"trees": testbed.TaskOf(t, cfg.Model{LossScale: 1, Forests: 1}, testbed.AmbiguousTrees()),
	} {
		n := len(task.Train)
		for _, lambda := range []float64{1 / float64(n), 1e3} {
			p := task.Objective(models.Hinge(), lambda).(*models.Risk)
			for k := range 12 {
				b := &BCFW{Order: []string{"random", "permutation", "cyclic"}[k%3], Average: k%2 == 1,
					Step: []string{"frank-wolfe", "pairwise"}[k/3%2], Minibatch: []int{0, 2}[k/6]}
				if b.Step == pairwise && b.Order == "random" {
					// Two visits in a row to an example begin with a tie of two labellings, which rounding errors decide.
					b.Order = "permutation"
				}
				at := fmt.Sprintf("%s, λ %v, %+v", name, lambda, *b)
				want, got := newListed(b, p).run(7, epochs), 0
				for it := range testbed.Iterates(t, solvers.Run(b, p, solvers.Env{Seed: 7})) {
					if got == len(want) {
						t.Errorf("%s: the run goes on after %d iterates, in epoch %d", at, got, it.Epoch)
						break
					}
					x := want[got]
					var stats []float64
					it.Stats(func(_ string, v float64) { stats = append(stats, v) })
					size := 1 + math.Sqrt(dualspace.Dot(x.w, x.w))
					if d := testbed.Distance(it.W, x.w); it.Epoch != x.epoch || d > 1e-8*size ||
						math.Abs(it.Dual()-x.dual) > 1e-8*(1+x.dual) || len(stats) != len(x.stats) ||
						len(stats) == 2 && testbed.Distance(stats, x.stats) > 1e-8*(1+x.stats[0]+x.stats[1]) {
						t.Errorf("%s: iterate %d: w is off by %v; epoch %d, dual %v and statistics %v, want %d, %v and %v", at, got,
							d, it.Epoch, it.Dual(), stats, x.epoch, x.dual, x.stats)
						break
					}
					if got++; got == len(want) && x.epoch == epochs {
						break
					}
				}
				if got < len(want) {
					t.Errorf("%s: %d iterates, want %d", at, got, len(want))
				}
			}
		}
	}
}

// TestBCFWRemovesErrors checks that a run recomputes w every few epochs. The run resumes from a state with a wrong w,
// and with wrong marginals and label losses if the steps are pairwise, since the masses of the labellings define these.
func TestBCFWRemovesErrors(t *testing.T) {
	task := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(6, 3, 3))
	p := task.Objective(models.Hinge(), 0.1).(*models.Risk)
	for _, step := range []string{"frank-wolfe", pairwise} {
		b := &BCFW{Order: "cyclic", Step: step}
		bad := newBCFWState(b, p, 1)
		for range 2 * len(p.Examples) {
			bad.visit(bad.visits.Next())
		}
		for j := range bad.w {
			bad.w[j] += 1e-3
		}
		if step == pairwise {
			for i := range bad.loss {
				bad.loss[i] += 1e-3
				for k := range bad.atoms[i] {
					bad.atoms[i][k].mass *= 1.001
				}
			}
		}
		env := solvers.Env{Seed: 1, Resume: func(keep func(*solvers.State)) (bool, error) {
			var saved bytes.Buffer
			if err := solvers.SaveState(&saved, bad.carry); err != nil {
				return false, err
			}
			return true, solvers.LoadState(&io.LimitedReader{R: &saved, N: int64(saved.Len())}, keep)
		}}
		errors := map[int]float64{} // by epoch, the largest error of w, of the masses and of the label losses
		for it := range testbed.Iterates(t, solvers.Run(b, p, env)) {
			var saved bytes.Buffer
			if err := solvers.SaveState(&saved, it.State); err != nil {
				t.Fatal(err)
			}
			at := newBCFWState(b, p, 1)
			if err := solvers.LoadState(&io.LimitedReader{R: &saved, N: int64(saved.Len())}, at.carry); err != nil {
				t.Fatal(err)
			}
			w := make([]float64, p.Dim)
			var off float64
			for i := range p.Examples {
				e, mu := &p.Examples[i], at.marginals(i)
				diff := make([]float64, len(mu))
				for _, r := range e.Truth {
					diff[r]++
				}
				sum, loss := 1.0, at.loss[i]
				if step == pairwise {
					sum, loss = 0, 0
					for _, x := range at.atoms[i] {
						sum += x.mass
						loss += x.mass * e.LabelLoss(x.y)
					}
				}
				off = max(off, math.Abs(sum-1), math.Abs(loss-at.loss[i]), math.Abs(dualspace.Sum(mu)-1))
				addTo(diff, -1, mu)
				e.Features.AddAdjoint(w, 1/(p.Lambda*float64(len(p.Examples))), diff)
			}
			errors[it.Epoch] = max(off, testbed.Distance(w, it.W))
			if it.Epoch > dualspace.RefreshEpochs {
				break
			}
		}
		if before, after := errors[dualspace.RefreshEpochs-1], errors[dualspace.RefreshEpochs]; !(before > 1e-4) ||
			!(after < 1e-9) {
			t.Errorf("%s: the largest error is %v in epoch %d and %v in the next epoch, want 0", step, before,
				dualspace.RefreshEpochs-1, after)
		}
	}
}
