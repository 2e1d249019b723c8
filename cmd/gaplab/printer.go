package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/choice"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/internal/amount"
)

// printer prints the results of gaplab run, one experiment after another. In formats other than text, it prints the
// runs to standard output and everything else to standard error.
type printer struct {
	sys       system
	format    string
	selection *selection
	saved     string // value of --save-weights

	printed   int // number of experiments printed so far
	summaries []summary.Summary
	faults    term.Faults
}

// add prints the result of one experiment. For an interrupted experiment it prints no figure and no verdicts.
func (r *printer) add(result *harness.Result) {
	aside := r.sys.out
	if r.format != "text" {
		aside = r.sys.err
	}
	r.runs(result)
	r.failures(result)
	r.sys.notes(result.Spec.ID, warnings(result))
	cut := result.Interrupted()
	if !cut {
		if result.Whole() == nil {
			r.table(aside, result)
		}
		r.claims(aside, result)
		r.figure(aside, result)
	}
	fmt.Fprintf(aside, "traces  %s\n", result.Folder)
	r.best(aside, result)
	if !cut {
		r.weights(aside, result)
	}
	if cut {
		r.faults.Add(term.Exit(term.ExitInterrupted,
			"%s: interrupted: %d of %d runs have ended; the same command makes the others",
			result.Spec.ID, ended(result), result.Planned))
	}
}

// failures adds an error to the faults for each run that failed. If every run failed or is unsupported, it adds one
// error about the unsupported runs: the table of runs has the reasons.
func (r *printer) failures(result *harness.Result) {
	id := result.Spec.ID
	failed := result.Failed()
	for _, f := range without(failed, reasonsOf(result)) {
		r.faults.Add(term.Exit(term.ExitFailed, "%s: %s", id, term.FirstLine(f)))
	}
	if n := len(failed) - len(without(failed, reasonsOf(result))); n > 0 {
		r.faults.Add(term.Exit(term.ExitFailed, "%s: unsupported: %s; the table of runs has the reasons", id,
			amount.Count(n, "run")))
	}
	if err := result.Set.Err; err != nil {
		r.faults.Add(term.Exit(term.ExitFailed, "%s: %s", id, term.FirstLine(err.Error())))
	}
}

// best prints, for each rule of the spec that compares runs (choose), which run was chosen. If a rule chose none, best
// adds an error to the faults.
func (r *printer) best(w io.Writer, result *harness.Result) {
	choices := result.Choices()
	for _, c := range choices {
		if c.State == choice.Nobody {
			r.faults.Add(term.Exit(term.ExitFailed, "%s: choose: %s", result.Spec.ID, c.Describe()))
			continue
		}
		group := ""
		if len(choices) > 1 {
			group = "  " + c.Group
		}
		fmt.Fprintf(w, "best: %s%s\n", c.Describe(), group)
		if c.Edge != "" {
			r.sys.note("%s: %s is the %s value of %s in the comparison; one beyond it may be better", result.Spec.ID, c.Top,
				c.Edge, c.Rule.Over[0])
		}
	}
}

// weights prints the path of the file with the weights of the best run, if --save-weights was given, and copies it to
// the file that the flag names.
func (r *printer) weights(w io.Writer, result *harness.Result) {
	if r.saved == "" {
		return
	}
	path, err := result.BestWeights()
	if err != nil {
		if len(result.Failed()) == 0 { // failed runs, if any, are the cause, and are reported already
			r.faults.Add(term.Exit(term.ExitFailed, "--save-weights: %w", err))
		}
		return
	}
	if r.saved != besideTraces {
		if err := copyFile(path, r.saved); err != nil {
			r.faults.Add(fmt.Errorf("--save-weights: %w", err))
			return
		}
		path = r.saved
	}
	fmt.Fprintf(w, "weights %s\n", path)
}

// close returns the faults of all experiments. In the format csv, it first prints the table of runs, which all
// experiments share.
func (r *printer) close() error {
	if r.format == "csv" && len(r.summaries) > 0 {
		if err := term.Objects(r.sys.out, "csv", r.summaries); err != nil {
			r.faults.Add(err)
		}
	}
	return r.faults.Err()
}

