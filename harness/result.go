package harness

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// Result contains the runs of an experiment at one scale, finished or not, in the order of the plan.
type Result struct {
	Spec    *lang.Spec
	Files   []*trace.File
	Set     *trace.Set
	Folder  string // path of the folder with the traces, or of a pack file in the repository
	Planned int    // number of planned runs; larger than the number of files after an interruption
	Left    string // names of the files that could not be read, with reasons; "" if there are none
	Older   string // text about results of older revisions, and whether they were left out; "" if there are none
	reader  *Reader

	entrants []choice.Entrant // all planned runs, with their files
}

// Command returns the command that makes these results.
func (r *Result) Command() string { return runCommand(r.Spec) }

// Interrupted reports whether planned runs are missing or have not ended.
func (r *Result) Interrupted() bool {
	for _, f := range r.Files {
		if f.Status() == trace.Interrupted {
			return true
		}
	}
	return len(r.Files) < r.Planned
}

// Failed describes the runs that failed or diverged. If no run ended normally, it also describes the runs whose solver
// does not support the problem.
func (r *Result) Failed() []string { return trace.Failures(r.Files) }

// Whole returns nil if all planned runs have a result, or if Options.Partial is set. Otherwise it returns an ErrPartial
// that names the runs without a result.
func (r *Result) Whole() error {
	if r.Set.Partial {
		return nil
	}
	return r.Lacks()
}

// Lacks returns an ErrPartial that names the planned runs without a result; nil if all have one. A failed run counts as
// a run without a result. A run has a result even if its budget ended it, if it diverged, or if its solver does not
// support the problem.
func (r *Result) Lacks() error {
	lacking := r.Set.Lacking()
	if len(lacking) == 0 {
		return nil
	}
	const most = 5
	var names []string
	for _, c := range lacking[:min(most, len(lacking))] {
		why, _, longer := strings.Cut(c.Reason(), "\n")
		if longer { // the rest had the closing parenthesis
			why += " …)"
		}
		names = append(names, fmt.Sprintf("%s: %s", c.DescribeRun(), why))
	}
	if more := len(lacking) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s: %w (%s have one): %s; make them with `%s`", r.Spec.ID, ErrPartial, r.Set.Share(),
		strings.Join(names, "; "), r.Command())
}

// Figure makes the experiment's figure from these results. If runs lack a result, it returns the error of Whole.
func (r *Result) Figure() (figure.Figure, error) {
	if r.Spec.Figure == nil {
		return figure.Figure{}, fmt.Errorf("%s has no figure", r.Spec.ID)
	}
	if err := r.Whole(); err != nil {
		return figure.Figure{}, err
	}
	meta, err := r.meta()
	if err != nil {
		return figure.Figure{}, err
	}
	return figure.Resolve(r.Spec.Figure, r.Set, meta)
}

// meta returns the information that a figure needs in addition to its curves.
func (r *Result) meta() (figure.Meta, error) {
	meta := figure.NewMeta(r.Spec, r.Set)
	for _, e := range r.reader.schedule.Extra {
		meta.Extra = append(meta.Extra, e.Name)
	}
	var err error
	if meta.Bounds, err = experiments.Bounds(); err != nil {
		return meta, err
	}
	meta.Hues, err = hues(r.Spec)
	return meta, err
}

// Explore returns the runs as data for a web page in which the reader can change the figure. own is the figure that
// Figure returned, which may be empty. Explore returns nil if no run has rows.
func (r *Result) Explore(own figure.Figure) *explore.Data {
	var metrics []string
	for _, e := range r.reader.schedule.Catalogue.Models {
		if !slices.ContainsFunc(r.Files, func(f *trace.File) bool { return f.Manifest.Labels["model"] == e.Name }) {
			continue
		}
		for _, m := range e.Metrics {
			if !slices.Contains(metrics, m) {
				metrics = append(metrics, m)
			}
		}
	}
	if data, ok := explore.Resolve(r.Spec.Figure, own, r.Files, metrics); ok {
		return &data
	}
	return nil
}

// LeftOut returns notes about files that cannot be read, about results of older revisions and, if Options.Partial is
// set, about runs without a result.
func (r *Result) LeftOut() (notes []string) {
	for _, text := range []string{r.Left, r.Older} {
		if text != "" {
			notes = append(notes, r.Spec.ID+": "+text)
		}
	}
	if err := r.Lacks(); err != nil && r.Set.Partial {
		notes = append(notes, err.Error())
	}
	return notes
}

// Table makes the experiment's table from these results. If runs lack a result, it returns the error of Whole.
func (r *Result) Table() (table.Table, error) {
	if r.Spec.Table == nil {
		return table.Table{}, fmt.Errorf("%s has no table", r.Spec.ID)
	}
	if err := r.Whole(); err != nil {
		return table.Table{}, err
	}
	t, err := table.Resolve(r.Spec.Table, r.Set, r.Beside)
	var fault *lang.Fault
	if errors.As(err, &fault) {
		fault.File = r.Spec.File
	}
	t.ID, t.Title = r.Spec.ID, r.Spec.Title
	return t, err
}

// Beside reads a file in the folder of the spec, such as the spec or the CSV file of numbers printed in the paper.
func (r *Result) Beside(name string) ([]byte, error) { return besideSpec(r.Spec.File, name) }

// Claims checks the experiment's claims on these results. A claim that reads a run without a result is not measured. If
// a claim reads another experiment, it reads the results of the same scale in the same folders.
func (r *Result) Claims() ([]claims.Verdict, error) {
	return claims.Evaluate(claims.Context{Experiment: r.Spec.ID, File: r.Spec.File, Scale: r.Spec.Scale,
		Run: r.Command(), Evidence: r.Evidence()}, r.Spec.Claims)
}

// Evidence returns everything that an expression over these results may read: the curves, printed numbers and other
// experiments.
func (r *Result) Evidence() expr.Evidence {
	return expr.Evidence{Set: r.Set, Printed: r.Beside, Other: func(id string) (*trace.Set, error) {
		other, err := r.reader.Find(id, r.Spec.Scale)
		if err != nil {
			return nil, err
		}
		return other.Set, nil
	}}
}
