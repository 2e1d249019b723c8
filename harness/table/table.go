// Package table describes a table of results as data: our numbers, the paper's numbers, and their difference. It makes
// a table from a spec and the curves of its runs, and writes it as text, Markdown, LaTeX, CSV or JSON.
package table

// Table is one table of results, ready to be written.
type Table struct {
	ID       string
	Title    string
	Key      string // heading of the first column: the label that names the rows
	Columns  []Column
	Rows     []Row
	Warnings []string // runs and printed rows that are left out, with the reason
}

// Column is a column of a table. If Compared is true, each row also has the paper's number and the difference of the
// two.
type Column struct {
	Name     string // expression of the column, such as final.passes
	Title    string
	Note     string // a note beside the title, such as "wall clock" if there is no CPU time; else ""
	Format   string // format of the numbers, such as %.2f
	Compared bool
}

// heading returns the title with the note.
func (c Column) heading() string {
	if c.Note == "" {
		return c.Title
	}
	return c.Title + " (" + c.Note + ")"
}

// Row is one line of a table.
type Row struct {
	Key      any // the value of the label that names the rows
	Cells    []Cell
	Censored bool // whether the budget stopped one of the row's runs
}

// Cell is our value in a row and column, with the paper's value. Missing numbers are nil.
type Cell struct {
	Bound                     string   // ≥ or ≤ if a budget stopped a run of the cell, so that Ours is a bound; else ""
	SoFar                     bool     // whether Ours is the value at the limit of a run, and bounds nothing
	Ours, Printed, Difference *float64 // Difference is Ours − Printed; nil on generated data
}
