package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// printSummary prints what a sitting has changed and what is left. It returns an error if claims are not reproduced.
func (v *reproduceVerb) printSummary(d *edition.Edition, end string) error {
	c := v.sys.coloursOf(v.sys.out)
	o := v.options(1)
	all, err := d.Judge(o, harness.Options{Root: o.Root, Shipped: v.shipped})
	if err != nil {
		return err
	}
	sitting := d.Record.Sittings[len(d.Record.Sittings)-1]
	fmt.Fprintf(v.sys.out, "\n%s\n", c.Bold(fmt.Sprintf("sitting of %s: %s", timeText(sitting.Seconds), end)))
	fmt.Fprintf(v.sys.out, "verdicts that differ from the kept results: %d, in %s\n", len(all.Changes),
		amount.Count(all.Experiments, "judged experiment"))
	for _, ch := range all.Changes {
		fmt.Fprintf(v.sys.out, "  %s  %s -> %s\n", ch.ID, outcome(ch.Before), outcome(ch.After))
		for _, side := range []struct {
			name string
			claims.Verdict
		}{{"before", ch.Before}, {"after", ch.After}} {
			if text := strings.TrimSpace(side.Measured + " " + side.Why); text != "" {
				fmt.Fprintf(v.sys.out, "    %-6s  %s\n", side.name, c.Hang(text, 12))
			}
		}
	}
	if len(all.Papers) > 0 {
		fmt.Fprintln(v.sys.out)
		if err := countsOf(all.Papers).Text(v.sys.out, tabular.Layout{Width: helpWidth}); err != nil {
			return err
		}
	}
	if len(all.Waiting) > 0 {
		fmt.Fprintf(v.sys.out, "\nnot judged, because their claims read experiments that are not complete: %s\n",
			strings.Join(all.Waiting, ", "))
	}
	for _, e := range d.Record.Experiments {
		v.failures(e)
	}
	if left, _ := d.Left(); len(left) > 0 {
		fmt.Fprintln(v.sys.out, "\nleft:")
	} else {
		fmt.Fprintln(v.sys.out)
	}
	if err := v.printForecast(d); err != nil {
		return err
	}
	return shortfall(all.After)
}

// countsOf returns the table of verdicts by paper. A cell has the numbers before and after if they differ.
func countsOf(papers []edition.Count) *tabular.Listing {
	lines := &tabular.Listing{Head: []string{"paper", "claims"}, Right: []string{"claims"}}
	for _, o := range claims.Outcomes() {
		lines.Head = append(lines.Head, strings.ReplaceAll(string(o), "-", " "))
	}
	for _, p := range papers {
		row := []string{p.Paper, fmt.Sprint(p.Claims)}
		for _, o := range claims.Outcomes() {
			cell := fmt.Sprint(p.After[o])
			if p.Before[o] != p.After[o] {
				cell = fmt.Sprintf("%d -> %d", p.Before[o], p.After[o])
			}
			row = append(row, cell)
		}
		lines.Add(row...)
	}
	return lines
}

// outcome returns the word for a verdict, or "none" if there is none.
func outcome(v claims.Verdict) string { return cmp.Or(string(v.Verdict), "none") }
