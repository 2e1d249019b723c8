package parse

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

// CSVForm states how a table in CSV is read.
type CSVForm struct {
	Comma rune   // the character between two fields
	Label string // name of the column with the classes; "": the last column
}

// ReadTable reads the training file of a table in CSV, and returns its first limit rows. A column is categorical if one
// of its values is not a number. Kinds of columns, values and classes are those of all rows in the file, so they do not
// depend on the limit. The result total is the number of all rows, and doubts are warnings about columns.
//
// ReadTable reads the file twice if a column begins with numbers and later has another value. It stores only the
// returned rows and the distinct values of categorical columns.
func ReadTable(part RowFiles, form CSVForm, limit int) (rows *datasets.Labelled, table datasets.Table, total int,
	doubts []string, err error) {
	c := &tableCollector{form: form, limit: limit}
	for again := true; again && err == nil; again = c.late {
		c.reset()
		err = part(c.read)
	}
	if err != nil {
		return nil, table, 0, nil, err
	}
	rows, table = c.finish()
	return rows, table, c.total, c.doubts(), nil
}

// tableCollector collects the rows of a training file.
type tableCollector struct {
	form        CSVForm
	limit       int             // number of rows to store
	label       int             // index of the column with the classes
	names       []string        // names of all columns; nil until the file is opened
	categorical []bool          // for each column, whether a value that is not a number was found; reset does not clear it
	late        bool            // if true, a column became categorical after numbers of it were stored
	values      []*LabelTable   // for each column, the distinct values of a categorical column, or the labels
	start       []int           // for each stored row, the offset of its first entry in column and value
	column      pieces[int32]   // column of each entry
	value       pieces[float64] // number, or number of the value in the LabelTable of the column
	y           []int           // number of the label of each stored row
	total       int             // number of rows read
	columns     []int32         // columns of the entries of the current row
	numbers     []float64       // values of the entries of the current row
}

// reset prepares for reading the file from its start.
func (c *tableCollector) reset() {
	*c = tableCollector{form: c.form, limit: c.limit, categorical: c.categorical, start: []int{0}}
}

// read reads the training file.
func (c *tableCollector) read(path string, r io.Reader) error {
	f, err := openCSV(path, r, c.form.Comma)
	if err != nil {
		return err
	}
	if len(f.names) < 2 {
		return f.fault(0, "the first line has one column: want the names of two or more; does the file have another "+
			"delimiter?")
	}
	if c.label = len(f.names) - 1; c.form.Label != "" {
		c.label = slices.Index(f.names, c.form.Label)
	}
	if c.label < 0 {
		return &datasets.SettingError{Key: "label", Value: c.form.Label, Want: "the name of a column of " + path + ": " +
			some(f.names, "columns")}
	}
	c.names, c.values = f.names, make([]*LabelTable, len(f.names))
	for j := range c.values {
		c.values[j] = NewLabelTable()
	}
	if len(c.categorical) != len(f.names) {
		c.categorical = make([]bool, len(f.names))
		c.categorical[c.label] = true
	}
	for {
		if err := f.next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		if err := c.row(f); err != nil {
			return err
		}
	}
	if c.total == 0 {
		return f.faultAt(1, 1, "no rows: want at least one line after the names of the columns")
	}
	return nil
}

// row reads the current row of the file.
func (c *tableCollector) row(f *csvFile) error {
	c.columns, c.numbers = c.columns[:0], c.numbers[:0]
	for j := range f.record {
		text, err := f.value(j)
		if err != nil {
			return err
		}
		if !c.categorical[j] {
			if x, ok := parseDecimal([]byte(text)); ok {
				if x != 0 {
					c.columns, c.numbers = append(c.columns, int32(j)), append(c.numbers, x)
				}
				continue
			}
			c.categorical[j], c.late = true, c.late || c.total > 0
		}
		known := len(c.values[j].Tokens)
		id := c.values[j].ID([]byte(text))
		if id == known {
			if err := f.checkText(j); err != nil {
				return err
			}
			if j == c.label && strings.ContainsAny(text, "\n\r") {
				return f.fault(j, "the label %q has a line break: want labels of one line", text)
			}
		}
		if j != c.label {
			c.columns, c.numbers = append(c.columns, int32(j)), append(c.numbers, float64(id))
		} else if c.total < c.limit {
			c.y = append(c.y, id)
		}
	}
	if c.total < c.limit {
		c.column.add(c.columns)
		c.value.add(c.numbers)
		c.start = append(c.start, c.column.n)
	}
	c.total++
	return nil
}

// finish returns the rows and the columns of the table. It replaces the columns of all entries by features.
func (c *tableCollector) finish() (*datasets.Labelled, datasets.Table) {
	table := datasets.Table{Label: c.names[c.label]}
	first := make([]int32, len(c.names))  // first feature of each column
	rank := make([][]int32, len(c.names)) // position of each value of a categorical column among its sorted values
	features := int32(0)
	for j, name := range c.names {
		if j == c.label {
			continue
		}
		column := datasets.TableColumn{Name: name}
		first[j] = features
		if c.categorical[j] {
			column.Values = slices.Sorted(slices.Values(c.values[j].Tokens))
			rank[j] = make([]int32, len(column.Values))
			for id, text := range c.values[j].Tokens {
				at, _ := column.Value(text)
				rank[j][id] = int32(at)
			}
		}
		features += int32(max(1, len(column.Values)))
		table.Columns = append(table.Columns, column)
	}
	classes, class := c.values[c.label].classes()
	for i, id := range c.y {
		c.y[i] = class[id]
	}
	x := datasets.Rows{N: len(c.y), Dim: int(features), Start: c.start, Index: c.column.join(), Value: c.value.join()}
	if x.Index == nil { // all values are zero: Index must not be nil, which would mean dense rows
		x.Index = []int32{}
	}
	for k, j := range x.Index {
		x.Index[k] = first[j]
		if c.categorical[j] {
			x.Index[k] += rank[j][int(x.Value[k])]
			x.Value[k] = 1
		}
	}
	return &datasets.Labelled{X: x, Y: c.y, Classes: classes}, table
}

// doubts returns a warning for each categorical column that may be meant as a numeric one, or that seems to be an
// identifier of the rows.
func (c *tableCollector) doubts() []string {
	var list []string
	for j, name := range c.names {
		if j == c.label || !c.categorical[j] {
			continue
		}
		var odd []string // the values that are not numbers
		tokens := c.values[j].Tokens
		for _, text := range tokens {
			if _, ok := parseDecimal([]byte(text)); !ok {
				odd = append(odd, text)
			}
		}
		switch {
		case len(odd) > 0 && !slices.ContainsFunc(odd, func(s string) bool { return !decimalComma(s) }):
			list = append(list, fmt.Sprintf("column %q is read as categorical, since numbers need a decimal point, and %d of "+
				"its %d values have a comma, such as %s", name, len(odd), len(tokens), odd[0]))
		case len(tokens) > 3 && 2*len(odd) < len(tokens):
			list = append(list, fmt.Sprintf("column %q is read as categorical, since %d of its %d values are not numbers: %s",
				name, len(odd), len(tokens), some(odd, "values")))
		case c.total >= 20 && 2*len(tokens) > c.total:
			list = append(list, fmt.Sprintf("column %q has %d values in %d rows: if it identifies the rows, remove it from "+
				"the file", name, len(tokens), c.total))
		}
	}
	return list
}

// decimalComma reports whether the text is a number with a comma in place of the decimal point.
func decimalComma(text string) bool {
	_, ok := parseDecimal([]byte(strings.Replace(text, ",", ".", 1)))
	return ok && strings.Contains(text, ",")
}
