package page

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// Source finds what a page speaks of.
type Source struct {
	// Results are those of an experiment at a scale; with an empty scale, at the experiment's smallest.
	Results func(id, scale string) (*Results, error)
	// Verdicts are those of all claims of papers or experiments.
	Verdicts func(names []string, scale string) ([]claims.Verdict, error)
	Papers   []Paper
}

// Results are those of one experiment at one scale.
type Results struct {
	ID, Scale string
	Evidence  expr.Evidence
	Files     []*trace.File
	Table     func() (table.Table, error)
	Measures  map[string]string // of its claims, by their names: the expressions that are printed with the verdicts

	evaluation *expr.Evaluation // of all values: it computes no bootstrap twice
}

// Paper is a paper that has experiments.
type Paper struct{ Key, Title, Citation string }

// ErrUntrue is wrapped by the error of a page that says what its results do not: an expression that is not true, or a
// verdict that is another.
var ErrUntrue = errors.New("not true")

// Render returns the text of a page. An error names the page and its line, the experiment and the expression.
func Render(name, text string, source Source) (string, error) {
	p := &rendering{source: source}
	t, err := template.New(name).Option("missingkey=error").Funcs(p.functions()).Parse(text)
	if err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	var out strings.Builder
	if err := t.Execute(&out, nil); err != nil {
		return "", placed(err)
	}
	return fill(out.String()), nil
}

// position is where an error of text/template happened: name:line, then the column.
var position = regexp.MustCompile(`^template: (.*?:\d+):\d+: `)

// placed is an error of text/template with what matters to the writer of a page: file and line, and what a function
// said.
func placed(err error) error {
	m := position.FindStringSubmatch(err.Error())
	var said *fault
	if m == nil || !errors.As(err, &said) {
		return errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	return fmt.Errorf("%s: %w", m[1], said)
}

// fault is what a function of a page has to say.
type fault struct{ err error }

func (f *fault) Error() string { return f.err.Error() }
func (f *fault) Unwrap() error { return f.err }

func faulty(format string, args ...any) error { return &fault{fmt.Errorf(format, args...)} }
