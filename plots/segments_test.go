package plots

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/harness/figure"
)

// TestSegments checks that a line joins neighbouring finished runs, except where stopped runs alone are between them.
func TestSegments(t *testing.T) {
	for _, test := range []struct {
		name    string
		x       []float64
		stopped []bool
		want    [][]float64
	}{
		{"none stopped", []float64{1, 2, 3}, nil, [][]float64{{1, 2, 3}}},
		{"the last ones", []float64{1, 2, 3, 4}, []bool{false, false, true, true}, [][]float64{{1, 2}}},
		{"the first", []float64{1, 2, 3}, []bool{true, false, false}, [][]float64{{2, 3}}},
		{"between", []float64{1, 2, 3}, []bool{false, true, false}, [][]float64{{1}, {3}}},
		{"beside a finished run", []float64{1, 2, 2, 3}, []bool{false, false, true, false}, [][]float64{{1, 2, 3}}},
		{"all", []float64{1, 2}, []bool{true, true}, nil},
	} {
		var got [][]float64
		scaled := func(x []float64, by float64) (out []float64) {
			for _, v := range x {
				out = append(out, by*v)
			}
			return out
		}
		for _, s := range segments(figure.Line{X: test.x, Y: scaled(test.x, 2), Low: test.x, High: scaled(test.x, 3),
			Stopped: test.stopped, Hue: 4, Dash: 5, Style: figure.Points}) {
			got = append(got, s.X)
			if !cmp.Equal(s.Y, scaled(s.X, 2)) || !cmp.Equal(s.Low, s.X) || !cmp.Equal(s.High, scaled(s.X, 3)) || s.Hue != 4 ||
				s.Dash != 5 || s.Style != figure.Points {
				t.Errorf("%s: segment %+v, want its y, its band and its look", test.name, s)
			}
			if err := checkLine(s); err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: x of the segments differs (-want +got):\n%s", test.name, diff)
		}
	}
}

// TestLegendOfStoppedRuns checks that the legend has one entry that explains hollow markers if there are any, and no
// such entry otherwise.
func TestLegendOfStoppedRuns(t *testing.T) {
	line := func(rising bool, stopped ...bool) figure.Line {
		l := figure.Line{Label: "eg", Style: figure.Points, X: []float64{1, 2}, Y: []float64{1, 2}, Rising: rising}
		if len(stopped) > 0 {
			l.Stopped = stopped
		}
		return l
	}
	curve := figure.Line{Label: "eg", X: []float64{1, 2}, Y: []float64{1, 2}, Censored: true}
	const lower, value, end = "hollow: stopped by its budget, a lower bound", "hollow: stopped by its budget",
		"stopped by its budget"
	for _, test := range []struct {
		lines []figure.Line
		want  []string
	}{
		{[]figure.Line{line(false)}, []string{"eg"}},
		{[]figure.Line{line(true, false, true), line(true, true, true)}, []string{"eg", lower}},
		{[]figure.Line{line(false, false, true)}, []string{"eg", value}},
		{[]figure.Line{line(false, true, true), curve, line(true, false, true)}, []string{"eg", end, lower, value}},
	} {
		made := newPanel(figure.Panel{Lines: test.lines}, tileOf(1))
		var got []string
		for _, e := range made.legend.entries {
			got = append(got, e.label)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestMarksOfStoppedRuns checks that, if there are stopped runs, only these have hollow markers, and that their arrows
// do not leave the frame.
func TestMarksOfStoppedRuns(t *testing.T) {
	stopped := figure.Line{Style: figure.Points, X: []float64{1, 2}, Y: []float64{1, 2}, Stopped: []bool{false, true},
		Rising: true}
	other := figure.Line{Style: figure.Points, X: []float64{1, 2}, Y: []float64{1, 2}, Dash: 1}
	for _, log := range []bool{false, true} {
		made := newPanel(figure.Panel{Y: figure.Axis{Log: log}, Lines: []figure.Line{stopped, other}}, tileOf(3))
		for _, l := range made.legend.curves {
			if l.look.marker.open {
				t.Error("a finished run has a hollow marker")
			}
		}
		c := made.DataCanvas(draw.Canvas{Rectangle: vg.Rectangle{Max: tileOf(3)}})
		last := made.legend.curves[0].project(c, made.Plot).marks[1].at
		if tip := last.Add(upward()); tip.Y > c.Max.Y {
			t.Errorf("the arrow ends at y = %v, want at most %v, the top of the frame", tip.Y, c.Max.Y)
		}
	}
	if !newPanel(figure.Panel{Lines: []figure.Line{other}}, tileOf(1)).legend.curves[0].look.marker.open {
		t.Error("a dashed line has filled markers, want open ones if there are no stopped runs")
	}
}
