package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/ci"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/internal/tabular"
)

// checkVerb is the command gaplab check with its flags.
type checkVerb struct {
	sys     system
	runner  runner
	format  *term.Choice
	exact   bool
	seeds   bool
	shipped *shipped.Results // references in the program; nil with --against
	against string
	out     string
	junit   string
	summary string
	figure  string
	github  bool
	screen  sync.Mutex // held while the progress is printed
}

func newCheck(sys system) *cobra.Command {
	v := &checkVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "check [ID...]",
		Short: "Compare the convergence curves with their references",
		Long: `Run the smoke scale of experiments (all, unless some are named) and compare each
curve with its reference, in every column except clocks: passes and oracle
calls, primal, dual and gap, the work to reach each gap, metrics, and columns of
the solvers. Differences within the tolerances of docs/GATE.md are accepted.
With --exact, every row must be the same, bit by bit. The references are those
in results/smoke or, outside of a checkout, those in the program.

The exit code is 1 if a curve moved, is missing or has no reference, or if a
reference belongs to no experiment. It is 4 if an experiment has no readable
reference.

In GitHub Actions, the command also writes an annotation for each curve that
moved, and the summary of the step.`,
		Example: "  gaplab check\n  gaplab check eg/fig06 eg/fig07\n" +
			"  gaplab check mine.yaml --exact --junit gate.xml --figure moved",
		ValidArgsFunction: completeExperiments,
		RunE:              func(cmd *cobra.Command, args []string) error { return v.run(cmd, args) },
	}
	v.format = term.AddFormat(cmd)
	flags := cmd.Flags()
	v.runner.addTo(flags)
	flags.BoolVar(&v.exact, "exact", false, "compare every column except clocks, bit by bit")
	flags.BoolVar(&v.seeds, "seeds", false,
		"if a curve moved, compare the work of all its seeds as a distribution")
	flags.StringVar(&v.against, "against", "",
		"take the references from this git `revision` or folder instead of results")
	flags.StringVar(&v.out, "out", "",
		"keep the runs in this `folder`; results/runs is where other commands and notebooks find them")
	flags.StringVar(&v.junit, "junit", "", "write the outcome of each curve to this `file` as JUnit XML")
	flags.StringVar(&v.summary, "summary", "", "write a summary in Markdown to this `file`")
	flags.StringVar(&v.figure, "figure", "", "draw each curve that moved, with its reference, into this `folder`")
	flags.BoolVar(&v.github, "github", false, "write annotations for GitHub Actions to standard error")
	return cmd
}

func (v *checkVerb) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if err := v.runner.check(); err != nil {
		return err
	}
	found, err := namedOrAll(args)
	if err != nil {
		return err
	}
	root, drop, err := referencesOf(v.against, lang.ScaleSmoke)
	if err != nil {
		return err
	}
	defer drop()
	if v.against == "" {
		v.shipped = v.sys.shipped(cmd)
	}
	if v.out == "" { // one folder for all experiments, so that they can share runs
		if v.out, err = os.MkdirTemp("", "gaplab-check-"); err != nil {
			return err
		}
		defer os.RemoveAll(v.out)
	}
	var list term.Faults
	suites := v.all(ctx, found, root)
	for _, s := range suites {
		if ctx.Err() == nil || !errors.Is(s.Err, context.Cause(ctx)) {
			list.Add(s.Err)
		}
	}
	list.Add(context.Cause(ctx))
	if len(args) == 0 && v.against == "" {
		orphans, err := baseline.Orphans(found, harness.Options{Root: root})
		list.Add(err)
		for _, o := range orphans {
			suites = append(suites, ci.Suite{Experiment: o.Experiment, Curves: []gate.Comparison{o}})
		}
	}
	list.Add(v.print(suites))
	list.Add(v.report(suites))
	if moved, all := ci.Moved(suites); moved > 0 {
		list.Add(term.Exit(term.ExitShort, "%d of %d curves moved; %s", moved, all, ci.WhatToDo(suites)))
	}
	return list.Err()
}

// annotated returns the path of the spec's file, for annotations of GitHub. If there is no such file here, it returns
// "".
func annotated(e *harness.Experiment) string {
	if _, err := os.Stat(e.Name); err != nil {
		return ""
	}
	return filepath.ToSlash(e.Name)
}

