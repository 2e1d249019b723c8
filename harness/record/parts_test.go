package record

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// TestKeeperRow draws rows, some without the column of the rule, and checks which row is kept: the first of the best
// values, or the last row if there is no rule or no value. The kept weights are a copy. It also checks after how many
// rows without a better value the patience ends.
func TestKeeperRow(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		best, patience := []string{"min", "max"}[r.IntN(2)], r.IntN(4)
		k := keeper{weights: r.IntN(4) > 0}
		if r.IntN(5) > 0 {
			k.rule = &lang.Keep{By: "e", Best: best, Patience: patience}
		}
		w, top, at, since := []float64{0}, math.Inf(1), -1, 0
		for i := range 1 + r.IntN(8) {
			w[0] = float64(i)
			row := map[string]float64{"other": 1}
			v, has := float64(r.IntN(4)), r.IntN(4) > 0
			if has {
				row["e"] = v
			}
			if best == "max" {
				v = -v
			}
			k.look(row, w, models.Counts{Names: []string{fmt.Sprint(i)}})
			since++
			if k.rule == nil || math.IsInf(top, 1) || has && v < top {
				at, since = i, 0
				if has {
					top = v
				}
			}
			if got, want := k.exhausted(), k.rule != nil && patience > 0 && since >= patience; got != want {
				t.Fatalf("seed %d, row %d: the patience %d has ended after %d rows: %v", seed, i, patience, since, got)
			}
		}
		w[0] = -1
		if k.weights && !slices.Equal(k.final, []float64{float64(at)}) || !k.weights && k.final != nil ||
			k.counts.Names[0] != fmt.Sprint(at) {
			t.Fatalf("seed %d: kept the weights %v and the counts of row %s, want those of row %d", seed, k.final,
				k.counts.Names[0], at)
		}
	}
}

// TestTimerAndPhases starts, stops and divides into phases the work of a solver at random, and checks the seconds in
// total and by phase against sums over the pieces of work: only work while the timer runs counts, and the phase files
// counts for itself but not for the total.
func TestTimerAndPhases(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		measures := r.IntN(3) > 0
		now := time.Duration(0)
		c := &clock{thread: func() (time.Duration, bool) { return now / 2, measures },
			present: func() time.Time { return time.Unix(0, 0).Add(now) }}
		x := &timer{clock: c}
		want, total, running, phase := map[string]time.Duration{}, time.Duration(0), false, ""
		for range 30 {
			step := time.Duration(r.IntN(5)) * time.Second
			if now += step; running && phase != "" {
				want[phase] += step
			}
			if running && phase != filesPhase {
				total += step
			}
			switch {
			case !running && r.IntN(4) == 0: // a solver leaves its phase when its loop has ended
				phase = ""
				x.phases.enter(phase, c.now())
			case !running:
				x.start()
				running = true
			case r.IntN(2) == 0:
				x.pause()
				running = false
			default:
				phase = []string{"", "setup", "qp", filesPhase}[r.IntN(4)]
				x.phases.enter(phase, c.now())
			}
		}
		if running {
			x.pause()
		}
		row, expected := map[string]float64{}, map[string]float64{trace.Seconds: total.Seconds()}
		if x.write(row); measures {
			expected[trace.CPUSeconds] = total.Seconds() / 2
		}
		for name, d := range want {
			expected[name+"_seconds"] = d.Seconds()
			if measures {
				expected[name+"_cpu_seconds"] = d.Seconds() / 2
			}
		}
		for name, v := range row { // a phase without time may have a column
			if expected[name] != v {
				t.Fatalf("seed %d: %s is %v, want %v", seed, name, v, expected[name])
			}
		}
		for name, v := range expected {
			if v > 0 && row[name] != v {
				t.Fatalf("seed %d: %s is %v, want %v; row %v", seed, name, row[name], v, slices.Sorted(maps.Keys(row)))
			}
		}
		counted := total.Seconds()
		if measures {
			counted /= 2
		}
		if x.seconds() != counted {
			t.Fatalf("seed %d: %v s count, want %v", seed, x.seconds(), counted)
		}
		x.start()
		now += time.Second
		if more := x.running() - counted; more != map[bool]float64{true: 0.5, false: 1}[measures] {
			t.Fatalf("seed %d: a second of work counts as %v s while the timer runs", seed, more)
		}
		e := &execution{timer: *x, stop: lang.Stop{Seconds: counted + 10}}
		left, limited := e.left()
		if e.stop.Seconds = 0; !limited || left != time.Duration((counted+10-x.running())*float64(time.Second)) {
			t.Fatalf("seed %d: %v left of 10 s, limited %v", seed, left, limited)
		}
		if left, limited := e.left(); left != 0 || limited {
			t.Fatalf("seed %d: %v left without a limit", seed, left)
		}
	}
}

