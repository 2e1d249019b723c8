package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
	"github.com/gaplab/gaplab/plots"
)

// view is the page as its template reads it.
type view struct {
	Title    string
	Outcomes []outcome
	Papers   []*paper
	Total    *paper
	Data     []string // data sets of all runs
	Commits  []string // that made them
	Machines []string
	Thinned  bool // some curves lack rows
	Palette  template.JS
	Scripts  []string
	Drawn    template.CSS // what the drawings look like
}

// outcome is one that claims may have.
type outcome struct {
	Word  string // as a reader writes it
	Class string // claims.Outcome
	Means string
}

// paper is a paper, or the user's own experiments, in the summary and in the list.
type paper struct {
	Key, Title, Citation string
	Claims               int
	Counts               []count
	Items                []*item
}

// count is the number of claims of one outcome.
type count struct {
	outcome
	Paper string
	N     int
	Share float64 // of the paper's claims, in percent
}

// item is one experiment.
type item struct {
	*harness.Account
	ID, Title, Paper string
	Facts            []string // what it is about, in a few words
	Counts           []count  // without those of 0
	Claims           []claim
	SVG              template.HTML
	Wide             bool   // it has panels side by side
	Alt              string // what the figure shows, in words
	Caption          string
	Lines            *tabular.Table // its table
	Right            map[int]bool   // columns of numbers
	Runs             []run
	More             int           // runs that are not listed
	Packed           template.HTML // its curves, in base64
}

// claim is a statement and how it came out.
type claim struct {
	ID, Says, Where, Kind, Tolerance, Tested, Because string
	outcome
	Measured, Asserted, Why string
	Warnings                []string
}

// run is a line of the list of runs.
type run struct{ Key, Of, Status, Why, Rows string }

// outcomes are the words of the verdicts, in the order of the summary.
func outcomes() []outcome {
	return []outcome{
		{"reproduced", string(claims.Reproduced), "its assertion holds on the runs"},
		{"not reproduced", string(claims.NotReproduced), "its assertion does not hold on the runs"},
		{"not testable", string(claims.NotTestable), "these runs cannot decide it; the reason is beside it"},
		{"not measured", string(claims.NotMeasured), "it is about time that these runs did not measure"},
	}
}

func outcomeOf(o claims.Outcome) outcome {
	all := outcomes()
	return all[slices.IndexFunc(all, func(x outcome) bool { return x.Class == string(o) })]
}

func newView(p Page) (*view, error) {
	v := &view{Title: p.Title, Outcomes: outcomes(), Total: &paper{}, Scripts: scripts()}
	var err error
	if v.Palette, err = palette(); err != nil {
		return nil, err
	}
	var scales []string
	var drawn styles
	for _, a := range p.Accounts {
		it, err := newItem(a, &drawn)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Spec.ID, err)
		}
		own := v.paper(a)
		it.Paper = own.Key
		own.Items = append(own.Items, it)
		scales = include(scales, a.Spec.Scale)
		v.origin(a)
	}
	all := map[claims.Outcome]int{}
	for _, own := range v.Papers {
		n := map[claims.Outcome]int{}
		for _, it := range own.Items {
			for o, k := range it.Account.Count() {
				n[o] += k
				all[o] += k
			}
		}
		own.count(n)
	}
	v.Total.count(all)
	v.Drawn = drawn.css()
	v.Title = cmp.Or(v.Title, titleOf(v, scales))
	return v, nil
}

// titleOf is the heading of a page that was given none.
func titleOf(v *view, scales []string) string {
	if len(v.Papers) == 1 && v.Papers[0].Key == ownKey {
		if items := v.Papers[0].Items; len(items) == 1 {
			return items[0].Title
		}
		return fmt.Sprintf("Results of %d experiments", len(v.Papers[0].Items))
	}
	return "Reproduction report, scale " + strings.Join(scales, ", ")
}

// ownKey is the key of the user's own experiments, in the place of a paper's.
const ownKey = "own"

// paper is the paper of an account, which is added if it is new.
func (v *view) paper(a *harness.Account) *paper {
	known, ok := a.Paper()
	if !ok {
		known.Key, known.Title = ownKey, "Experiments of your own"
	}
	for _, p := range v.Papers {
		if p.Key == known.Key {
			return p
		}
	}
	p := &paper{Key: known.Key, Title: plain(known.Title), Citation: plain(known.Citation)}
	v.Papers = append(v.Papers, p)
	return p
}

// plain is a line of Markdown without stars and backquotes.
func plain(s string) string { return strings.NewReplacer("*", "", "`", "").Replace(s) }

func (p *paper) count(n map[claims.Outcome]int) {
	for _, k := range n {
		p.Claims += k
	}
	for _, o := range outcomes() {
		c := count{outcome: o, Paper: p.Key, N: n[claims.Outcome(o.Class)]}
		if p.Claims > 0 {
			c.Share = 100 * float64(c.N) / float64(p.Claims)
		}
		p.Counts = append(p.Counts, c)
	}
}

// origin adds the data, commits and machines of an account's runs.
func (v *view) origin(a *harness.Account) {
	v.Thinned = v.Thinned || a.Explore != nil && a.Explore.Thinned > 0
	for _, f := range a.Result.Files {
		m := f.Manifest
		name := m.Data.Name
		if m.Data.Synthetic {
			name += " (generated)"
		}
		v.Data = include(v.Data, name)
		if m.Commit != "" {
			commit := m.Commit[:min(len(m.Commit), 10)]
			if m.Dirty {
				commit += " (changed since)"
			}
			v.Commits = include(v.Commits, commit)
		}
		v.Machines = include(v.Machines, strings.Join([]string{m.CPU, m.Platform, m.GoVersion}, ", "))
	}
}

