package report

import (
	"html/template"
	"io"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
)

// Curves writes a page that contains only the interactive curves of an experiment, for a frame in another page, such as
// the output of a notebook cell.
func Curves(w io.Writer, data explore.Data, meta figure.Meta) error {
	t, err := layout("curves.html")
	if err != nil {
		return err
	}
	v := struct {
		ID, Title, Caption string
		Packed             template.HTML
		Palette            template.JS
		Scripts            []string
	}{ID: meta.ID, Title: meta.Title, Caption: meta.Caption(), Scripts: scripts()}
	if v.Palette, err = palette(); err != nil {
		return err
	}
	if v.Packed, err = packed(data); err != nil {
		return err
	}
	return t.Execute(w, v)
}
