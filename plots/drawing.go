package plots

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/gaplab/gaplab/harness/figure"
)

// printDPI is the resolution of a PNG, in pixels per inch.
const printDPI = 300

// Drawing is a figure laid out. It may be written any number of times, in several formats.
type Drawing struct {
	title  string
	layout layout
}

func newDrawing(f figure.Figure, panels []*panel, tile vg.Point) *Drawing {
	return &Drawing{title: f.Title, layout: newLayout(f, panels, tile)}
}

// Formats are the names that Encode takes.
func Formats() []string { return []string{"svg", "png", "pdf"} }

// Encode writes the drawing as svg, png (300 pixels per inch) or pdf.
func (d *Drawing) Encode(w io.Writer, format string) error {
	var err error
	switch format {
	case "svg":
		_, err = io.WriteString(w, xmlDeclaration+d.SVG())
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(d.layout.width, d.layout.height), vgimg.UseDPI(printDPI))
		d.layout.draw(draw.New(c))
		_, err = vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	case "pdf":
		c := vgpdf.New(d.layout.width, d.layout.height)
		d.layout.draw(draw.NewCanvas(pdfCanvas{c}, d.layout.width, d.layout.height))
		_, err = c.WriteTo(w)
	default:
		return fmt.Errorf("plots: format %q is not one of %s", format, strings.Join(Formats(), ", "))
	}
	if err != nil {
		return fmt.Errorf("plots: writing %s: %w", format, err)
	}
	return nil
}

// Save writes the drawing to a file, in the format that its extension names. The file appears whole or not at all.
func (d *Drawing) Save(path string) error {
	format := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	var b bytes.Buffer
	if err := d.Encode(&b, format); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := renameio.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("plots: saving the figure: %w", err)
	}
	return nil
}

// SVG is the drawing as an <svg> element, as a notebook displays it.
func (d *Drawing) SVG() string {
	c := vgsvg.New(d.layout.width, d.layout.height)
	d.layout.draw(draw.New(c))
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		panic("plots: a strings.Builder cannot fail: " + err.Error())
	}
	return dressSVG(b.String(), d.title)
}
