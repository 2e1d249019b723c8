package term

import (
	"io"

	"github.com/gaplab/gaplab/internal/tabular"
)

// Lines sets a table as text that fits the terminal; elsewhere nothing is cut. Columns that are empty in every row are
// left out, and outcomes are coloured.
func Lines(w io.Writer, c Colours, indent string, t *tabular.Table) error {
	return t.Text(w, tabular.Layout{Indent: indent, Width: c.width, Sparse: true, Paint: c.Outcome})
}

// Objects writes results for machines: as json, one object a line, or as csv, a column for each of their fields.
func Objects[T any](w io.Writer, format string, objects []T) error {
	if format == "json" {
		return tabular.JSON(w, objects...)
	}
	t, err := tabular.Flatten(objects)
	if err != nil {
		return err
	}
	return t.CSV(w)
}

// Results writes results in one of the formats of AddFormat: the objects for machines, and for readers the table of the
// same results.
func Results[T any](w io.Writer, c Colours, format string, objects []T, table *tabular.Table) error {
	switch format {
	case "json", "csv":
		return Objects(w, format, objects)
	case "md":
		return table.Markdown(w)
	}
	return Lines(w, c, "", table)
}
