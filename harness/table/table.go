// Package table describes a table of results as data: our numbers, those of the paper, and their difference. It makes a
// table from a spec and the curves of its runs, and writes it as text, Markdown, LaTeX, CSV or JSON.
package table

// Table is one table of results.
type Table struct {
	ID       string
	Title    string
	Key      string // the heading of the first column, which is the label that names the rows
	Columns  []Column
	Rows     []Row
	Warnings []string // runs and printed rows that are left out, with the reason
}

// Column is a column of a table. If Compared is true, each row has the paper's number and the difference beside ours.
type Column struct {
	Name     string // such as final.passes
	Title    string
	Note     string // beside the title, such as "wall clock" if there is no CPU time
	Format   string // such as %.2f
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
	Censored bool // whether one of its runs was stopped by its budget
}

// Cell is one value with its comparison. Missing numbers are nil.
type Cell struct {
	Censored                  bool     // whether its run was stopped by its budget, so that the number is a bound
	Ours, Printed, Difference *float64 // Difference is ours − printed; nil on generated data
}
