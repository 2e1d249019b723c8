package record

import (
	"math"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

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

// TestDue checks which iterates get a row: those where a row is due by the distance between rows, which may grow, and
// the first one at or after a comparison with other runs. That row does not move the other rows.
func TestDue(t *testing.T) {
	for _, every := range []lang.Cadence{{Passes: 1, Growth: 1}, {Passes: 2, Growth: 1.5}, {Epochs: 3, Growth: 1},
		{Epochs: 1, Growth: 2}} {
		for _, mark := range []*lang.At{nil, {Passes: 2.5}, {Epochs: 7}, {Passes: 4}} {
			const n, visits = 10, 3
			x := &execution{run: lang.Run{Record: lang.Record{Every: every}}, n: n, calls: newCalls(1)}
			if mark != nil {
				own := *mark
				x.pace.mark = &own
			}
			next, compared := 0.0, mark == nil
			for k := range 60 {
				x.calls.set([6]int64{visits * int64(k), 0, 0, 0, 0, 99}) // calls of the set-up do not count
				epoch := k / 2
				passes := float64(visits*k) / n
				at, step := passes, every.Passes
				if every.Epochs > 0 {
					at, step = float64(epoch), float64(every.Epochs)
				}
				want := false
				if !compared && (mark.Epochs > 0 && epoch >= mark.Epochs || mark.Epochs == 0 && passes >= mark.Passes-1e-9) {
					want, compared = true, true
				}
				if at >= next-1e-9 {
					want = true
					for next <= at+1e-9 || next < at*every.Growth-1e-9 {
						next += step
					}
				}
				if got := x.due(solvers.Iterate{Epoch: epoch}); got != want || math.Abs(x.at.passes-passes) > 1e-12 ||
					x.at.epoch != epoch || (x.pace.mark == nil) != compared {
					t.Fatalf("every %+v, compared at %+v: a row at yield %d: %v, want %v; position %+v", every, mark, k, got, want,
						x.at)
				}
			}
		}
	}
}