// runs prints a table of the runs, one per line.
func (r *printer) runs(result *harness.Result) {
	switch r.format {
	case "json":
		r.faults.Add(term.Objects(r.sys.out, "json", summariesOf(result)))
	case "csv":
		r.summaries = append(r.summaries, summariesOf(result)...)
	case "md":
		if r.printed > 0 {
			fmt.Fprintln(r.sys.out)
		}
		fmt.Fprintf(r.sys.out, "## %s\n\n%s\n\n", title(result.Spec, term.Colours{}), caption(result))
		lines, _ := runTable(result)
		r.faults.Add(lines.Markdown(r.sys.out))
	default:
		c := r.sys.coloursOf(r.sys.out)
		if r.printed > 0 {
			fmt.Fprintln(r.sys.out)
		}
		fmt.Fprintf(r.sys.out, "%s\n%s\n\n", title(result.Spec, c), c.Faint(caption(result)))
		lines, losers := runTable(result)
		r.faults.Add(term.Lines(r.sys.out, c, "  ", lines))
		if losers > 0 {
			fmt.Fprintf(r.sys.out, "  %s\n", c.Faint("and "+amount.Count(losers, "candidate")+" that were not chosen"))
		}
		fmt.Fprintln(r.sys.out)
	}
	r.printed++
}

// table prints the table of an experiment, if it has one.
func (r *printer) table(w io.Writer, result *harness.Result) {
	if result.Spec.Table == nil {
		return
	}
	t, err := result.Table()
	if err != nil {
		r.faults.Add(term.Usage("%s: %w", result.Spec.ID, err))
		return
	}
	r.faults.Add(term.Lines(w, r.sys.coloursOf(w), "", t.Lines()))
	fmt.Fprintln(w)
	r.sys.notes(result.Spec.ID, t.Warnings)
}

// claims prints the verdicts of an experiment, if it has claims.
func (r *printer) claims(w io.Writer, result *harness.Result) {
	if len(result.Spec.Claims) == 0 {
		return
	}
	verdicts, err := result.Claims()
	if err != nil {
		r.faults.Add(term.Usage("%w", err))
	}
	term.Verdicts(w, r.sys.coloursOf(w), result.Spec.Claims, verdicts)
	fmt.Fprintln(w)
	r.faults.Add(shortfall(verdicts))
}

// shortfall returns an error that lists the claims that were not reproduced; nil if there are none.
func shortfall(verdicts []claims.Verdict) error {
	var short []string
	for _, v := range verdicts {
		if v.Verdict == claims.NotReproduced {
			short = append(short, v.Experiment+"/"+v.Claim)
		}
	}
	if len(short) == 0 {
		return nil
	}
	return term.Exit(term.ExitShort, "not reproduced: %s", strings.Join(short, ", "))
}

// figure draws the figure of an experiment, if it has one, and prints its path.
func (r *printer) figure(w io.Writer, result *harness.Result) {
	if result.Spec.Figure == nil {
		return
	}
	if result.Whole() != nil { // some runs have no result; the method failures reports those that failed
		draw := strings.Replace(result.Command(), "gaplab run", "gaplab plot", 1)
		r.sys.note("%s: only %s have a result; draw them with `%s --partial`", result.Spec.ID, result.Set.Share(), draw)
		return
	}
	fig, err := result.Figure()
	if err != nil {
		if len(result.Failed()) == 0 { // failed runs, if any, caused the error; they are reported already
			r.faults.Add(term.Usage("%s: figure: %w", result.Spec.File, err))
		}
		return
	}
	r.sys.notes(result.Spec.ID, without(fig.Warnings, reasonsOf(result))) // the method add has printed the reasons
	path := r.selection.figureFile(result.Spec, "svg")
	if err := saveFigure(fig, path); err != nil {
		r.faults.Add(fmt.Errorf("%s: %w", result.Spec.ID, err))
		return
	}
	fmt.Fprintf(w, "figure  %s\n", path)
}