// TestFollowing checks the position of the next row: the least multiple of the distance between rows that is after the
// present position and not before a given one, in passes or in epochs.
func TestFollowing(t *testing.T) {
	for _, step := range []float64{0.25, 1, 3} {
		for _, epochs := range []bool{false, true} {
			if epochs && step < 1 {
				continue
			}
			for at := 0.0; at < 8; at += 0.5 {
				for from := 0.0; from < 12; from += 0.25 {
					x := &execution{run: lang.Run{Record: lang.Record{Every: lang.Cadence{Passes: step}}}}
					x.at = position{passes: at, epoch: 1000}
					if epochs {
						x.run.Record.Every = lang.Cadence{Epochs: int(step), Passes: 99}
						x.at = position{passes: 1000, epoch: int(at)}
					}
					want := 0.0
					for want <= x.progress() || want < from {
						want += step
					}
					if got := x.following(from); math.Abs(got-want) > 1e-9 {
						t.Errorf("step %v, epochs %v: after %v and from %v the next row is at %v, want %v", step, epochs,
							x.progress(), from, got, want)
					}
				}
			}
		}
	}
	for at, want := range map[lang.At][2]bool{{Passes: 3}: {true, false}, {Passes: 3.1}: {false, false},
		{Epochs: 2}: {true, false}, {Epochs: 3}: {false, false}} {
		if got := [2]bool{Reached(at, 3, 2), Reached(at, 2.9, 1)}; got != want {
			t.Errorf("%+v is reached after 3 passes and 2 epochs, and before: %v, want %v", at, got, want)
		}
	}
}

// TestEarlier checks the first of two limits, of which 0 is none, and that each rule of a stage of a path has its own
// start and limits.
func TestEarlier(t *testing.T) {
	for _, c := range [][4]float64{{5, 0, 0, 0}, {5, 2, 0, 7}, {5, 0, 9, 9}, {5, 2, 9, 7}, {5, 2, 6, 6}, {5, 2, 7, 7},
		{0, 2, 0, 2}} {
		if got := earlier(c[0], c[1], c[2]); got != c[3] {
			t.Errorf("started at %v, for %v, at most to %v: %v, want %v", c[0], c[1], c[2], got, c[3])
		}
	}
	x := &execution{stop: lang.Stop{Gap: 0.5, Passes: 100, Epochs: 200, Seconds: 300}, at: position{passes: 9, epoch: 20},
		stage: stage{start: 10}, run: lang.Run{Solver: lang.Solver{Path: &lang.Path{}}}}
	x.timer.spent.wall = 30 * time.Second
	if got := x.stageStop(); got != (lang.Stop{Passes: 100, Epochs: 200, Seconds: 300}) {
		t.Errorf("a stage without rules stops by %+v", got)
	}
	x.run.Solver.Path.Until = lang.Stop{Gap: 0.1, Passes: 1, Epochs: 2, Seconds: 3}
	if got := x.stageStop(); got != (lang.Stop{Gap: 0.1, Passes: 11, Epochs: 22, Seconds: 33}) {
		t.Errorf("a stage after 10 passes, 20 epochs and 30 s stops by %+v", got)
	}
	x.stop = lang.Stop{}
	if got := x.stageStop(); got != (lang.Stop{Gap: 0.1, Passes: 11, Epochs: 22, Seconds: 33}) {
		t.Errorf("a stage of a run without rules stops by %+v", got)
	}
}

// TestWhenStatesAreWritten checks when a state is due, that an interrupted run writes one only after enough work, and
// how long the next waits: at least the given time, and longer if writing took long.
func TestWhenStatesAreWritten(t *testing.T) {
	zero := time.Unix(1000, 0)
	keep := func(func(io.Writer) error) error { return nil }
	for _, c := range []struct {
		keep   func(func(io.Writer) error) error
		after  time.Duration // since the state is due
		status trace.Status
		worked time.Duration
		due    bool
		late   bool
	}{
		{nil, time.Hour, trace.Interrupted, time.Hour, false, false}, {keep, 1, "", time.Hour, true, false},
		{keep, 0, trace.Done, time.Hour, false, false}, {keep, -1, trace.Interrupted, 6 * time.Second, false, true},
		{keep, -1, trace.Interrupted, 6*time.Second - 1, false, false}, {keep, -1, trace.Budget, time.Hour, false, false},
	} {
		x := &execution{saver: saver{Saving: Saving{Keep: c.keep, Every: time.Minute}, next: zero}}
		x.timer.spent.wall = c.worked
		var end ending
		if c.status != "" {
			end = &outcome{status: c.status}
		}
		if due, late := x.saver.due(zero.Add(c.after)), x.interruptedLate(end); due != c.due || late != c.late {
			t.Errorf("%+v: due %v, written at the end %v", c, due, late)
		}
	}
	for _, took := range []time.Duration{0, time.Second, 3 * time.Second, 10 * time.Second} {
		now, written := zero, 0
		x := &execution{calls: newCalls(1), timer: timer{clock: &clock{present: func() time.Time { return now }}}}
		failed := errors.New("disk full")
		x.saver.Every = time.Minute
		x.saver.Keep = func(write func(io.Writer) error) error {
			written++
			now = now.Add(took)
			return errors.Join(write(io.Discard), failed)
		}
		x.save(solvers.Iterate{})
		if written != 0 {
			t.Error("a state was written although the solver has none")
		}
		x.save(solvers.Iterate{State: func(*solvers.State) {}})
		if want := now.Add(max(time.Minute, 20*took)); written != 1 || !errors.Is(x.saver.err, failed) ||
			!x.saver.next.Equal(want) {
			t.Errorf("writing took %v: %d states, error %v, the next after %v; want one, and %v", took, written, x.saver.err,
				x.saver.next.Sub(now), want.Sub(now))
		}
	}
}

