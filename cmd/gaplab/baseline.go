package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

func newBaseline(sys system) *cobra.Command {
	cmd := group(&cobra.Command{Use: "baseline", Short: "Keep results in the repository"})
	cmd.AddCommand(newBaselineUpdate(sys))
	return cmd
}

func newBaselineUpdate(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "update [ID...]",
		Short: "Write references for gaplab check, or copies of finished runs",
		Long: `At scale smoke, run the experiments (all, unless some are named) and write to
results/smoke the references that gaplab check compares with. At other scales,
thin the finished runs to a few hundred rows per curve and write them to
results/<scale>, where plot and claims find them, with the figures as SVG;
what is kept of other runs of the experiment stays. There is one file for
each experiment and scale, which is left alone if its runs are the same.`,
		Example:           "  gaplab baseline update eg/fig06\n  gaplab baseline update 'eg/*' --scale paper",
		ValidArgsFunction: completeExperiments,
	}
	scale := &term.Choice{Value: lang.ScaleSmoke, Accepted: []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper}}
	scale.AddTo(cmd, "scale", "which results")
	workers := cmd.Flags().IntP("workers", "j", runtime.GOMAXPROCS(0), "runs at a time; results do not depend on it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *workers < 1 {
			return term.Usage("-j %d is out of range; accepted: 1 or more", *workers)
		}
		found, err := namedOrAll(args)
		if err != nil {
			return err
		}
		var list term.Faults
		for _, e := range found {
			if cmd.Context().Err() != nil {
				break
			}
			list.Add(updateBaseline(cmd, sys, e, scale.Value, *workers))
		}
		return list.Err()
	}
	return cmd
}

func updateBaseline(cmd *cobra.Command, sys system, e *harness.Experiment, scale string, workers int) error {
	s, err := e.At(scale, nil)
	if err != nil {
		return term.Usage("%w", err)
	}
	plan, err := s.Plan()
	if err != nil {
		return term.Usage("%w", err)
	}
	progress := newProgress(sys, e.ID, plan)
	defer progress.Close()
	written, err := harness.UpdateBaseline(cmd.Context(), []*harness.Experiment{e}, scale, harness.Root(resultsFolder()),
		harness.Workers(workers), harness.Source(sys.source(false)), harness.OnEvent(progress.Event))
	for _, path := range written {
		fmt.Fprintln(sys.out, path)
	}
	if err != nil || scale == lang.ScaleSmoke || s.Figure == nil {
		return err
	}
	result, err := harness.Read(s, harness.Root(resultsFolder()), harness.Kept())
	if err != nil {
		return err
	}
	fig, err := result.Figure()
	if err != nil {
		return err
	}
	path := filepath.Join(resultsFolder(), scale, filepath.FromSlash(e.ID)+".svg")
	if err := saveFigure(fig, path); err != nil {
		return err
	}
	fmt.Fprintln(sys.out, path)
	return nil
}
