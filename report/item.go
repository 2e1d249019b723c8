package report

import (
	"cmp"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/internal/tabular"
	"github.com/gaplab/gaplab/plots"
)

// item is one experiment on the page.
type item struct {
	*Account
	ID, Title, Paper string
	Short            string   // the id without the name of the paper
	Facts            []string // what the experiment reproduces in the paper, and number of runs
	Counts           []count  // numbers of claims by outcome, without zeros
	Claims           []claim
	SVG              template.HTML    // figure
	Narrow           template.HTML    // figure with one panel in a row, for narrow windows; "" if SVG is so
	Broad            bool             // whether the figure has three panels in a row or more, which need the whole width
	Lines            *tabular.Listing // table of the experiment
	WideTable        bool             // whether the table has too many columns for the space beside the claims
	Right            map[int]bool     // indices of the table's columns with numbers, which are aligned to the right
	Listed           []Run            // the runs in the list
	More             int              // number of runs that are not listed
	Packed           template.HTML    // curves of the experiment (see packed)
	Inside           template.HTML    // what the page shows of the experiment when it is open (see packed)

	svg, narrow string // the drawings with their styles
}

// claim is a statement of a paper and its verdict.
type claim struct {
	ID, Says, Where, Kind, Tolerance, Tested string
	outcome
	Measured, Asserted, Why string
	Values                  string // explanation of the measured values
	Warnings                []string
}

// mostRuns is the largest number of runs in the list of an experiment.
const mostRuns = 100

// newItem prepares an account for the templates, apart from the fields SVG, Narrow and Inside.
func newItem(a *Account) (*item, error) {
	s := a.Spec
	it := &item{Account: a, ID: s.ID, Title: cmp.Or(s.Title, s.ID), Short: s.ID[strings.Index(s.ID, "/")+1:]}
	n := a.Count()
	for _, o := range outcomes() {
		if k := n[claims.Outcome(o.Class)]; k > 0 {
			it.Counts = append(it.Counts, count{outcome: o, N: k})
		}
	}
	for i, v := range a.Verdicts {
		c := s.Claims[i]
		tolerance, values := cutMeasured(strings.TrimSpace(c.Tol))
		it.Claims = append(it.Claims, claim{ID: c.ID, Says: strings.TrimSpace(c.Says), Where: c.Where, Kind: kindOf(c.Kind),
			Tolerance: tolerance, Values: values, Tested: c.Tested, outcome: outcomeOf(v.Verdict), Measured: v.Measured,
			Asserted: v.Asserted, Why: v.Why, Warnings: v.Warnings})
	}
	it.Facts = factsOf(a)
	if a.Figure != nil {
		if err := it.draw(); err != nil {
			a.Notes = append(a.Notes, err.Error())
		}
	}
	if a.Table != nil {
		it.Lines = a.Table.Lines()
		it.WideTable = len(it.Lines.Head) > 6
		it.Right = map[int]bool{}
		for i, head := range it.Lines.Head {
			it.Right[i] = i > 0 && slices.Contains(it.Lines.Right, head)
		}
	}
	it.Listed = a.Runs[:min(len(a.Runs), mostRuns)]
	it.More = len(a.Runs) - len(it.Listed)
	if a.Explore != nil {
		var err error
		if it.Packed, err = packedJSON(a.Explore); err != nil {
			return nil, err
		}
	}
	return it, nil
}

// draw draws the figure, and again with one panel in a row if it has several.
func (it *item) draw() error {
	f := *it.Figure
	f.Findings = findings(it.Account)
	drawing, err := plots.DrawBare(f)
	if err != nil {
		return err
	}
	it.svg = drawing.SVG()
	it.Broad = f.Columns > 2 || f.Columns == 0 && len(f.Panels) > 4
	if len(f.Panels) == 1 || f.Columns == 1 {
		return nil
	}
	f.Columns = 1
	if drawing, err = plots.DrawBare(f); err == nil {
		it.narrow = drawing.SVG()
	}
	return err
}

// cutMeasured cuts the sentence or the remark in parentheses that begins with "Measured" from the text on a claim's
// tolerance. It explains the measured values.
func cutMeasured(tolerance string) (rest, values string) {
	for _, form := range []string{`\((measured[^()]*(?:\([^()]*\)[^()]*)*)\)`, `\b(Measured\b.*?\.)(?: |$)`,
		`\b(Measured\b.*)$`, `; (measured\b.*)$`} {
		at := regexp.MustCompile(`(?s)` + form).FindStringSubmatchIndex(tolerance)
		if at == nil {
			continue
		}
		values = tolerance[at[2]:at[3]]
		after := strings.TrimSpace(tolerance[at[1]:])
		if after != "" && !strings.ContainsAny(after[:1], ".,;:") {
			after = " " + after
		}
		rest = strings.TrimSpace(strings.TrimRight(tolerance[:at[0]], " \n") + after)
		return rest, strings.ToUpper(values[:1]) + values[1:]
	}
	return tolerance, ""
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

// factsOf lists what the experiment reproduces in the paper, and the number of runs.
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
	for _, r := range a.Runs {
		if r.Failed {
			failed++
		}
	}
	switch n := len(a.Runs); {
	case a.Missing != nil:
		out = append(out, "no results")
	case a.Share != "":
		out = append(out, a.Share)
	case n == 1:
		out = append(out, "1 run")
	default:
		out = append(out, fmt.Sprintf("%d runs", n))
	}
	if failed > 0 {
		out = append(out, fmt.Sprintf("%d failed", failed))
	}
	return out
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
