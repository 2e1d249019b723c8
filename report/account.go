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

// Account contains all information about one experiment that a report shows. It is made from existing results, without
// new runs.
type Account struct {
	Spec     *lang.Spec
	Text     string   // content of the spec file
	Command  string   // command that makes the results
	Runs     []Run    // the runs with a result, in the order of the plan
	Planned  int      // number of planned runs
	Share    string   // share of the planned runs with a result, such as "3 of 4 runs"; "" if all have one
	Failed   []string // descriptions of the runs that failed or diverged
	LeftOut  []string // descriptions of the results that are left out
	Caption  string   // text below the figure
	Missing  error    // error that wraps harness.ErrNoResults if there are no results, else nil
	Lacking  error    // error that lists planned runs without a result and wraps harness.ErrPartial; else nil
	Verdicts []claims.Verdict
	Figure   *figure.Figure // nil if the spec has no figure, or if it could not be made; then a note gives the reason
	Table    *table.Table   // nil if the spec has no table, or if it could not be made; then a note gives the reason
	Explore  *explore.Data  // nil if no run has rows
	Origin   []Fact         // facts about the origin of the runs; each text occurs once
	Notes    []string       // warnings and errors
}

// Run describes a run with a result.
type Run struct {
	Key, Of, Status, Why, Rows string
	Failed                     bool   // whether the run failed or diverged
	Data, Commit, Machine      string // origin in short
}

// Accounts returns the accounts of experiments in the order of specs, also of experiments without results. An error in
// a claim, a figure or a table becomes a note of the account. Accounts returns an error if a spec is wrong or results
// cannot be read.
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

// newAccount returns the account of one experiment.
func newAccount(s *lang.Spec, r *harness.Reader) (*Account, error) {
	a := &Account{Spec: s}
	result, err := r.Read(s)
	if errors.Is(err, harness.ErrNoResults) {
		a.Missing = err
		if errors.Is(err, harness.ErrPartial) { // there are traces, but all are damaged
			a.Lacking = err
		}
	} else if err != nil {
		return nil, err
	}
	a.describe(result)
	a.Command = strings.ReplaceAll(result.Command(), s.File, publicName(s.File))
	text, err := result.Beside(path.Base(filepath.ToSlash(s.File)))
	if err != nil {
		return nil, err
	}
	a.Text = string(text)
	if a.Verdicts, err = result.Claims(); err != nil {
		a.note("%v", err)
	}
	if a.Missing != nil {
		return a, nil
	}
	a.Caption = figure.NewMeta(s, result.Set).Caption()
	a.note("%s", strings.Join(a.Failed, "\n"))
	if err := result.Lacks(); err != nil {
		a.note("%v", err)
	}
	if a.Lacking = result.Whole(); a.Lacking == nil {
		a.Explore = result.Explore(a.figure(result))
		a.table(result)
	}
	a.Origin = origins(result.Files)
	for _, w := range result.Set.Warnings {
		a.note("%s", w)
	}
	return a, nil
}

// describe describes the runs in words, so that the account does not keep their rows in memory.
func (a *Account) describe(r *harness.Result) {
	a.Planned, a.Share, a.Failed, a.LeftOut = r.Planned, r.Set.Share(), r.Failed(), r.LeftOut()
	for _, f := range r.Files {
		m := f.Manifest
		run := Run{Key: m.Key, Of: f.Describe(), Status: string(f.Status()), Rows: fmt.Sprint(len(f.Rows)),
			Failed: f.Status() == trace.Failed || f.Status() == trace.Diverged,
			Data:   m.Data.Name, Machine: strings.Join([]string{m.CPU, m.Platform, m.GoVersion}, ", ")}
		if m.Thinned > len(f.Rows) {
			run.Rows += fmt.Sprintf(" of %d", m.Thinned)
		}
		if f.End != nil {
			run.Why = firstLine(f.End.Why)
		}
		if m.Data.Synthetic {
			run.Data += " (generated)"
		}
		if m.Commit != "" {
			run.Commit = m.Commit[:min(len(m.Commit), 10)]
			if m.Dirty {
				run.Commit += " (changed since)"
			}
		}
		a.Runs = append(a.Runs, run)
	}
}

// publicName removes the folders from an absolute path, because they are private.
func publicName(file string) string {
	if filepath.IsAbs(file) {
		return filepath.Base(file)
	}
	return file
}

// note adds each line of a text to the notes of the account, unless the line is there already.
func (a *Account) note(format string, args ...any) {
	for line := range strings.SplitSeq(fmt.Sprintf(format, args...), "\n") {
		line = strings.TrimPrefix(line, a.Spec.ID+" ")
		if line != "" && !slices.Contains(a.Notes, line) {
			a.Notes = append(a.Notes, line)
		}
	}
}

// figure makes the figure of the account, and returns it. It returns an empty figure if the spec has none.
func (a *Account) figure(r *harness.Result) figure.Figure {
	if a.Spec.Figure == nil {
		return figure.Figure{}
	}
	fig, err := r.Figure()
	if err != nil {
		a.note("figure: %v", err)
	}
	for _, w := range fig.Warnings {
		a.note("figure: %s", w)
	}
	if len(fig.Panels) > 0 {
		a.Figure = &fig
	}
	return fig
}

// table makes the table of the account.
func (a *Account) table(r *harness.Result) {
	if a.Spec.Table == nil {
		return
	}
	t, err := r.Table()
	if err != nil {
		a.note("table: %v", err)
		return
	}
	for _, w := range t.Warnings {
		a.note("table: %s", w)
	}
	a.Table = &t
}

// Count returns the number of claims with each outcome.
func (a *Account) Count() map[claims.Outcome]int {
	out := map[claims.Outcome]int{}
	for _, v := range a.Verdicts {
		out[v.Verdict]++
	}
	return out
}

// Paper returns the paper to which the experiment belongs. ok is false for a user's experiment.
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

// mostTexts is the largest number of different texts that a report lists for one kind of fact.
const mostTexts = 12

// origins lists the facts about the origin of runs. It leaves out facts about single runs: how a run ran and how it
// ended.
func origins(files []*trace.File) []Fact {
	now := codeNow()
	var names []string
	texts := map[string][]string{}
	var first, last string
	for _, f := range files {
		if at := f.Manifest.Start; at != "" && (first == "" || at < first) {
			first = at
		}
		last = max(last, f.Manifest.Start)
		name := ""
		for _, fact := range originOf(f, now) {
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
			all = append(all[:mostTexts], fmt.Sprintf("and %d more; `gaplab show KEY` prints them for each run", more))
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
