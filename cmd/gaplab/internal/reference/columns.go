package reference

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/catalogue"
)

// Columns describes the columns that rows of traces may have, for a terminal with the given width in characters. First
// it lists the columns of all runs, with their comments in the source files of package trace; then it lists the columns
// of each model and solver.
func Columns(w io.Writer, sources fs.FS, width int) error {
	text, err := fs.ReadFile(sources, "harness/trace/row.go")
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), "row.go", text, parser.ParseComments)
	if err != nil {
		return err
	}
	fmt.Fprintln(w, wrapped("The columns of the rows of runs, for record, figures, tables, claims and export. Metrics "+
		"are the columns that need an evaluation: primal, dual, and those of the models.", "", width))
	for _, declared := range file.Decls {
		group, ok := declared.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			v := spec.(*ast.ValueSpec)
			name, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				return err
			}
			says := v.Comment.Text()
			if says == "" {
				says = v.Doc.Text()
			}
			fmt.Fprintf(w, "\n%s\n%s\n", name, wrapped(says, "    ", width))
		}
	}
	fmt.Fprint(w, "\nMetrics of models\n")
	for _, e := range catalogue.Models() {
		list(w, e.Name, e.Metrics, width)
	}
	fmt.Fprint(w, "\nColumns of solvers\n")
	for _, e := range catalogue.Solvers() {
		list(w, e.Name, e.Columns, width)
	}
	return nil
}

// list writes the columns of one model or solver.
func list(w io.Writer, name string, columns []string, width int) {
	if len(columns) > 0 {
		fmt.Fprintln(w, wrapped(name+": "+strings.Join(columns, ", "), "  ", width))
	}
}