// named is an oracle with a name, which is comparable.
type named string

func (n named) Max(dst models.Vertex, _ []float64) (models.Vertex, float64) {
	return dst, float64(len(n))
}

// TestDecoratorsAreReused checks that each oracle has one decorator, whatever the order of the examples, which calls
// this oracle.
func TestDecoratorsAreReused(t *testing.T) {
	wrapped := 0
	d := decorators[models.MaxOracle]{wrap: func(o models.MaxOracle) models.MaxOracle {
		wrapped++
		return countedMax{o, booked{newCalls(1), &tally{}}}
	}}
	first := map[named]models.MaxOracle{}
	for _, o := range []named{"a", "a", "bb", "a", "ccc", "bb", "bb", "a", "ccc"} {
		got := d.of(o)
		if _, v := got.Max(nil, nil); v != float64(len(o)) {
			t.Errorf("the decorator of %s calls the oracle with a name of %v letters", o, v)
		}
		if first[o] == nil {
			first[o] = got
		}
		if got != first[o] || d.of(nil) != nil {
			t.Errorf("%s has a second decorator, or no oracle has one", o)
		}
	}
	if wrapped != 3 {
		t.Errorf("%d decorators of three oracles", wrapped)
	}
	c := newCalls(8)
	for i := range c.tallies {
		c.tallies[i].exp.Store(int64(i))
	}
	c.set([6]int64{1, 2, 3, 4, 5, 6})
	if c.totals() != [6]int64{1, 2, 3, 4, 5, 6} || c.visits() != 15 {
		t.Errorf("counts %v, %d visits; want 1 to 6, and 15 without those of the set-up", c.totals(), c.visits())
	}
}

// TestDualOfAnotherLambda checks the bound for the target λ that follows from the dual of a solver with another λ, for
// the problem λ/2 |w|² + max(0, 1 − w): at the dual point a in [0, 1], w = a/λ, and the dual is a − a²/2λ for every λ.
func TestDualOfAnotherLambda(t *testing.T) {
	for _, target := range []float64{0.5, 1, 4} {
		for _, lambda := range []float64{0.25, 1, 4, 10} {
			for _, a := range []float64{0, 0.3, 1} {
				dual := func(lambda float64) float64 { return a - a*a/(2*lambda) }
				e := &evaluator{problem: &models.Risk{Lambda: target}}
				it := solvers.Iterate{W: []float64{a / lambda, 0}, Dual: func() float64 { return dual(lambda) }}
				if got, want := e.dual(it, lambda, 99), dual(target); math.Abs(got-want) > 1e-12 {
					t.Errorf("λ=%v, target %v, point %v: dual %v, want %v", lambda, target, a, got, want)
				}
			}
		}
	}
	if got := (&evaluator{}).dual(solvers.Iterate{}, 1, 0); !math.IsNaN(got) {
		t.Errorf("dual without weights and without a value = %v, want none", got)
	}
}

// TestFailures checks how a run ends after each kind of error of its solver.
func TestFailures(t *testing.T) {
	why := errors.New("stopped by the user")
	for _, c := range []struct {
		interrupted error
		stop        lang.Stop
		budget      *lang.Budget
		err         error
		want        outcome
	}{
		{nil, lang.Stop{}, nil, why, outcome{trace.Failed, "stopped by the user", ""}},
		{why, lang.Stop{}, nil, fmt.Errorf("in a step: %w", why),
			outcome{trace.Interrupted, "in a step: stopped by the user", ""}},
		{why, lang.Stop{}, nil, errors.New("singular"), outcome{trace.Failed, "singular", ""}},
		{nil, lang.Stop{Seconds: 7}, nil, fmt.Errorf("x: %w", solvers.ErrBudget), outcome{trace.Done, "7 s", "seconds"}},
		{nil, lang.Stop{Seconds: 7}, &lang.Budget{Seconds: 5}, solvers.ErrBudget, outcome{trace.Budget, "5 s", ""}},
		{nil, lang.Stop{Seconds: 7}, &lang.Budget{Seconds: 9}, solvers.ErrBudget, outcome{trace.Done, "7 s", "seconds"}},
	} {
		x := &execution{stop: c.stop, run: lang.Run{Budget: c.budget}, interrupted: func() error { return c.interrupted }}
		if got := x.failure(c.err); got != c.want {
			t.Errorf("%v, interrupted by %v: %+v, want %+v", c.err, c.interrupted, got, c.want)
		}
	}
}
