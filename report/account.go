package report

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// Account holds what a report shows of one experiment, from existing results.
type Account struct {
	Spec     *lang.Spec
	Text     string          // the file of the spec
	Command  string          // makes the results
	Result   *harness.Result // has no files if there are no results
	Missing  error           // why there are no results; wraps harness.ErrNoResults; nil if there are some
	Verdicts []claims.Verdict
	Figure   *figure.Figure // nil if the spec has none, or if none could be made: then a note gives the reason
	Table    *table.Table   // the same
	Explore  *explore.Data  // nil if no run has rows
	Origin   []Fact         // of all runs, each text once
	Notes    []string       // warnings and faults
}

// Accounts returns the accounts of experiments in their order, also of those without results. Faults of an experiment
// become notes of its account. The error is that of a spec, or of results that cannot be read.
func Accounts(specs []*lang.Spec, o harness.Options) ([]*Account, error) {
	r := harness.NewReader(o)
	out, faults := make([]*Account, len(specs)), make([]error, len(specs))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, s := range specs {
		g.Go(func() error {
			out[i], faults[i] = newAccount(s, r)
			return nil
		})
	}
	g.Wait()
	return slices.DeleteFunc(out, func(a *Account) bool { return a == nil }), errors.Join(faults...)
}

func newAccount(s *lang.Spec, r *harness.Reader) (*Account, error) {
	a := &Account{Spec: s}
	var err error
	if a.Result, err = r.Read(s); errors.Is(err, harness.ErrNoResults) {
		a.Missing = err
	} else if err != nil {
		return nil, err
	}
	a.Command = strings.ReplaceAll(a.Result.Command(), s.File, publicName(s.File))
	text, err := a.Result.Beside(path.Base(filepath.ToSlash(s.File)))
	if err != nil {
		return nil, err
	}
	a.Text = string(text)
	if a.Verdicts, err = a.Result.Claims(); err != nil {
		a.note("%v", err)
	}
	if a.Missing != nil {
		return a, nil
	}
	a.note("%s", strings.Join(a.Result.Failed(), "\n"))
	a.figure()
	a.table()
	if a.Explore, err = a.Result.Explore(); err != nil {
		return nil, err
	}
	a.Origin = origins(a.Result.Files)
	for _, w := range a.Result.Set.Warnings {
		a.note("%s", w)
	}
	return a, nil
}

// publicName drops the folders of an absolute path, which are private.
func publicName(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Base(file)
	}
	return file
}

// note adds the lines of a text to the notes, equal ones once.
func (a *Account) note(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		line = strings.TrimPrefix(line, a.Spec.ID+" ")
		if line != "" && !slices.Contains(a.Notes, line) {
			a.Notes = append(a.Notes, line)
		}
	}
}

func (a *Account) figure() {
	if a.Spec.Figure == nil {
		return
	}
	fig, err := a.Result.Figure()
	if err != nil {
		a.note("figure: %v", err)
	}
	for _, w := range fig.Warnings {
		a.note("figure: %s", w)
	}
	if len(fig.Panels) > 0 {
		a.Figure = &fig
	}
}

func (a *Account) table() {
	if a.Spec.Table == nil {
		return
	}
	t, err := a.Result.Table()
	if err != nil {
		a.note("table: %v", err)
		return
	}
	for _, w := range t.Warnings {
		a.note("table: %s", w)
	}
	a.Table = &t
}

// Count returns how many claims have each outcome.
func (a *Account) Count() map[claims.Outcome]int {
	out := map[claims.Outcome]int{}
	for _, v := range a.Verdicts {
		out[v.Verdict]++
	}
	return out
}

// Paper returns the paper that the experiment belongs to; ok is false for an experiment of the user's own.
func (a *Account) Paper() (p experiments.Paper, ok bool) {
	if !a.Spec.BuiltIn {
		return p, false
	}
	key, _, _ := strings.Cut(a.Spec.ID, "/")
	for _, p := range experiments.Papers() {
		if p.Key == key {
			return p, true
		}
	}
	return p, false
}

// mostTexts is the largest number of texts of one name that are listed for the runs of an experiment.
const mostTexts = 12

// origins lists the facts of all runs, without those that differ from run to run: how each ran and how it ended.
func origins(files []*trace.File) []Fact {
	var names []string
	texts := map[string][]string{}
	var first, last string
	for _, f := range files {
		if at := f.Manifest.Start; first == "" || at < first {
			first = at
		}
		last = max(last, f.Manifest.Start)
		name := ""
		for _, fact := range Origin(f) {
			if fact.Name != "" {
				name = fact.Name
			}
			if fact.Text == "" || slices.Contains([]string{"ran", "ended", "note"}, name) {
				continue
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			if !slices.Contains(texts[name], fact.Text) {
				texts[name] = append(texts[name], fact.Text)
			}
		}
	}
	var out []Fact
	for _, name := range names {
		all := texts[name]
		if more := len(all) - mostTexts; more > 0 {
			all = append(all[:mostTexts], fmt.Sprintf("and %d more; `gaplab show` with a run's key prints its own", more))
		}
		for _, text := range all {
			out = append(out, Fact{name, text})
			name = ""
		}
	}
	if first != "" {
		when := first
		if last != first {
			when += " to " + last
		}
		out = append(out, Fact{"began", when})
	}
	return out
}
