package plots

import (
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots/internal/typeset"
)

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
