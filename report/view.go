package report

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness/claims"
)

// view contains the content of the page in the form that the template needs.
type view struct {
	Title    string
	Outcomes []outcome
	Papers   []*paper
	Total    *paper
	Data     []string // data sets of all runs
	Commits  []string // commits of the program that made the runs
	Machines []string
	Thinned  bool // whether the interactive figures omit some rows of long runs
	Palette  template.JS
	Scripts  []string
	Drawn    template.CSS // styles of the drawings
}

// outcome is a possible verdict of a claim.
type outcome struct {
	Word  string // name of the outcome on the page
	Class string // the value of claims.Outcome, as a CSS class
	Means string // explanation
}

// paper is a paper, or the group of the user's experiments, in the summary and in the list.
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
	Share float64 // percentage of the paper's claims
}

// outcomes returns the possible verdicts in the order of the summary.
func outcomes() (out []outcome) {
	for _, o := range claims.Outcomes() {
		out = append(out, outcomeOf(o))
	}
	return out
}

// outcomeOf returns the name and the explanation of a verdict.
func outcomeOf(o claims.Outcome) outcome {
	means := map[claims.Outcome]string{
		claims.Reproduced:    "its assertion holds on the runs",
		claims.NotReproduced: "its assertion does not hold on the runs",
		claims.Tie:           "it is about times, and holds in some repetitions of the runs and fails in others",
		claims.NotTestable:   "these runs cannot decide the claim; the reason is given with it",
		claims.NotMeasured:   "a run that the claim needs has no result, or did not measure a quantity such as CPU time",
	}
	return outcome{Word: strings.ReplaceAll(string(o), "-", " "), Class: string(o), Means: means[o]}
}

// newView prepares the content of a page for its template. The template inside is that of an open experiment.
func newView(p Page, inside *template.Template) (*view, error) {
	v := &view{Title: p.Title, Outcomes: outcomes(), Total: &paper{},
		Scripts: append(scripts(), "spec.js", "search.js", "page.js")}
	var err error
	if v.Palette, err = palette(); err != nil {
		return nil, err
	}
	var scales []string
	var drawn styles
	items, err := newItems(p.Accounts, &drawn, inside)
	if err != nil {
		return nil, err
	}
	for i, a := range p.Accounts {
		it, own := items[i], v.paper(a)
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
		slices.SortStableFunc(own.Items, byWeight)
	}
	slices.SortStableFunc(v.Papers, func(a, b *paper) int { return cmp.Compare(b.Claims, a.Claims) })
	v.Total.count(all)
	v.Drawn = drawn.css()
	v.Title = cmp.Or(v.Title, titleOf(v, scales))
	return v, nil
}

// newItems prepares all accounts for the templates. It adds the styles of their figures to drawn.
func newItems(accounts []*Account, drawn *styles, inside *template.Template) ([]*item, error) {
	items := make([]*item, len(accounts))
	each := func(f func(i int) error) error {
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, a := range accounts {
			g.Go(func() error {
				if err := f(i); err != nil {
					return fmt.Errorf("%s: %w", a.Spec.ID, err)
				}
				return nil
			})
		}
		return g.Wait()
	}
	err := each(func(i int) (err error) {
		items[i], err = newItem(accounts[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, it := range items { // one after the other, so that the names of the classes are always the same
		it.SVG, it.Narrow = drawn.share(it.svg), drawn.share(it.narrow)
	}
	return items, each(func(i int) (err error) {
		var text bytes.Buffer
		if err := inside.Execute(&text, items[i]); err != nil {
			return err
		}
		items[i].Inside, err = packed(text.Bytes())
		return err
	})
}

// byWeight compares two experiments of a paper. The figures of the paper come first, in the order of their numbers,
// then its tables, then its other statements, then experiments that the paper does not have.
func byWeight(a, b *item) int {
	weight := func(it *item) (group, number int) {
		switch p := it.Spec.Paper; {
		case p == nil || it.Spec.Kind == "own":
			return 3, 0
		case p.Figure > 0:
			return 0, p.Figure
		case p.Table > 0:
			return 1, p.Table
		}
		return 2, 0
	}
	groupA, numberA := weight(a)
	groupB, numberB := weight(b)
	return cmp.Or(cmp.Compare(groupA, groupB), cmp.Compare(numberA, numberB))
}

// titleOf returns the default heading of a page.
func titleOf(v *view, scales []string) string {
	if len(v.Papers) == 1 && v.Papers[0].Key == ownKey {
		if items := v.Papers[0].Items; len(items) == 1 {
			return items[0].Title
		}
		return fmt.Sprintf("Results of %d experiments", len(v.Papers[0].Items))
	}
	return "Reproduction report, scale " + strings.Join(scales, ", ")
}

// ownKey is the key of the group of the user's experiments, which belong to no paper.
const ownKey = "own"

// paper returns the paper to which an account belongs. If the view does not have the paper yet, it is added.
func (v *view) paper(a *Account) *paper {
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

// plain removes stars and backquotes from a line of Markdown.
func plain(s string) string { return strings.NewReplacer("*", "", "`", "").Replace(s) }

// count sets the numbers of the paper's claims by outcome.
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

// origin adds the data sets, commits and machines of an account's runs to the view.
func (v *view) origin(a *Account) {
	v.Thinned = v.Thinned || a.Explore != nil && a.Explore.Thinned > 0
	for _, r := range a.Runs {
		v.Data, v.Commits = include(v.Data, r.Data), include(v.Commits, r.Commit)
		v.Machines = include(v.Machines, r.Machine)
	}
}

// include appends s to a list, unless s is empty or already in the list.
func include(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
