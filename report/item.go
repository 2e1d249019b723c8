package report

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/tabular"
	"github.com/gaplab/gaplab/plots"
)

// item is one experiment on the page.
type item struct {
	*Account
	ID, Title, Paper string
	Facts            []string // what the experiment reproduces in the paper, number of runs, and scale
	Counts           []count  // numbers of claims by outcome, without zeros
	Claims           []claim
	SVG              template.HTML
	Wide             bool // whether its figure has panels side by side
	Caption          string
	Lines            *tabular.Listing // table of the experiment
	Right            map[int]bool     // indices of the table's columns with numbers, which are aligned to the right
	Runs             []run
	More             int           // number of runs that are not listed
	Packed           template.HTML // curves of the experiment, as compressed JSON in base64
}

// claim is a statement of a paper and its verdict.
type claim struct {
	ID, Says, Where, Kind, Tolerance, Tested, Because string
	outcome
	Measured, Asserted, Why string
	Warnings                []string
}

// run is a line in the list of runs.
type run struct{ Key, Of, Status, Why, Rows string }

// mostRuns is the largest number of runs in the list of an experiment.
const mostRuns = 100

// newItem prepares an account for the template. It adds the styles of the account's figure to drawn.
func newItem(a *Account, drawn *styles) (*item, error) {
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
		f := *a.Figure
		f.Findings = findings(a)
		drawing, err := plots.Draw(f)
		if err != nil {
			a.Notes = append(a.Notes, err.Error())
		} else {
			it.SVG = drawn.share(drawing.SVG())
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

// kindOf returns the kind of a claim in words.
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

// factsOf lists what the experiment reproduces in the paper, the number of runs, and the scale.
func factsOf(a *Account) (out []string) {
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
	switch n := len(a.Result.Files); {
	case a.Missing != nil:
		out = append(out, "no results")
	case a.Result.Set.Share() != "":
		out = append(out, a.Result.Set.Share())
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

// findings describes the verdict of each claim in a sentence, for readers who cannot see the figure.
func findings(a *Account) (out []string) {
	for i, v := range a.Verdicts {
		text := fmt.Sprintf("Claim %s, %s: %s", v.Claim, outcomeOf(v.Verdict).Word, strings.TrimSpace(a.Spec.Claims[i].Says))
		if v.Measured != "" && len(v.Measured) < 200 {
			text += " Measured: " + v.Measured + "."
		}
		out = append(out, text)
	}
	return out
}
