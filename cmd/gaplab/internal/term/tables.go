package term

import (
	"io"

	"github.com/gaplab/gaplab/internal/tabular"
)

// Lines writes a table as text. On a terminal it cuts lines to the width of the terminal. It omits columns that are
// empty in every row, and colours outcomes.
func Lines(w io.Writer, c Colours, indent string, t *tabular.Listing) error {
	return t.Text(w, tabular.Layout{Indent: indent, Width: c.width, Sparse: true, Paint: c.Outcome})
}

// Objects writes results for other programs: as json with one object per line, or as csv with one column per field.
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

// Results writes results in one of the formats of AddFormat: the objects in json and csv, the table in md and text.
func Results[T any](w io.Writer, c Colours, format string, objects []T, table *tabular.Listing) error {
	switch format {
	case "json", "csv":
		return Objects(w, format, objects)
	case "md":
		return table.Markdown(w)
	}
	return Lines(w, c, "", table)
}
