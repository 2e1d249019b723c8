package main

import (
	"maps"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
)

func newExport(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export ID...",
		Short: "Print the rows of results as CSV",
		Long: `Print every row of the results of experiments as one CSV table in long form:
the labels of the run, then the columns of the row. gaplab export k8s prints a
campaign instead.`,
		Example: "  gaplab export eg/fig06 > fig06.csv",
		Args:    atLeastOne("an experiment; `gaplab list` lists them"),
	}
	cmd.AddCommand(newExportK8s(sys))
	selection := addSelection(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		specs, err := selection.specs(args)
		if err != nil {
			return err
		}
		var list term.Faults
		all := &trace.Set{}
		for _, s := range specs {
			result, err := harness.Read(s, selection.folders())
			if err != nil {
				list.Add(err)
				continue
			}
			sys.noteLeft(result)
			for _, c := range result.Set.Curves {
				named := *c
				named.Labels = maps.Clone(c.Labels)
				named.Labels["experiment"] = s.ID
				all.Curves = append(all.Curves, &named)
			}
		}
		if len(all.Curves) > 0 {
			list.Add(trace.WriteCSV(sys.out, all))
		}
		return list.Err()
	}
	return cmd
}
