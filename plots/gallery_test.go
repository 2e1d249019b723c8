package plots

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/figure"
)

// sample is a figure in the gallery, which the golden tests draw.
type sample struct {
	name   string
	figure figure.Figure
}

// gallery returns the figures that the tests draw.
func gallery() []sample {
	return []sample{
		{"gap", gapFigure(200)},
		{"censored", censoredFigure()},
		{"stopped", stoppedFigure()},
		{"single-point", singlePointFigure()},
		{"constant", constantFigure()},
		{"six-panels", sixPanelsFigure()},
		{"crowded", crowdedFigure()},
		{"ends", endsFigure()},
		{"clipped", clippedFigure()},
		{"long", longFigure()},
		{"eleven", elevenFigure()},
	}
}

const caption = "digits (generated stand-in, 1,000 + 500), scale smoke, commit 0123abc"

// axisOf returns an axis with a label.
func axisOf(label string, log bool) figure.Axis { return figure.Axis{Label: label, Log: log} }

// between returns an axis with fixed limits.
func between(a figure.Axis, low, high float64) figure.Axis {
	a.Min, a.Max = &low, &high
	return a
}

// sampled returns the line of the function f at n points from a to b.
func sampled(a, b float64, n int, f func(x float64) float64) figure.Line {
	var l figure.Line
	for i := range n {
		x := a + (b-a)*float64(i)/float64(max(1, n-1))
		l.X = append(l.X, x)
		l.Y = append(l.Y, f(x))
	}
	return l
}

// wiggle returns deterministic noise in [-1, 1].
func wiggle(x float64) float64 { return math.Sin(12.9898*x) * math.Cos(78.233*x) }

// gapFigure shows four gaps that fall exponentially to 0.001 %, at different rates.
func gapFigure(n int) figure.Figure {
	p := figure.Panel{X: axisOf("effective passes", false), Y: axisOf("duality gap (%)", true)}
	for h, at := range []float64{25, 55, 110, 260} {
		l := sampled(1, min(at, 200), n, func(t float64) float64 {
			return 1000 * math.Pow(10, -6*t/at+0.06*wiggle(t))
		})
		l.Label, l.Hue = fmt.Sprintf("C = %g", math.Pow10(3-h)), h
		p.Lines = append(p.Lines, l)
	}
	return figure.Figure{ID: "eg/fig06", Title: "Duality gap of randomised online EG", Panels: []figure.Panel{p},
		Caption: caption, Source: figure.Source{Spec: "0123456789abcdef", Scale: "smoke",
			Runs: []string{"0a1b2c3d", "4e5f6a7b"}, Commits: []string{"0123abc"}}}
}

// censoredFigure shows a curve that reaches zero, a curve with negative values, and a curve whose run was stopped.
func censoredFigure() figure.Figure {
	converged := sampled(0, 60, 61, func(t float64) float64 {
		if t > 40 {
			return 0
		}
		return 100 * math.Exp(-0.35*t)
	})
	converged.Label = "converges"
	negative := sampled(0, 60, 61, func(t float64) float64 { return 30*math.Exp(-0.3*t) - 1e-4 + 2e-4*wiggle(t) })
	negative.Label, negative.Hue = "rounding", 1
	stopped := sampled(0, 48, 49, func(t float64) float64 { return 200 * math.Exp(-0.12*t) })
	stopped.Label, stopped.Hue, stopped.Censored = "slow", 3, true
	return figure.Figure{Panels: []figure.Panel{{
		X: axisOf("passes", false), Y: axisOf("gap (%)", true), Lines: []figure.Line{converged, negative, stopped},
	}}}
}

// stoppedFigure shows sweeps with runs that were stopped by their budget. Such a run is between other runs, or at the
// same x as another run, or all runs of a line were stopped. One panel shows a value that grows during a run, and one
// panel a value that does not.
func stoppedFigure() figure.Figure {
	points := func(label string, hue int, y ...float64) figure.Line {
		return figure.Line{Label: label, Hue: hue, Style: figure.Points, X: []float64{100, 200, 500, 500, 1000, 2000}, Y: y,
			Stopped: make([]bool, 6), Rising: true}
	}
	between := points("every other", 0, 1, 2, 8, 9, 10, 21)
	between.Stopped[3], between.Stopped[4] = true, true
	between.Low, between.High = []float64{0.8, 1.5, 6, 9, 10, 15}, []float64{1.2, 2.5, 9, 9, 10, 25}
	all := points("all of them", 4, 30, 30, 30, 30, 30, 30)
	for i := range all.Stopped {
		all.Stopped[i] = true
	}
	second := points("of another y", 1, 3, 6, 15, 15, 30, 30)
	second.Dash, second.Stopped[5] = 1, true
	errors := points("error", 0, 9, 8, 7, 7.5, 6.5, 6)
	errors.Stopped[3], errors.Stopped[5], errors.Rising = true, true, false
	theory := figure.Line{Label: "bound", Style: figure.Bound, X: []float64{500}, Y: []float64{5}}
	return figure.Figure{Panels: []figure.Panel{
		{X: axisOf("examples n", true), Y: axisOf("seconds", true), Lines: []figure.Line{between, all, second}},
		{X: axisOf("examples n", true), Y: axisOf("error (%)", false), Lines: []figure.Line{errors, theory}},
	}}
}

// singlePointFigure shows lines of one point, one of them zero on a log axis.
func singlePointFigure() figure.Figure {
	point := figure.Line{Label: "one run", X: []float64{12}, Y: []float64{0.073}}
	zero := figure.Line{Label: "at zero", X: []float64{12}, Y: []float64{0}, Hue: 1}
	return figure.Figure{Panels: []figure.Panel{
		{Title: "Linear", X: axisOf("passes", false), Y: axisOf("error", false), Lines: []figure.Line{point}},
		{Title: "Logarithmic", X: axisOf("passes", true), Y: axisOf("error", true), Lines: []figure.Line{point, zero}},
	}}
}