func include(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// mostRuns is how many runs of an experiment are listed.
const mostRuns = 100

func newItem(a *harness.Account, drawn *styles) (*item, error) {
	s := a.Spec
	it := &item{Account: a, ID: s.ID, Title: cmp.Or(s.Title, s.ID)}
	n := a.Count()
	for _, o := range outcomes() {
		if k := n[claims.Outcome(o.Class)]; k > 0 {
			it.Counts = append(it.Counts, count{outcome: o, N: k})
		}
	}
	for i, v := range a.Verdicts {
		c := s.Claims[i]
		it.Claims = append(it.Claims, claim{ID: c.ID, Says: strings.TrimSpace(c.Says), Where: c.Where, Kind: kindOf(c.Kind),
			Tolerance: strings.TrimSpace(c.Tol), Tested: c.Tested, outcome: outcomeOf(v.Verdict), Measured: v.Measured,
			Asserted: v.Asserted, Why: v.Why, Warnings: v.Warnings})
	}
	it.Facts = factsOf(a)
	if a.Missing == nil {
		it.Caption = figure.NewMeta(s, a.Result.Set).Caption()
	}
	if a.Figure != nil {
		drawing, err := plots.Draw(*a.Figure)
		if err != nil {
			a.Notes = append(a.Notes, err.Error())
		} else {
			it.SVG, it.Alt = drawn.share(drawing.SVG()), alternative(a)
			it.Wide = len(a.Figure.Panels) > 1 && a.Figure.Columns != 1
		}
	}
	if a.Table != nil {
		it.Lines = a.Table.Lines()
		it.Right = map[int]bool{}
		for i, head := range it.Lines.Head {
			it.Right[i] = i > 0 && slices.Contains(it.Lines.Right, head)
		}
	}
	for i, f := range a.Result.Files {
		if i == mostRuns {
			it.More = len(a.Result.Files) - i
			break
		}
		r := run{Key: f.Manifest.Key, Of: f.Describe(), Status: string(f.Status()), Rows: fmt.Sprint(len(f.Rows))}
		if f.Manifest.Thinned > len(f.Rows) {
			r.Rows += fmt.Sprintf(" of %d", f.Manifest.Thinned)
		}
		if f.End != nil {
			r.Why, _, _ = strings.Cut(f.End.Why, "\n")
		}
		it.Runs = append(it.Runs, r)
	}
	if a.Explore != nil {
		var err error
		if it.Packed, err = packed(a.Explore); err != nil {
			return nil, err
		}
	}
	return it, nil
}

// kindOf is the kind of a claim in words.
func kindOf(kind string) string {
	switch kind {
	case "M":
		return "theorem"
	case "V":
		return "printed value"
	case "E":
		return "finding"
	}
	return ""
}

// factsOf says which item of the paper the experiment is, and how much of it there is.
func factsOf(a *harness.Account) (out []string) {
	if p := a.Spec.Paper; p != nil {
		switch {
		case p.Figure > 0:
			out = append(out, fmt.Sprint("figure ", p.Figure))
		case p.Table > 0:
			out = append(out, fmt.Sprint("table ", p.Table))
		case p.Section != "":
			out = append(out, "section "+p.Section)
		}
	}
	if !slices.Contains(out, a.Spec.Kind) && (len(out) == 0 || !strings.HasPrefix(out[0], a.Spec.Kind)) {
		out = append(out, a.Spec.Kind)
	}
	failed := 0
	for _, f := range a.Result.Files {
		if f.Status() == trace.Failed || f.Status() == trace.Diverged {
			failed++
		}
	}
	switch n, planned := len(a.Result.Files), a.Result.Planned; {
	case a.Missing != nil:
		out = append(out, "no results")
	case n < planned:
		out = append(out, fmt.Sprintf("%d of %d runs", n, planned))
	case n == 1:
		out = append(out, "1 run")
	default:
		out = append(out, fmt.Sprintf("%d runs", n))
	}
	if failed > 0 {
		out = append(out, fmt.Sprintf("%d failed", failed))
	}
	return append(out, "scale "+a.Spec.Scale)
}

// alternative says in words what a figure shows: its panels, then what the claims find on it.
func alternative(a *harness.Account) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Figure of %s: %s.", a.Spec.ID, cmp.Or(a.Figure.Title, a.Spec.ID))
	for _, p := range a.Figure.Panels {
		b.WriteString(" ")
		if p.Title != "" {
			b.WriteString(p.Title + ": ")
		}
		fmt.Fprintf(&b, "%s against %s", p.Y.Label, p.X.Label)
		var names []string
		for _, l := range p.Lines {
			names = include(names, l.Label)
		}
		if len(names) > 12 {
			names = append(names[:12], fmt.Sprintf("and %d more", len(names)-12))
		}
		if len(names) > 0 {
			b.WriteString(", of " + strings.Join(names, "; "))
		}
		b.WriteString(".")
	}
	for i, v := range a.Verdicts {
		fmt.Fprintf(&b, " Claim %s, %s: %s", v.Claim, outcomeOf(v.Verdict).Word, strings.TrimSpace(a.Spec.Claims[i].Says))
		if v.Measured != "" && len(v.Measured) < 200 {
			b.WriteString(" Measured: " + v.Measured + ".")
		}
	}
	return b.String()
}
