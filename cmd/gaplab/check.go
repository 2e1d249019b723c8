package main

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/internal/tabular"
)

// checkVerb is gaplab check.
type checkVerb struct {
	sys     system
	format  *term.Choice
	workers int
	exact   bool
}

func newCheck(sys system) *cobra.Command {
	v := &checkVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "check [ID...]",
		Short: "Compare the convergence curves with their references",
		Long: `Run the smoke scale of experiments (all, unless some are named) and compare each
curve with its reference in results/smoke: passes, oracle calls, primal and
dual, which do not depend on the machine. With --exact, every column but clocks
must be the same, bit by bit, in all rows. The exit code is 1 if a curve moved,
and 4 if an experiment has no reference that can be read.`,
		Example:           "  gaplab check\n  gaplab check eg/fig06 eg/fig07",
		ValidArgsFunction: completeExperiments,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	v.format = term.AddFormat(cmd)
	cmd.Flags().IntVarP(&v.workers, "workers", "j", runtime.GOMAXPROCS(0), "runs at a time; results do not depend on it")
	cmd.Flags().BoolVar(&v.exact, "exact", false, "compare every column but clocks, bit by bit")
	return cmd
}

func (v *checkVerb) run(ctx context.Context, args []string) error {
	if v.workers < 1 {
		return term.Usage("-j %d is out of range; accepted: 1 or more", v.workers)
	}
	found, err := namedOrAll(args)
	if err != nil {
		return err
	}
	var list term.Faults
	all := []harness.Comparison{}
	for _, e := range found {
		if ctx.Err() != nil {
			list.Add(context.Cause(ctx))
			break
		}
		compared, err := v.one(ctx, e)
		all = append(all, compared...)
		list.Add(err)
	}
	list.Add(v.print(all))
	moved := 0
	for _, c := range all {
		if !c.OK {
			moved++
		}
	}
	if moved > 0 {
		list.Add(term.Exit(term.ExitShort, "%d of %d curves moved; %s", moved, len(all), whatToDo(all)))
	}
	return list.Err()
}

// whatToDo says how curves that moved are accepted. A change that moves a bit of a trace raises a revision: of one of
// those parts whose code has changed in all curves that moved, if there are such.
func whatToDo(all []harness.Comparison) string {
	var changed []string
	first := true
	for _, c := range all {
		if c.OK {
			continue
		}
		if first {
			changed, first = c.Changed, false
		}
		changed = slices.DeleteFunc(slices.Clone(changed), func(p string) bool { return !slices.Contains(c.Changed, p) })
	}
	if len(changed) == 0 {
		return "if that is intended: gaplab baseline update"
	}
	return "if that is intended, raise the revision of " + strings.Join(changed, " or ") +
		", whose code has changed, then: gaplab baseline update"
}

func (v *checkVerb) one(ctx context.Context, e *harness.Experiment) ([]harness.Comparison, error) {
	s, err := e.At("smoke", nil)
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	plan, err := s.Plan()
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	progress := newProgress(v.sys, e.ID, plan)
	defer progress.Close()
	options := []harness.Option{harness.Root(resultsFolder()), harness.Workers(v.workers),
		harness.Source(v.sys.source(false)), harness.OnEvent(progress.Event)}
	if v.exact {
		options = append(options, harness.Exact())
	}
	return harness.Check(ctx, []*harness.Experiment{e}, options...)
}

func (v *checkVerb) print(all []harness.Comparison) error {
	if len(all) == 0 && v.format.Value == "text" {
		return nil
	}
	lines := &tabular.Table{Head: []string{"experiment", "curve", "verdict", "what moved"}}
	for _, c := range all {
		verdict := "ok"
		if !c.OK {
			verdict = "moved"
		}
		lines.Add(c.Experiment, c.Curve, verdict, c.Message)
	}
	colours := v.sys.coloursOf(v.sys.out)
	if v.format.Value == "text" { // in full, whatever the width: what moved ends with the size of the move
		return lines.Text(v.sys.out, tabular.Layout{Sparse: true, Paint: colours.Outcome})
	}
	return term.Results(v.sys.out, colours, v.format.Value, all, lines)
}
