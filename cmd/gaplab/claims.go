package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

func newClaims(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "claims [ID...]",
		Short: "Check claims against existing results",
		Long: `Check the claims of experiments against the results of earlier runs, or those
that come with gaplab, of all experiments if none is named. Nothing is run. If
there are several experiments, a table at the end counts the verdicts. A claim
is reproduced or not-reproduced. It is not-testable for a reason that is
printed, and not-measured if it is about CPU time and the rows have none: they
are old, or the system has no such clock.

A claim about times is judged in each repetition of its runs (repeat: {times: 5}
in the spec). It is a tie if it holds in some and fails in others, for medians
too. It is not-testable if the times were measured on different machines, or by
different processes.

If its budget ended a run, the times and counts of the run are lower bounds,
written ≥. A claim that these bounds do not decide is not-testable.

A claim is also not-measured if it reads a run without a result: its trace is
missing, damaged or of an older revision than the others, or the run failed or
was interrupted. If a run has no result, the exit code is 4, even if no claim
reads this run. With --partial, the claims are judged on the other runs, and a
note marks them.

` + shippedHelp + `

The exit code is 1 if a claim is not reproduced.`,
		Example: "  gaplab claims eg/fig06 --scale paper\n  gaplab claims 'eg/*' --format json\n" +
			"  gaplab claims --scale paper",
	}
	selection := addSelection(cmd).ship(sys, cmd)
	selection.addPartial(cmd)
	format := term.AddFormat(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		specs, err := selection.specs(cmd.Context(), args)
		if err != nil {
			return err
		}
		var list term.Faults
		var all []claims.Verdict
		printed, without := 0, 0
		var lacks error // why the first experiment without results has none
		ended := inParallel(specs, func(s *lang.Spec) judgement { return judge(s, selection) })
		for i, s := range specs {
			j := <-ended[i]
			result, verdicts := j.result, j.verdicts
			if len(args) == 0 && errors.Is(j.err, harness.ErrNoResults) {
				without++
				lacks = cmp.Or(lacks, j.err)
				continue
			}
			list.Add(j.err)
			list.Add(shortfall(verdicts))
			list.Add(lacking(result, verdicts))
			sys.noteLeft(result)
			all = append(all, verdicts...)
			if format.Value == "text" && len(verdicts) > 0 {
				if printed++; printed > 1 {
					fmt.Fprintln(sys.out)
				}
				c := sys.coloursOf(sys.out)
				fmt.Fprintf(sys.out, "%s\n%s\n", title(result.Spec, c), c.Faint(caption(result)))
				term.Verdicts(sys.out, c, s.Claims, verdicts)
			}
		}
		if format.Value == "text" && printed > 1 {
			fmt.Fprintln(sys.out)
			_, papers := edition.Compare(all, all)
			list.Add(countsOf(papers).Text(sys.out, tabular.Layout{Width: helpWidth}))
		}
		if without > 0 {
			sys.note("%s without results at this scale: not judged", amount.Count(without, "experiment"))
			if len(all) == 0 {
				list.Add(lacks)
			}
		}
		list.Add(printClaims(sys, format.Value, all))
		return list.Err()
	}
	return cmd
}

// lacking returns an error if a planned run of the experiment has no result. If only runs of other experiments are
// missing, the error lists the claims that read these runs. There is no error if result is nil or with --partial.
func lacking(result *harness.Result, verdicts []claims.Verdict) error {
	if result == nil || result.Set.Partial {
		return nil
	}
	if err := result.Whole(); err != nil {
		return advised(err)
	}
	var names []string
	for _, v := range verdicts {
		if v.Lacking {
			names = append(names, v.Experiment+"/"+v.Claim)
		}
	}
	if names == nil {
		return nil
	}
	return term.Exit(term.ExitMissing, "claims not measured, because they read runs without a result: %s",
		strings.Join(names, ", "))
}

// judgement has the result and the verdicts of one experiment.
type judgement struct {
	result   *harness.Result
	verdicts []claims.Verdict
	err      error
}

// judge decides the claims of one experiment. If the experiment has no claims, there are neither a result nor verdicts.
func judge(s *lang.Spec, selection *selection) (j judgement) {
	if len(s.Claims) == 0 {
		return j
	}
	result, err := harness.Read(s, selection.folders())
	if err != nil {
		return judgement{err: err}
	}
	j.result = result
	if j.verdicts, err = result.Claims(); err != nil {
		j.err = term.Usage("%w", err)
	}
	return j
}

// inParallel calls f for each item, as many at a time as there are processors. The channel of an item gets its value.
func inParallel[T, V any](items []T, f func(T) V) []chan V {
	out := make([]chan V, len(items))
	for i := range out {
		out[i] = make(chan V, 1)
	}
	go func() {
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, item := range items {
			g.Go(func() error {
				out[i] <- f(item)
				return nil
			})
		}
	}()
	return out
}

// printClaims prints verdicts in a format other than text.
func printClaims(sys system, format string, all []claims.Verdict) error {
	switch format {
	case "json", "csv":
		return term.Objects(sys.out, format, all)
	case "md":
		lines := &tabular.Listing{Head: []string{"claim", "verdict", "measured", "asserted", "why"}}
		for _, v := range all {
			lines.Add(v.Experiment+"/"+v.Claim, string(v.Verdict), v.Measured, code(v.Asserted), v.Why)
		}
		return lines.Markdown(sys.out)
	}
	return nil
}

// code formats an expression as inline code in Markdown.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
