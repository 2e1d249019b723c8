package page

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// Source finds the results for a page.
type Source struct {
	// Results returns the results of an experiment at a scale; the empty scale stands for the experiment's smallest.
	Results func(id, scale string) (*Results, error)
	// Verdicts returns the verdicts of all claims of papers or experiments.
	Verdicts func(names []string, scale string) ([]claims.Verdict, error)
	Papers   []Paper
}

// Results holds the results of one experiment at one scale.
type Results struct {
	ID, Scale string
	Evidence  expr.Evidence
	Files     []*trace.File
	Table     func() (table.Table, error)
	Measures  map[string]string // maps a claim's name to the expression whose value is printed with its verdict

	evaluation *expr.Evaluation // shared by all values, so that a bootstrap is computed once
}

// Paper is a paper that has experiments.
type Paper struct{ Key, Title, Citation string }

// ErrUntrue is wrapped by the error of a page that contradicts its results: an expression is not true, or a claim has
// another verdict.
var ErrUntrue = errors.New("not true")

// fault is an error that a function of a page returns.
type fault struct{ err error }

// Error returns the text of the error.
func (f *fault) Error() string { return f.err.Error() }

// Unwrap returns the error.
func (f *fault) Unwrap() error { return f.err }

func faulty(format string, args ...any) error { return &fault{fmt.Errorf(format, args...)} }

// rendering is the state of a page while it is rendered.
type rendering struct {
	source Source
	scale  string
	about  *Results // results of the experiment that the last call of on selected; nil before
}

// current returns the results of the experiment that the last call of on selected.
func (p *rendering) current(function string) (*Results, error) {
	if p.about == nil {
		return nil, faulty(`%s: no experiment is selected; write {{on "PAPER/ITEM"}} before it`, function)
	}
	return p.about, nil
}

// wrong returns the error of an expression, with the expression and its experiment.
func (r *Results) wrong(expression string, err error) error {
	return faulty("%s at scale %s: `%s`: %w", r.ID, r.Scale, strings.Join(strings.Fields(expression), " "), err)
}
