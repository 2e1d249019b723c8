package figure_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// cuttingPlanes returns a run with the constants that the bounds of the cutting-plane paper contain.
func cuttingPlanes(l labels, eps, radius, loss, epochs float64) *trace.File {
	f := &trace.File{End: &trace.End{Status: trace.Done}}
	l["as"], l["lambda"] = "one-slack", 1/l["C"].(float64)
	f.Manifest = trace.Manifest{Size: trace.Size{N: 100}, Labels: l}
	f.Manifest.Spec = map[string]any{"solver": map[string]any{"params": map[string]any{"eps": eps}}}
	for _, part := range []float64{0.5, 1} {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{
			"epoch": part * epochs, "passes": part, "radius_sq_seen": part * radius, "loss_seen": loss, "C": l["C"].(float64),
		}})
	}
	return f
}

// boundsOf makes a panel from some runs and returns the lines that draw its bound.
func boundsOf(t *testing.T, p lang.Panel, files ...*trace.File) []figure.Line {
	t.Helper()
	lines := resolve(t, lang.FigureSpec{Panel: p}, files...).Panels[0].Lines
	return slices.DeleteFunc(lines, func(l figure.Line) bool { return l.Style != figure.Bound })
}

// wantBounds compares lines that draw bounds, except for their style.
func wantBounds(t *testing.T, want, got []figure.Line) {
	t.Helper()
	for i := range got {
		got[i].Style = 0
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBoundOfASweep checks a bound in a panel where each run is one point. If its constants were measured or change
// along x, the bound at each x must use the constants of the run at this x.
func TestBoundOfASweep(t *testing.T) {
	sweep := lang.Panel{X: "n", Y: lang.Strings{"final.epoch"}}
	files := func() []*trace.File {
		return []*trace.File{
			cuttingPlanes(labels{"C": 1.0, "n": 400.0}, 0.5, 4, 100, 20),
			cuttingPlanes(labels{"C": 1.0, "n": 100.0}, 0.5, 2, 100, 10),
			cuttingPlanes(labels{"C": 1.0, "n": 200.0}, 0.5, 3, 100, 10),
		}
	}
	for bound, want := range map[string][]float64{
		"radius_sq_seen * x":            {200, 600, 1600},
		"final.radius_sq_seen + C":      {3, 4, 5},
		"16 * radius_sq_seen * C / eps": {64, 96, 128},
		"max(0, ceil(log2(loss_seen / (4 * radius_sq_seen * C)))) + ceil(16 * radius_sq_seen * C / eps)": {4 + 64, 4 + 96,
			3 + 128},
		"cp-thm5": {4 + 64, 4 + 96, 3 + 128},
		"cp-thm6": {64e4, 96e4, 128e4},
		"eps * x": {50, 100, 200},
	} {
		p := sweep
		p.Bound = bound
		wantBounds(t, []figure.Line{{Label: "bound", X: []float64{100, 200, 400}, Y: want}}, boundsOf(t, p, files()...))
	}
	// A formula that contains only x and labels that all runs share is drawn over the whole range.
	guide := sweep
	guide.Bound = "C * x / 10"
	if lines := boundsOf(t, guide, files()...); len(lines) != 1 || len(lines[0].X) != 101 || lines[0].Y[100] != 40 ||
		lines[0].Label != "bound" {
		t.Errorf("bounds = %+v, want one with 101 points that ends at 40", lines)
	}
}

// TestBoundAlongItsConstants checks a panel with C or eps on the x axis, where both occur in the bound. It also checks
// that runs without a finite bound are left out.
func TestBoundAlongItsConstants(t *testing.T) {
	p := lang.Panel{X: "C", XScale: "log", Y: lang.Strings{"final.epoch"}, Bound: "cp-thm5"}
	lines := boundsOf(t, p, cuttingPlanes(labels{"C": 100.0}, 0.5, 4, 100, 9),
		cuttingPlanes(labels{"C": 1.0}, 0.5, 4, 100, 9))
	wantBounds(t, []figure.Line{{Label: "bound", X: []float64{1, 100}, Y: []float64{3 + 128, 12800}}}, lines)

	p.X = "1 / eps"
	lines = boundsOf(t, p, cuttingPlanes(labels{"C": 1.0, "eps": 0.25}, 7, 4, 100, 9),
		cuttingPlanes(labels{"C": 1.0, "eps": 0.5}, 7, 4, 100, 9),
		cuttingPlanes(labels{"C": 1.0, "eps": 0.125}, 7, math.Inf(1), 100, 9))
	wantBounds(t, []figure.Line{{Label: "bound", X: []float64{2, 4}, Y: []float64{3 + 128, 3 + 256}}}, lines)
}

// TestBoundOfRepetitions checks that runs which differ only in their seed have one common bound, the mean of their
// bounds.
func TestBoundOfRepetitions(t *testing.T) {
	p := lang.Panel{X: "C", Y: lang.Strings{"final.epoch"}, Bound: "radius_sq_seen"}
	lines := boundsOf(t, p, cuttingPlanes(labels{"C": 1.0, "seed": 1.0}, 1, 2, 1, 5),
		cuttingPlanes(labels{"C": 1.0, "seed": 2.0}, 1, 4, 1, 5))
	wantBounds(t, []figure.Line{{Label: "bound", X: []float64{1}, Y: []float64{3}}}, lines)
}

// TestMeasuredBoundOfACurve checks that the bound of a curve may contain quantities that the run measured.
func TestMeasuredBoundOfACurve(t *testing.T) {
	p := lang.Panel{X: "epoch", Y: lang.Strings{"passes"}, Bound: "16 * radius_sq_seen * C / x"}
	lines := boundsOf(t, p, cuttingPlanes(labels{"C": 2.0}, 1, 4, 1, 16))
	if len(lines) != 1 || lines[0].X[0] != 8 || lines[0].Y[0] != 16 || lines[0].Y[len(lines[0].Y)-1] != 8 {
		t.Errorf("bounds = %+v, want one bound that falls from 16 at x = 8 to 8", lines)
	}
}

// TestBoundIsSpacedAlongTheAxis checks that the points of a bound are evenly spaced on the x axis, whatever the scale
// of the y axis. A log axis has no points at x ≤ 0, so the bound begins at the smallest positive x there.
func TestBoundIsSpacedAlongTheAxis(t *testing.T) {
	run := cuttingPlanes(labels{"C": 2.0}, 1, 4, 1, 32)
	start := trace.Row{Values: map[string]float64{"epoch": 0, "passes": 0}}
	run.Rows = slices.Insert(run.Rows, 0, start)
	for _, yscale := range []string{"", "linear", "log"} {
		for xscale, want := range map[string][]float64{"": {0, 8, 16, 32}, "linear": {0, 8, 16, 32},
			"log": {16, 16 * math.Pow(2, 0.25), 16 * math.Sqrt2, 32}} {
			p := lang.Panel{X: "epoch", XScale: xscale, Y: lang.Strings{"passes"}, YScale: yscale, Bound: "1 + C * x"}
			lines := boundsOf(t, p, run)
			if len(lines) != 1 || len(lines[0].X) != 101 {
				t.Fatalf("scales %q and %q: bounds = %+v, want one with 101 points", xscale, yscale, lines)
			}
			got := lines[0]
			for i, at := range []int{0, 25, 50, 100} {
				if x, y := got.X[at], got.Y[at]; math.Abs(x-want[i]) > 1e-12*want[3] || math.Abs(y-(1+2*x)) > 1e-12*y {
					t.Errorf("scales %q and %q: point %d of the bound is (%v, %v), want (%v, %v)", xscale, yscale, at, x, y,
						want[i], 1+2*want[i])
				}
			}
		}
	}
}

// TestBoundWithoutItsConstants checks that a run has no bound if it did not measure a constant of the bound, and that
// it is an error if no run of the panel has a bound.
func TestBoundWithoutItsConstants(t *testing.T) {
	p := lang.Panel{X: "C", Y: lang.Strings{"final.epoch"}, Bound: "cp-thm5"}
	bare := cuttingPlanes(labels{"C": 10.0}, 1, 4, 1, 16)
	for _, r := range bare.Rows {
		delete(r.Values, "loss_seen")
	}
	if lines := boundsOf(t, p, bare, cuttingPlanes(labels{"C": 2.0}, 1, 4, 1, 16)); len(lines) != 1 ||
		!slices.Equal(lines[0].X, []float64{2}) {
		t.Errorf("bounds = %+v, want one with a point at C = 2 only", lines)
	}
	set := trace.NewSet([]*trace.File{bare})
	_, err := figure.Resolve(&lang.FigureSpec{Panel: p}, set, meta(t, set))
	if err == nil || !strings.Contains(err.Error(),
		`bound: cp-thm5 (named bounds: cp-thm5, cp-thm6): unknown name "loss_seen"; accepted: C,`) {
		t.Errorf("error without any bound = %v, want one that names loss_seen", err)
	}
}

// TestNamedBoundPerCurve checks that each curve has its own line of a named bound, if the bound depends on its C.
func TestNamedBoundPerCurve(t *testing.T) {
	set := trace.NewSet([]*trace.File{run(labels{"as": "eg", "C": 10.0}, 1), run(labels{"as": "eg", "C": 1.0}, 1)})
	f := lang.FigureSpec{Panel: lang.Panel{X: "passes", Y: lang.Strings{"primal"}, XScale: "log", Bound: "thm5"}}
	out, err := figure.Resolve(&f, set, figure.Meta{Bounds: map[string]string{"thm5": "ceil(C / x)"}})
	if err != nil {
		t.Fatal(err)
	}
	lines := out.Panels[0].Lines
	if len(lines) != 4 || lines[2].Style != figure.Bound || lines[2].X[0] != 1 || lines[2].Y[0] != 10 ||
		lines[3].Y[0] != 1 || lines[2].Label != "bound" || lines[3].Label != "bound" {
		t.Errorf("lines =\n%s\nwant two bounds, which begin at 10 and at 1", tell(out.Panels[0]))
	}
}

// TestOwnersOfBounds checks whose bounds the bounds of a panel are: a bound of one line has the name and the colour of
// this line; equal bounds are drawn once, with the names of all their lines; a single bound has no name.
func TestOwnersOfBounds(t *testing.T) {
	for _, c := range []struct {
		bound string
		want  string
	}{
		{"x + 1", "bound// own false"},
		{"C * x", "bound/C=1/1 own true; bound/C=2/2 own true; bound/C=3/3 own true"},
		{"(C > 1 ? 5 : 3) * x", "bound/C=1/1 own true; bound/C=2 and C=3/2 own false"},
		{"(C == 2 ? 5 : 3) * x", "bound/C=1 and C=3/1 own false; bound/C=2/2 own true"},
	} {
		p := lang.Panel{X: "passes", Y: lang.Strings{"primal", "dual"}, Bound: c.bound}
		lines := resolve(t, lang.FigureSpec{Panel: p}, run(labels{"as": "eg", "C": 1.0}, 1),
			run(labels{"as": "eg", "C": 2.0}, 2), run(labels{"as": "eg", "C": 3.0}, 3)).Panels[0].Lines
		var got []string
		for _, l := range lines[6:] {
			text := fmt.Sprintf("%s/%s/%d own %v", l.Label, l.Name, l.Hue+1, l.Own)
			if l.Name == "" {
				text = fmt.Sprintf("%s// own %v", l.Label, l.Own)
			}
			if got = append(got, text); l.Style != figure.Bound || l.Of != "" || l.Runs != nil {
				t.Errorf("%s: the line %+v is no bound", c.bound, l)
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("bounds of %s = %s, want %s", c.bound, text, c.want)
		}
		for i, l := range lines[:6] {
			if l.Hue != i%3 {
				t.Errorf("%s: line %d, %s, has the hue %d, want %d", c.bound, i, l.Label, l.Hue, i%3)
			}
		}
	}
}
