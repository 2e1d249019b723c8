package datasets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Table describes the columns of a table with named columns, and how rows of numbers are made of its rows. A numeric
// column is one feature. A categorical column has a feature for each of its values, which is 1 in the rows with this
// value and otherwise 0. Features are numbered in the order of the columns and, within a column, of its values.
type Table struct {
	Label   string        `json:"label"`   // name of the column with the classes
	Columns []TableColumn `json:"columns"` // the other columns, from left to right; none: the data are not from a table
}

// TableColumn is a column of a Table that is read into features.
type TableColumn struct {
	Name   string   `json:"name"`             // unique in the table
	Values []string `json:"values,omitempty"` // values of a categorical column, sorted as text; nil: the column is numeric
}

// Categorical reports whether a column has values that are not numbers.
func (c *TableColumn) Categorical() bool { return len(c.Values) > 0 }

// Features returns the number of features of a row.
func (t *Table) Features() int {
	n := 0
	for i := range t.Columns {
		n += max(1, len(t.Columns[i].Values))
	}
	return n
}

// About tells what a model of the table predicts from what, such as "species from width, colour: 3 classes". It names
// at most four columns.
func (t *Table) About(classes int) string {
	const most = 4
	var names []string
	for _, c := range t.Columns[:min(most, len(t.Columns))] {
		names = append(names, c.Name)
	}
	if more := len(t.Columns) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("%s from %s: %d classes", t.Label, strings.Join(names, ", "), classes)
}

// Check checks a Table that was read from a file. It returns an error if no loader can have made it.
func (t *Table) Check() error {
	if len(t.Columns) == 0 {
		return errors.New("the table has no columns: want at least one beside the label")
	}
	seen := map[string]bool{t.Label: true}
	for _, c := range t.Columns {
		if c.Name == "" || seen[c.Name] {
			return fmt.Errorf("the table has two columns %q, or a column without a name: want unique names", c.Name)
		}
		seen[c.Name] = true
		for i := 1; i < len(c.Values); i++ {
			if c.Values[i-1] >= c.Values[i] {
				return fmt.Errorf("values of column %q: %q after %q: want increasing order", c.Name, c.Values[i], c.Values[i-1])
			}
		}
	}
	return nil
}

// Value returns the index of a value of a categorical column. If the training rows do not have the value, ok is false.
func (c *TableColumn) Value(text string) (index int, ok bool) {
	return slices.BinarySearch(c.Values, text)
}

// Tabular is an optional interface of a Loader whose files have named columns. A stream of other rows needs the columns
// of the training rows, which are in Set.Table.
type Tabular interface {
	Loader
	// Form returns the Form of other rows. The argument table is Set.Table of the training rows.
	Form(table Table) Form
}
