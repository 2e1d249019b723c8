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
	// Results returns the results of an experiment at a scale; an empty scale means the smallest scale of the experiment.
	Results func(id, scale string) (*Results, error)
	// Verdicts returns the verdicts of all claims of the named papers or experiments.
	Verdicts func(names []string, scale string) ([]claims.Verdict, error)
	Papers   []Paper
}

// Results contains the results of one experiment at one scale.
type Results struct {
	ID, Scale string
	Evidence  expr.Evidence
	Files     []*trace.File
	Table     func() (table.Table, error)
	Measures  map[string]string // for each claim, by its id: the expression that its verdict reports

	evaluation *expr.Evaluation // shared by all values of the page, so that a bootstrap is computed only once
}

// Paper is a paper that has experiments.
type Paper struct{ Key, Title, Citation string }

// ErrUntrue is wrapped by the error of a page that contradicts the results: an expression that the page gives to the
// function "holds" is not true, or a claim has another verdict than the page states.
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
	about  *Results // results of the experiment that the page has selected with the function on; nil if none
}

// current returns the results of the experiment that the page has selected with the function "on". function is the name
// of the calling function, for the error.
func (p *rendering) current(function string) (*Results, error) {
	if p.about == nil {
		return nil, faulty(`%s: no experiment is selected; write {{on "PAPER/ITEM"}} before it`, function)
	}
	return p.about, nil
}

// wrong adds an expression and its experiment to the error of the expression.
func (r *Results) wrong(expression string, err error) error {
	return faulty("%s at scale %s: `%s`: %w", r.ID, r.Scale, strings.Join(strings.Fields(expression), " "), err)
}