// constantFigure shows constant lines on linear and log axes.
func constantFigure() figure.Figure {
	l := sampled(0, 100, 30, func(float64) float64 { return 0.371 })
	l.Label = "optimum"
	zero := sampled(0, 100, 30, func(float64) float64 { return 0 })
	zero.Label = "nothing but zeros"
	return figure.Figure{Panels: []figure.Panel{
		{X: axisOf("passes", false), Y: axisOf("P(w)", false), Lines: []figure.Line{l}},
		{X: axisOf("passes", false), Y: axisOf("P(w)", true), Lines: []figure.Line{l}},
		{X: axisOf("passes", false), Y: axisOf("gap", false), Lines: []figure.Line{zero}},
		{X: axisOf("passes", false), Y: axisOf("gap", true), Lines: []figure.Line{zero}},
	}}
}

// sixPanelsFigure shows five panels that share a legend, in a layout for six.
func sixPanelsFigure() figure.Figure {
	f := figure.Figure{Title: "Primal objective and validation error: EG, SGD and L-BFGS", Caption: caption}
	for i, c := range []float64{1000, 100, 10, 1, 0.1} {
		p := figure.Panel{Title: fmt.Sprintf("C = %g", c), X: axisOf("effective passes", false), Y: axisOf("P(w)", false)}
		optimum := 0.65 / (1 + float64(i))
		for h, name := range []string{"EG", "SGD", "L-BFGS"} {
			l := sampled(1, 100, 100, func(t float64) float64 {
				return optimum * (1 + math.Exp(-t/(4+8*float64(h)))*(1+0.05*wiggle(t)) + 0.01*float64(h))
			})
			l.Label, l.Hue = name, h
			p.Lines = append(p.Lines, l)
		}
		f.Panels = append(f.Panels, p)
	}
	f.Panels[4].X.Log, f.Panels[4].Y.Log = true, true
	return f
}

// crowdedFigure shows noise that leaves no space for a legend in the frame.
func crowdedFigure() figure.Figure {
	p := figure.Panel{X: axisOf("passes", false), Y: axisOf("noise", false)}
	for h := range 8 {
		l := sampled(0, 100, 150, func(t float64) float64 { return wiggle(t*0.37 + float64(h)) })
		l.Label, l.Hue, l.Dash = fmt.Sprintf("run %d", h+1), h, h/4
		p.Lines = append(p.Lines, l)
	}
	return figure.Figure{Panels: []figure.Panel{p}}
}

// endsFigure shows curves with distant ends, so that the label of each is at its end.
func endsFigure() figure.Figure {
	p := figure.Panel{X: axisOf("CPU hours", false), Y: axisOf("support vectors", false)}
	for h, name := range []string{"n-slack", "1-slack", "cached"} {
		l := sampled(0, 30, 60, func(t float64) float64 { return 90000 * math.Sqrt(t) / (1 + 2*float64(h)) })
		l.Label, l.Hue = name, h
		p.Lines = append(p.Lines, l)
	}
	return figure.Figure{Panels: []figure.Panel{p}}
}

// clippedFigure shows curves that leave the fixed limits on all sides.
func clippedFigure() figure.Figure {
	f := gapFigure(200)
	f.Panels[0].X = between(f.Panels[0].X, 20, 200)
	f.Panels[0].Y = between(f.Panels[0].Y, 1e-2, 10)
	linear := figure.Panel{X: between(axisOf("passes", false), 10, 60), Y: between(axisOf("objective", false), 0.24, 0.34)}
	for h := range 3 {
		l := sampled(0, 80, 81, func(t float64) float64 {
			return 0.2 + 0.02*float64(h) + 0.6*math.Exp(-t/20) +
				0.05*wiggle(t/3)
		})
		l.Label, l.Hue = fmt.Sprintf("run %d", h+1), h
		linear.Lines = append(linear.Lines, l)
	}
	f.Panels = append(f.Panels, linear)
	return f
}

// longFigure shows texts and numbers that are too long for the space they have.
func longFigure() figure.Figure {
	f := figure.Figure{
		Title: "Training time of the one-slack cutting-plane algorithm with and without a cache of constraints, against " +
			"the number of examples, for three problems and two conventions of regularisation",
		Caption: "covertype (522,911 + 58,101), mnist (59,000 + 10,000), conll2000 (8,936 + 2,012); scale paper; commit " +
			"0123abcdef, modified; linux/amd64, two workers; seeds 1, 2, 3, 4, 5, 6, 7, 8, 9, 10",
	}
	for i := range 3 {
		p := figure.Panel{
			Title: "Multiclass with the margin-rescaled hinge loss, C = 10^{" + fmt.Sprint(3*i) + "}",
			X:     axisOf("number of training examples n", false),
			Y:     axisOf("seconds of solver time, evaluation excluded, one worker", i == 1),
		}
		for h, name := range []string{
			"one-slack, precision halved at each round, with a cache of five constraints per example", "the same without"} {
			l := sampled(5000, 522911, 12,
				func(n float64) float64 { return math.Pow(10, float64(5*i-6)) * n * (1 + float64(h)) })
			l.Label, l.Hue, l.Style = fmt.Sprintf("%s (%d)", name, i), h, figure.Points
			p.Lines = append(p.Lines, l)
		}
		f.Panels = append(f.Panels, p)
	}
	f.Columns = 3
	return f
}
