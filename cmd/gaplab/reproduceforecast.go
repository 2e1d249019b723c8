package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// printForecast prints what the experiments that are not complete need, in the order in which they are made.
func (v *reproduceVerb) printForecast(d *edition.Edition) error {
	c := v.sys.coloursOf(v.sys.out)
	left, needs := d.Left()
	_, whole := d.Forecast()
	lines := &tabular.Listing{Head: []string{"experiment", "runs", "at a time", "time", "memory", "disk"},
		Right: []string{"runs", "at a time", "time", "memory", "disk"}}
	var unknown, large, notes, changed []string
	experiments := 0            // number of experiments with changed code
	of := map[string][]string{} // IDs of the experiments with a note
	for i, e := range left {
		need, workers := needs[i], v.runner.workers
		if e.Timed {
			workers = 1
		}
		lines.Add(e.ID, fmt.Sprint(need.Runs), fmt.Sprint(workers), spanOf(need), size(need.Memory),
			size(need.Bytes))
		if need.Unknown > 0 {
			unknown = append(unknown, fmt.Sprintf("%s (%d of %d)", e.ID, need.Unknown, need.Runs))
		}
		if v.length > 0 && span(need.Seconds) > v.length {
			large = append(large, fmt.Sprintf("%s (%s)", e.ID, timeText(need.Seconds)))
		}
		if changed = append(changed, e.Changed...); len(e.Changed) > 0 {
			experiments++
		}
		for _, note := range e.Notes {
			if of[note] == nil {
				notes = append(notes, note)
			}
			of[note] = append(of[note], e.ID)
		}
	}
	for _, note := range notes {
		who := of[note][0]
		if n := len(of[note]); n > 1 {
			who = amount.Count(n, "experiment")
		}
		v.sys.note("%s: %s", who, note)
	}
	if len(left) > 0 {
		if err := term.Lines(v.sys.out, c, "  ", lines); err != nil {
			return err
		}
	}
	commit, _ := origin.Revision()
	fmt.Fprintf(v.sys.out, "%d of %s complete; %s to make%s", len(d.All)-len(left),
		amount.Count(len(d.All), "experiment"), amount.Count(whole.Runs, "run"), about(whole))
	for _, s := range []struct {
		bytes int64
		of    string
	}{{whole.Memory, "of memory"}, {whole.Bytes, "on disk"}} {
		if s.bytes > 0 {
			fmt.Fprintf(v.sys.out, ", %s %s", amount.Bytes(s.bytes), s.of)
		}
	}
	fmt.Fprintln(v.sys.out)
	others := d.Others(commit)
	for _, other := range slices.Sorted(maps.Keys(others)) {
		v.sys.note("%s of commit %s kept, because their code is the same", amount.Count(others[other], "result"),
			short(other))
	}
	if slices.Sort(changed); experiments > 0 {
		v.sys.note("%s: the kept results were made by other code of %s; results of both do not make one edition",
			amount.Count(experiments, "experiment"), strings.Join(slices.Compact(changed), ", "))
	}
	if len(unknown) > 0 {
		v.sys.note("no earlier time of some runs: %s", strings.Join(unknown, ", "))
	}
	if len(large) > 0 {
		v.sys.note("longer than --for %s, so not begun: %s", timeText(v.length.Seconds()), strings.Join(large, ", "))
	}
	return nil
}

// printStatus prints the record of an edition.
func (v *reproduceVerb) printStatus() error {
	r, err := edition.Read(v.dir)
	if err != nil {
		return term.Usage("%w", err)
	}
	fmt.Fprintf(v.sys.out, "%s, scale %s, begun %s\n", v.dir, r.Scale, r.Began)
	fmt.Fprintf(v.sys.out, "program  %s\n", programOf(r.Program))
	fmt.Fprintf(v.sys.out, "machine  %s, %s, %s\n\n", r.Machine.CPU, r.Machine.Platform,
		amount.Count(r.Machine.Processors, "processor"))
	sittings := &tabular.Listing{Head: []string{"sitting", "time", "experiments", "end"},
		Right: []string{"time", "experiments"}}
	for _, s := range r.Sittings {
		end := cmp.Or(s.End, "goes on, or was killed")
		if s.Program != r.Program {
			end += "; program " + programOf(s.Program)
		}
		if s.Machine != r.Machine {
			end += "; another machine"
		}
		sittings.Add(s.Began, timeText(s.Seconds), fmt.Sprint(len(s.Experiments)), end)
	}
	lines := &tabular.Listing{Head: []string{"experiment", "state", "runs", "time", "left", "busy", "commit"},
		Right: []string{"runs", "time", "left", "busy"}}
	done := 0
	for _, e := range r.Experiments {
		left, busy, commits := "", "", ""
		if e.State == edition.Done {
			done++
		} else {
			left = timeText(e.Forecast)
		}
		if e.Remade > 0 {
			busy = fmt.Sprintf("%.0f %%", 100*e.Remade)
		}
		for _, commit := range e.Commits {
			if commit != r.Program.Commit {
				commits = strings.TrimSpace(commits + " " + short(cmp.Or(commit, "unknown")))
			}
		}
		lines.Add(e.ID, e.State, fmt.Sprintf("%d/%d", e.Runs, e.Planned), timeText(e.Seconds), left, busy, commits)
	}
	for _, t := range []*tabular.Listing{sittings, lines} {
		if err := t.Text(v.sys.out, tabular.Layout{Width: helpWidth, Sparse: true}); err != nil {
			return err
		}
		fmt.Fprintln(v.sys.out)
	}
	fmt.Fprintf(v.sys.out, "%d of %s complete\n", done, amount.Count(len(r.Experiments), "experiment"))
	for _, e := range r.Experiments {
		v.failures(e)
	}
	return nil
}

// programOf describes a program.
func programOf(p edition.Program) string {
	text := "commit " + short(cmp.Or(p.Commit, "unknown"))
	if p.Unclean {
		text += " (changed since)"
	}
	return text + ", sources " + short(p.Sources) + ", " + p.Go
}

// failures prints the failed runs of an experiment.
func (v *reproduceVerb) failures(e edition.Entry) {
	for _, text := range e.Failed {
		fmt.Fprintf(v.sys.out, "failed: %s: %s\n", e.ID, text)
	}
	if e.Fault != "" {
		fmt.Fprintf(v.sys.out, "not made: %s: %s\n", e.ID, term.FirstLine(e.Fault))
	}
}

// span converts seconds to a duration.
func span(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// timeText formats a time for readers, such as 2h5m.
func timeText(seconds float64) string {
	unit := time.Second
	if seconds >= 600 {
		unit = time.Minute
	}
	text := span(seconds).Round(unit).String()
	if unit == time.Minute {
		text = strings.TrimSuffix(text, "0s")
	}
	return text
}

// spanOf formats the predicted time of an experiment.
func spanOf(n edition.Need) string {
	switch {
	case n.Runs == 0:
		return ""
	case n.Unknown == n.Runs:
		return "unknown"
	case n.Unknown > 0:
		return "over " + timeText(n.Seconds)
	}
	return timeText(n.Seconds)
}

// about returns a text such as ", about 2h5m", for the end of a line; "" if there is nothing to make.
func about(n edition.Need) string {
	switch text := spanOf(n); {
	case text == "":
		return ""
	case text == "unknown":
		return ", in unknown time"
	case n.Unknown > 0:
		return ", " + text
	default:
		return ", about " + text
	}
}

// size formats a number of bytes; "" if it is not known.
func size(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return amount.Bytes(bytes)
}
