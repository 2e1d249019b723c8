package gate

import (
	"math"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
)

// Figure returns a figure of a comparison: both curves over passes, with a mark at the first point outside the
// tolerance. One panel shows the gap (or the primal, if there is no gap), another shows the column that differs. ok is
// false if one of the curves is missing or has no rows.
func Figure(c Comparison) (fig figure.Figure, ok bool) {
	if c.Reference == nil || c.Fresh == nil || len(c.Reference.Rows) == 0 || len(c.Fresh.Rows) == 0 {
		return fig, false
	}
	fig = figure.Figure{ID: c.Experiment, Title: c.Experiment + ": " + c.Curve, Columns: 1}
	if c.Reference.Manifest.Commit != "" {
		fig.Caption = "reference made at " + c.Reference.Manifest.Commit
	}
	columns := []string{trace.Gap}
	if _, has := c.Reference.Rows[0].Values[trace.Gap]; !has {
		columns[0] = trace.Primal
	}
	if c.Column != "" && c.Column != columns[0] && c.Column != trace.Passes && c.Column != trace.Epoch {
		columns = append(columns, c.Column)
	}
	for _, column := range columns {
		fig.Panels = append(fig.Panels, panel(c, column))
	}
	return fig, true
}

// panel returns a panel that shows a column of both curves. The axis of a gap is logarithmic.
func panel(c Comparison, column string) figure.Panel {
	p := figure.Panel{X: figure.Axis{Label: "effective passes"}, Y: figure.Axis{Label: column, Log: column == trace.Gap}}
	for i, of := range []struct {
		label string
		rows  []trace.Row
	}{{"reference", c.Reference.Rows}, {"now", c.Fresh.Rows}} {
		line := figure.Line{Label: of.label, Hue: i, Dash: i}
		for _, r := range of.rows {
			if v, has := r.Values[column]; has {
				line.X, line.Y = append(line.X, r.Values[trace.Passes]), append(line.Y, v)
			}
		}
		p.Lines = append(p.Lines, line)
	}
	if c.Column == "" {
		return p
	}
	first := figure.Line{Label: "first point outside the tolerance", Hue: 2, Style: figure.Points}
	away := math.Inf(1)
	for _, r := range c.Reference.Rows {
		v, has := r.Values[column]
		if d := math.Abs(r.Values[trace.Passes] - c.Passes); has && d < away {
			away, first.X, first.Y = d, []float64{r.Values[trace.Passes]}, []float64{v}
		}
	}
	p.Lines = append(p.Lines, first)
	return p
}
