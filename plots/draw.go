package plots

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

// Draw computes the layout of f, with f.Columns panels in a row and aligned axes. If f.Columns is 0, there is one
// column for a single panel, two for two to four panels, and three for more. The size of the drawing grows with the
// rows and columns.
//
// Draw returns an error if a panel has no lines; if a line is empty, has columns of different lengths, or contains NaN,
// infinity or an absolute value above 1e300; or if the limits of an axis are not a range. The error names the panel and
// the line.
func Draw(f figure.Figure) (*Drawing, error) {
	if err := checkFigure(f); err != nil {
		return nil, err
	}
	f = shareAxes(f)
	size := tileOf(columnsOf(f))
	panels := make([]*panel, len(f.Panels))
	for i, p := range f.Panels {
		panels[i] = newPanel(p, size)
	}
	return newDrawing(f, panels, size), nil
}

// DrawBare does the same as Draw, but leaves out the visible title and caption of the figure, for a page that shows
// them itself. The file formats still contain the title as metadata.
func DrawBare(f figure.Figure) (*Drawing, error) {
	bare := f
	bare.Title, bare.Caption = "", ""
	d, err := Draw(bare)
	if err != nil {
		return nil, err
	}
	d.figure = f
	return d, nil
}

// checkFigure returns an error if a figure cannot be drawn. The error names the panel and the line.
func checkFigure(f figure.Figure) error {
	where := "figure"
	if f.ID != "" {
		where = "figure " + f.ID
	}
	if len(f.Panels) == 0 {
		return fmt.Errorf("plots: %s has no panels; a figure needs at least one", where)
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

// newDrawing returns a drawing with its layout.
func newDrawing(f figure.Figure, panels []*panel, tile vg.Point) *Drawing {
	return &Drawing{figure: f, panels: panels, layout: newLayout(f, panels, tile)}
}

// title returns the figure's title as plain text.
func (d *Drawing) title() string { return typeset.Plain(d.figure.Title) }

// description returns the description of the figure in words, as plain text.
func (d *Drawing) description() string { return typeset.Plain(d.figure.Description()) }

// provenance returns a text with the spec, runs and commits from which the figure was made. The text between separates
// the entries.
func (d *Drawing) provenance(between string) string {
	return strings.Join(d.figure.Source.Lines(), between)
}
