package trace

import (
	"encoding/csv"
	"io"
	"maps"
	"math"
	"strconv"
)

// WriteCSV writes the rows of all curves as a table with one line per row: a header line, then lines with the labels
// and the columns (RFC 4180, but lines end in \n). A missing value is an empty field. If the name of a column is also a
// label, as C in a run with annealing, the column gets the heading row_C.
func WriteCSV(w io.Writer, s *Set) error {
	labels := s.LabelNames()
	columns := s.columnNames()
	header := append([]string{}, labels...)
	isLabel := map[string]bool{}
	for _, name := range labels {
		isLabel[name] = true
	}
	for _, name := range columns {
		if isLabel[name] {
			name = "row_" + name
		}
		header = append(header, name)
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	record := make([]string, len(header))
	for _, c := range s.Curves {
		for j, name := range labels {
			record[j] = csvLabel(c.Labels[name])
		}
		for i := range c.Len() {
			for j, name := range columns {
				record[len(labels)+j] = csvNumber(c.Columns[name], i)
			}
			if err := out.Write(record); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func (s *Set) columnNames() []string {
	names := map[string]bool{}
	for _, c := range s.Curves {
		for name := range c.Columns {
			names[name] = true
		}
	}
	return ordered(maps.Keys(names), standardColumns())
}

func csvLabel(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return FormatLabel(v)
}

func csvNumber(values []float64, i int) string {
	if values == nil || math.IsNaN(values[i]) {
		return ""
	}
	return strconv.FormatFloat(values[i], 'g', -1, 64)
}
