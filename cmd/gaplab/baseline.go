package main

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/internal/tabular"
	"github.com/gaplab/gaplab/results"
)

func newBaseline(sys system) *cobra.Command {
	cmd := group(&cobra.Command{Use: "baseline", Short: "Update or compare the results that the repository keeps"})
	cmd.AddCommand(newBaselineUpdate(sys), newBaselineDiff(sys), newBaselineArchive(sys))
	return cmd
}

// baselineVerb is the command gaplab baseline update with its flags.
type baselineVerb struct {
	sys        system
	runner     runner
	scale      *term.Choice
	because    string
	allowDirty bool
	dryRun     bool
	from       string
}

func newBaselineUpdate(sys system) *cobra.Command {
	v := &baselineVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "update [ID...]",
		Short: "Write references for gaplab check, or copies of finished runs",
		Long: `At scale smoke, run the experiments (all, unless some are named) and write the
references of gaplab check to results/smoke. At other scales, thin the finished
runs to a few hundred rows per curve and write them, with the figures as SVG, to
results/<scale>, where plot and claims find them. Kept results of other runs of
the experiment stay. There is one file for each experiment and scale; it is not
written if its runs are the same.

First the command lists the curves that differ from the kept ones. It shows the
first point outside the tolerances of the gate with its old value, and the ratio
of the new work to the old work to reach the gap of the last row. Commit changes
of the sources first, so that the manifests can name the code that made the
results.

With --from, the finished runs are those in this folder, such as the folder of
gaplab reproduce. They must be of a program without uncommitted changes, whose
commit is in the history of the checkout. The record of the edition goes into
results/<scale>/edition.json, with these experiments.`,
		Example: "  gaplab baseline update eg/fig06 --because 'steps are tried twice'\n" +
			"  gaplab baseline update 'eg/*' --scale paper --from editions/may",
		ValidArgsFunction: completeExperiments,
		RunE:              v.run,
	}
	v.scale = addResultsScale(cmd)
	flags := cmd.Flags()
	v.runner.addTo(flags)
	flags.StringVar(&v.because, "because", "", "why the curves moved; the manifests keep this `text`")
	flags.BoolVar(&v.allowDirty, "allow-dirty", false, "accept results of sources that are not committed")
	flags.BoolVar(&v.dryRun, "dry-run", false, "list what would change; write nothing")
	flags.StringVar(&v.from, "from", "", "take the finished runs from this `folder` instead of results/runs")
	return cmd
}

func (v *baselineVerb) run(cmd *cobra.Command, args []string) error {
	if err := v.runner.check(); err != nil {
		return err
	}
	if commit, dirty := origin.Revision(); dirty && !v.allowDirty && !v.dryRun {
		return term.Usage("the sources have changed since commit %s: commit them first, so that the manifests name the code "+
			"that made the results, or use --allow-dirty", short(commit))
	}
	if v.from != "" && v.scale.Value == lang.ScaleSmoke {
		return term.Usage("--from needs --scale quick or paper: at scale smoke the experiments are run")
	}
	found, err := namedOrAll(args)
	if err != nil {
		return err
	}
	var list term.Faults
	var updated []string
	for _, e := range found {
		if cmd.Context().Err() != nil {
			break
		}
		err := v.one(cmd, e)
		if list.Add(err); err == nil {
			updated = append(updated, e.ID)
		}
	}
	if v.from != "" && !v.dryRun && len(updated) > 0 {
		left, err := edition.Adopt(v.from, filepath.Join(resultsFolder(), v.scale.Value), updated)
		list.Add(err)
		for _, id := range left {
			v.sys.note("%s is no longer in the record of the edition: %s has begun to make it again", id, v.from)
		}
	}
	if file := filepath.Join(resultsFolder(), results.SumFile); !v.dryRun && isFile(file) {
		_, err := writeSum(resultsFolder())
		list.Add(err)
	}
	return list.Err()
}

// short returns the first digits of a commit's hash.
func short(commit string) string { return commit[:min(len(commit), 12)] }

// one updates the references or kept results of one experiment.
func (v *baselineVerb) one(cmd *cobra.Command, e *harness.Experiment) error {
	s, err := e.At(v.scale.Value, nil)
	if err != nil {
		return term.Usage("%w", err)
	}
	plan, err := s.Plan()
	if err != nil {
		return term.Usage("%w", err)
	}
	progress := newProgress(v.sys, e.ID, plan)
	defer progress.Close()
	o := v.runner.options(v.sys, false, harness.Options{Root: resultsFolder(), Out: v.from, OnEvent: progress.Event})
	made, err := baseline.New(cmd.Context(), e, v.scale.Value, o, v.because)
	if err != nil {
		return err
	}
	if v.from != "" && !v.allowDirty {
		if err := made.Check(inHistory); err != nil {
			return term.Usage("%w; make them with a program built at a commit, or use --allow-dirty", err)
		}
	}
	if err := v.show(made); err != nil || v.dryRun {
		return err
	}
	written, err := made.Write()
	for _, path := range written {
		fmt.Fprintln(v.sys.out, path)
	}
	if err != nil || v.scale.Value == lang.ScaleSmoke || s.Figure == nil {
		return err
	}
	return v.draw(e, s)
}

// show lists, on standard error, the new curves that differ from those in the repository.
func (v *baselineVerb) show(b *baseline.Baseline) error {
	lines := &tabular.Listing{Head: []string{"experiment", "curve", "verdict", "work", "what moved"},
		Right: []string{"work"}}
	same := 0
	for _, c := range b.Curves {
		if c.Same {
			same++
			continue
		}
		lines.Add(c.Experiment, c.Curve, verdictOf(c), work(c.Comparison), cmp.Or(c.Message, "within the tolerances"))
	}
	if len(lines.Rows) == 0 {
		return nil
	}
	err := lines.Text(v.sys.err, tabular.Layout{Sparse: true, Paint: v.sys.coloursOf(v.sys.err).Outcome})
	v.sys.note("%s: %d of %d curves are the same", b.Experiment, same, len(b.Curves))
	return err
}

// verdictOf returns the word for a curve in the column verdict: new, gone, moved (differs beyond the tolerances), or
// digits (differs within them).
func verdictOf(c baseline.Change) string {
	switch {
	case c.Reference == nil:
		return "new"
	case c.Fresh == nil:
		return "gone"
	case c.OK:
		return "digits"
	}
	return "moved"
}

// work formats the ratio c.Work: the passes that the new curve needs to reach a gap, divided by the passes that the old
// curve needs. If the ratio is not known, work returns "".
func work(c gate.Comparison) string {
	if c.Work == 0 {
		return ""
	}
	return fmt.Sprintf("× %.3g", c.Work)
}

// draw draws the figure of the kept results, into their folder.
func (v *baselineVerb) draw(e *harness.Experiment, s *lang.Spec) error {
	result, err := harness.Read(s, harness.Options{Root: resultsFolder(), Kept: true})
	if err != nil {
		return err
	}
	fig, err := result.Figure()
	if err != nil {
		return err
	}
	path := filepath.Join(resultsFolder(), v.scale.Value, filepath.FromSlash(e.ID)+".svg")
	if err := saveFigure(fig, path); err != nil {
		return err
	}
	fmt.Fprintln(v.sys.out, path)
	return nil
}
