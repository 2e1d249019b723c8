package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// planned is one line of gaplab run --dry-run --format json: one run of an experiment.
type planned struct {
	Experiment string `json:"experiment"`
	Scale      string `json:"scale"`
	schedule.PlannedRun
	Memory int64 `json:"memory"` // memory of the whole experiment, in bytes
}

// forecast prints the plan of the experiments, with the time and memory that they are expected to need.
func (v *runFlags) forecast(ctx context.Context, plans []*harness.Plan) error {
	var list term.Faults
	var objects []planned
	for i, p := range plans {
		s := p.Spec
		f, err := p.Forecast(ctx)
		if ctx.Err() != nil {
			list.Add(context.Cause(ctx))
			break
		}
		if err != nil {
			list.Add(fmt.Errorf("%s: %w", s.ID, err))
			continue
		}
		for _, note := range f.Notes {
			v.sys.note("%s: %s", s.ID, note)
		}
		for _, r := range f.Runs {
			objects = append(objects, planned{s.ID, s.Scale, r, f.Memory})
		}
		if v.format.Value == "text" || v.format.Value == "md" {
			if i > 0 {
				fmt.Fprintln(v.sys.out)
			}
			list.Add(v.printForecast(s, f))
		}
	}
	if v.format.Value == "json" || v.format.Value == "csv" {
		list.Add(term.Objects(v.sys.out, v.format.Value, objects))
	}
	return list.Err()
}

// printForecast prints the plan of one experiment.
func (v *runFlags) printForecast(s *lang.Spec, f *schedule.Forecast) error {
	c := v.sys.coloursOf(v.sys.out)
	var labels []map[string]any
	unfinished := 0
	for _, r := range f.Runs {
		labels = append(labels, r.Labels)
		if r.State != "finished" {
			unfinished++
		}
	}
	names, short := varying(labels), trace.Abbreviate(labels)
	lines := &tabular.Listing{
		Head:  slices.Concat(names, []string{"state", "passes at most", "seconds", "key"}),
		Right: []string{"C", "lambda", "passes at most", "seconds"},
	}
	for _, r := range f.Runs {
		lines.Add(append(labelCells(names, short.Of(r.Labels)), r.State, known(r.Passes), known(r.Seconds), r.Key)...)
	}
	total := fmt.Sprintf("%d of %d runs to do", unfinished, len(f.Runs))
	switch {
	case f.Seconds > 0:
		total += ", about " + time.Duration(f.Seconds*float64(time.Second)).Round(time.Second/10).String()
	case unfinished > 0:
		total += "; their time can be estimated once one of them has ended"
	}
	if f.Memory > 0 {
		total += ", " + amount.Bytes(f.Memory) + " of memory in earlier runs"
	}
	if v.format.Value == "md" {
		fmt.Fprintf(v.sys.out, "## %s at scale %s\n\n", s.ID, s.Scale)
		err := lines.Markdown(v.sys.out)
		fmt.Fprintf(v.sys.out, "\n%s\n", total)
		return err
	}
	fmt.Fprintf(v.sys.out, "%s  %s\n", c.Bold(s.ID), "scale "+s.Scale)
	err := term.Lines(v.sys.out, c, "  ", lines)
	fmt.Fprintf(v.sys.out, "  %s\n", total)
	return err
}

// known formats a number. For 0, which means that the number is not known, it returns "".
func known(v float64) string {
	if v == 0 {
		return ""
	}
	return term.Decimals(&v, 1)
}
