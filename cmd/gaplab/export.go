package main

import (
	"encoding/json"
	"maps"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/cluster/k8s"
	"github.com/gaplab/gaplab/harness/trace"
)

func newExport(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export ID...",
		Short: "Print the rows of results as CSV",
		Long: `Print every row of the results of experiments as one CSV table in long form:
the labels of the run, then the columns of the row. gaplab export k8s prints a
campaign instead.

If a run has no result (its trace is missing, damaged or of an older revision
than the others, or the run failed or was interrupted), the rows of its
experiment are not printed, and the exit code is 4. With --partial, the rows
that exist are printed, and a note on standard error tells of how many runs.`,
		Example: "  gaplab export eg/fig06 > fig06.csv",
		Args:    atLeastOne("an experiment; `gaplab list` lists them"),
	}
	cmd.AddCommand(newExportK8s(sys))
	selection := addSelection(cmd).ship(sys, cmd)
	selection.addPartial(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		specs, err := selection.specs(cmd.Context(), args)
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
			if err := result.Whole(); err != nil {
				list.Add(advised(err))
				continue
			}
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

func newExportK8s(sys system) *cobra.Command {
	var where campaigns
	var o k8s.Options
	cmd := &cobra.Command{
		Use:   "k8s [CAMPAIGN]",
		Short: "Print a campaign as jobs for Kubernetes",
		Long: `Print a campaign, planned by gaplab run --launcher none, as jobs for Kubernetes:
a List in JSON, for kubectl apply -f, with an Indexed Job for each array of
tasks. A job that needs the results of other jobs is suspended. Its annotation
gaplab/after names these jobs: resume it when they have ended.

` + campaignArgument + `

The folder of the runs must be a volume that many nodes can write. The image
must contain the program that planned the campaign. docs/CLUSTER.md shows both.`,
		Example: "  gaplab export k8s --image registry.example.org/gaplab --claim runs > jobs.json",
		Args:    between(0, 1),
	}
	where.addTo(cmd.Flags())
	cmd.Flags().StringVar(&o.Image, "image", "", "name of the `image` with the program in a registry (required)")
	cmd.Flags().StringVar(&o.Claim, "claim", "", "persistent volume `claim` for the folder of the runs (required)")
	cmd.Flags().StringVar(&o.Mount, "mount", "/runs", "`path` of the folder of the runs in a pod")
	cmd.Flags().StringVar(&o.DataClaim, "data-claim", "", "persistent volume `claim` for the data sets (GAPLAB_DATA)")
	cmd.Flags().IntVar(&o.AtOnce, "at-once", 0, "largest number of `pods` at a time (default: the limit of the cluster)")
	cmd.Flags().BoolVar(&o.Offline, "offline", false, "never download data")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		g, err := where.find(args)
		if err != nil {
			return err
		}
		list, err := k8s.Jobs(g, o)
		if err != nil {
			return term.Usage("export k8s: %w; see: gaplab export k8s --help", err)
		}
		out := json.NewEncoder(sys.out)
		out.SetIndent("", "  ")
		return out.Encode(list)
	}
	return cmd
}
