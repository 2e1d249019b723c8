package figure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// pairs returns runs of two solvers at two n, and of one of them at two C.
func pairs() []*trace.File {
	run := func(as string, n, C, seconds, wrong float64) *trace.File {
		f := &trace.File{End: &trace.End{Status: trace.Done}}
		f.Manifest = trace.Manifest{Labels: labels{"as": as, "n": n, "C": C}}
		f.Rows = []trace.Row{{Values: map[string]float64{"passes": 1, "seconds": seconds, "wrong": wrong}}}
		return f
	}
	return []*trace.File{run("fast", 10, 1, 2, 0.5), run("fast", 20, 1, 4, 0.5), run("fast", 10, 9, 3, 0.4),
		run("fast", 20, 9, 8, 0.6), run("slow", 10, 1, 6, 0.3)}
}

// TestQuantityOfTwoRuns checks that a quantity of two runs has no point where the other run is missing.
func TestQuantityOfTwoRuns(t *testing.T) {
	p := lang.Panel{X: "n", Where: `as == "fast" and C == 1`,
		Y: lang.Strings{`final.seconds / final(curve({as: "slow", n: n, C: C}), "seconds")`}}
	line := resolve(t, lang.FigureSpec{Panel: p}, pairs()...).Panels[0].Lines[0]
	if diff := cmp.Diff([][]float64{{10}, {1.0 / 3}}, [][]float64{line.X, line.Y}); diff != "" {
		t.Error(diff)
	}
}

// TestBestAtEachX checks that a filter can choose the best run at each x.
func TestBestAtEachX(t *testing.T) {
	p := lang.Panel{X: "n", Y: lang.Strings{"final.seconds"},
		Where: `as == "fast" and final.wrong == min(map(curves({as: as, n: n}), final(#, "wrong")))`}
	line := resolve(t, lang.FigureSpec{Panel: p}, pairs()...).Panels[0].Lines[0]
	if diff := cmp.Diff([][]float64{{10, 20}, {3, 4}}, [][]float64{line.X, line.Y}); diff != "" {
		t.Error(diff)
	}
}

// TestGuide checks that a guide goes through a run of the figure and has its own legend.
func TestGuide(t *testing.T) {
	p := lang.Panel{X: "n", Where: "C == 1", Y: lang.Strings{"final.seconds"}, BoundLabel: "proportional to n",
		Bound: `x * final(curve({as: "fast", n: 20, C: 1}), "seconds") / 20`}
	lines := boundsOf(t, p, pairs()...)
	if len(lines) != 1 || lines[0].Label != "proportional to n" || lines[0].Style != figure.Bound {
		t.Fatalf("%+v", lines)
	}
	if y := lines[0].Y; y[0] != 2 || y[len(y)-1] != 4 {
		t.Errorf("%v", y)
	}
}
