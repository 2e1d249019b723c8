// Package table is a table as data: our numbers beside the paper's and their difference, resolved from a spec and
// the curves of its runs, and printed as text, Markdown, CSV or JSON.
package table

// Table is one table, ready to print.
type Table struct {
	ID       string
	Title    string
	Key      string // heading of the first column: the label that names the rows
	Columns  []Column
	Rows     []Row
	Warnings []string // runs and printed rows that are left out, and why
}

// Column of a table. With Compared, a row has the paper's number and the difference beside ours.
type Column struct {
	Name     string // such as final.passes
	Title    string
	Note     string // beside the title, such as wall clock where there is no CPU time
	Format   string // such as %.2f
	Compared bool
}

// heading is the title with the note.
func (c Column) heading() string {
	if c.Note == "" {
		return c.Title
	}
	return c.Title + " (" + c.Note + ")"
}

// Row is one line of a table.
type Row struct {
	Key      any // value of the label that names the rows
	Cells    []Cell
	Censored bool // a run of it was stopped by its budget
}

// Cell is one value. Nil: there is none.
type Cell struct {
	Censored                  bool     // its run was stopped by its budget: the number is a bound
	Ours, Printed, Difference *float64 // Difference is ours − printed; none on generated data
}