// all compares the curves of experiments with the references below root. After ctx has ended, it starts no further
// experiment. Two experiments are in progress at a time, so that no processor is idle while the last run of an
// experiment ends. Together they have at most v.runner.workers runs in progress.
func (v *checkVerb) all(ctx context.Context, found []*harness.Experiment, root string) []ci.Suite {
	suites := make([]ci.Suite, len(found))
	ended := make([]atomic.Bool, len(found))
	turns := semaphore.NewWeighted(int64(v.runner.workers))
	var g errgroup.Group
	g.SetLimit(min(2, v.runner.workers))
	for i, e := range found {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil
			}
			first := func() bool { // whether e is the first experiment in progress
				for before := range i {
					if !ended[before].Load() {
						return false
					}
				}
				return true
			}
			o := harness.Options{Root: root, Exact: v.exact, OverSeeds: v.seeds, Out: v.out, Turns: turns, Shipped: v.shipped}
			compared, err := v.one(ctx, e, o, first)
			ended[i].Store(true)
			suites[i] = ci.Suite{Experiment: e.ID, Argument: e.Argument(), File: annotated(e), Curves: compared, Err: err}
			return nil
		})
	}
	_ = g.Wait() // the errors are in the suites
	return slices.DeleteFunc(suites, func(s ci.Suite) bool { return s.Experiment == "" })
}

// one compares the curves of one experiment with their references. A terminal has only one line for the progress of all
// experiments, so there one shows progress only while first returns true.
func (v *checkVerb) one(ctx context.Context, e *harness.Experiment, o harness.Options, first func() bool) (
	[]gate.Comparison, error) {
	s, err := e.At("smoke", nil)
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	plan, err := s.Plan()
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	progress := newProgress(v.sys, e.ID, plan)
	progress.Shares()
	o.OnEvent = func(event schedule.Event) {
		v.screen.Lock()
		defer v.screen.Unlock()
		if event.Kind == schedule.Noted || !term.IsTerminal(v.sys.err) || first() {
			progress.Event(event)
		}
	}
	defer func() {
		v.screen.Lock()
		defer v.screen.Unlock()
		progress.Close()
	}()
	return harness.Check(ctx, []*harness.Experiment{e}, v.runner.options(v.sys, false, o))
}

// print prints the outcome of each curve.
func (v *checkVerb) print(suites []ci.Suite) error {
	all := []gate.Comparison{}
	lines := &tabular.Listing{Head: []string{"experiment", "curve", "verdict", "what moved"}}
	for _, s := range suites {
		var stale []string
		for _, c := range s.Curves {
			all = append(all, c)
			verdict := "ok"
			if !c.OK {
				verdict = "moved"
			} else if c.Stale != "" && !slices.Contains(stale, c.Stale) {
				stale = append(stale, c.Stale)
			}
			lines.Add(c.Experiment, c.Curve, verdict, c.Message)
		}
		if len(stale) > 0 {
			v.sys.note("%s: its references were made by other revisions, but the curves are the same: %s", s.Experiment,
				strings.Join(stale, "; "))
		}
	}
	if len(all) == 0 && v.format.Value == "text" {
		return nil
	}
	colours := v.sys.coloursOf(v.sys.out)
	// Lines are not cut to the width of the terminal, since messages end with the size of the change.
	if v.format.Value == "text" {
		return lines.Text(v.sys.out, tabular.Layout{Sparse: true, Paint: colours.Outcome})
	}
	return term.Results(v.sys.out, colours, v.format.Value, all, lines)
}

// report writes the files and annotations that a build server shows.
func (v *checkVerb) report(suites []ci.Suite) error {
	var list term.Faults
	if v.figure != "" {
		list.Add(v.draw(suites))
	}
	if v.junit != "" {
		list.Add(written(v.junit, ci.JUnit(suites), os.O_TRUNC))
	}
	if v.github || v.sys.getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprint(v.sys.err, ci.Annotations(suites))
	}
	if v.summary != "" {
		list.Add(written(v.summary, ci.Markdown(suites), os.O_TRUNC))
	} else if file := v.sys.getenv("GITHUB_STEP_SUMMARY"); file != "" {
		list.Add(written(file, ci.Markdown(suites), os.O_APPEND))
	}
	return list.Err()
}

// draw draws each curve that differs from its reference into a file FOLDER/PAPER/ITEM-NUMBER.svg, and prints the file's
// name.
func (v *checkVerb) draw(suites []ci.Suite) error {
	for _, s := range suites {
		for i, c := range s.Curves {
			fig, ok := gate.Figure(c)
			if c.OK || !ok {
				continue
			}
			path := filepath.Join(v.figure, filepath.FromSlash(s.Experiment)+fmt.Sprintf("-%d.svg", i+1))
			if err := saveFigure(fig, path); err != nil {
				return err
			}
			v.sys.note("%s, %s: %s", s.Experiment, c.Curve, path)
		}
	}
	return nil
}
