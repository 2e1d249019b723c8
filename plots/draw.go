package plots

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// Draw lays out f, with f.Columns panels in a row (0: one for a single panel, two for two to four, three for more) and
// aligned axes. The size of the drawing grows with the rows and columns.
//
// Draw returns an error if a panel has no lines, if a line is empty or ragged or contains a NaN, an infinity or a
// magnitude above 1e300, or if the limits of an axis are not a range. The error names the panel and the line.
func Draw(f figure.Figure) (*Drawing, error) {
	if err := checkFigure(f); err != nil {
		return nil, err
	}
	size := tileOf(columnsOf(f))
	panels := make([]*panel, len(f.Panels))
	for i, p := range f.Panels {
		panels[i] = newPanel(p, size)
	}
	return newDrawing(f, panels, size), nil
}

// checkFigure returns an error, with its place, if a figure cannot be drawn.
func checkFigure(f figure.Figure) error {
	where := "figure"
	if f.ID != "" {
		where = "figure " + f.ID
	}
	if len(f.Panels) == 0 {
		return fmt.Errorf("plots: %s has no panels; it needs at least one", where)
	}
	if f.Columns < 0 {
		return fmt.Errorf("plots: %s has %d columns; give a positive number, or 0 for a default", where, f.Columns)
	}
	for i, p := range f.Panels {
		name := fmt.Sprintf("panel %d", i+1)
		if p.Title != "" {
			name += fmt.Sprintf(" (%q)", p.Title)
		}
		if err := checkPanel(p); err != nil {
			return fmt.Errorf("plots: %s, %s: %w", where, name, err)
		}
	}
	return nil
}

// Drawing is a figure with its layout. It can be written any number of times, in several formats.
type Drawing struct {
	figure figure.Figure
	panels []*panel
	layout layout
}

func newDrawing(f figure.Figure, panels []*panel, tile vg.Point) *Drawing {
	return &Drawing{figure: f, panels: panels, layout: newLayout(f, panels, tile)}
}

func (d *Drawing) title() string { return typeset.Plain(d.figure.Title) }

func (d *Drawing) description() string { return typeset.Plain(d.figure.Description()) }

// provenance returns where the figure comes from, as statements with a separator between them.
func (d *Drawing) provenance(between string) string {
	return strings.Join(d.figure.Source.Lines(), between)
}
