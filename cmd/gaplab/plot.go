package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/plots"
)

// plotVerb is the command gaplab plot with its flags.
type plotVerb struct {
	sys       system
	selection *selection
	format    *term.Choice
	as        []string
}

// drawn is one line of gaplab plot --format json.
type drawn struct {
	Experiment string `json:"experiment"`
	Scale      string `json:"scale"`
	Figure     string `json:"figure"`         // path of the figure
	Runs       string `json:"runs,omitempty"` // how many runs have a result, such as "3 of 4 runs"; "" if all have one
}

func newPlot(sys system) *cobra.Command {
	v := &plotVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "plot ID...",
		Short: "Draw figures and print tables from existing results",
		Long: `Draw the figures of experiments and print their tables, from the results of
earlier runs or from those that come with gaplab. Nothing is run.

The paths of the figures are printed to standard output.

If a run has no result (its trace is missing, damaged or of an older revision
than the others, or the run failed or was interrupted), nothing is drawn, and
the exit code is 4. With --partial, the other runs are drawn, and the caption
tells how many they are.

` + shippedHelp,
		Example: "  gaplab plot eg/fig06 --as svg,png\n  gaplab plot eg/tab2 --scale paper --format md",
		Args:    atLeastOne("an experiment; `gaplab list` lists them"),
		RunE:    v.run,
	}
	v.selection = addSelection(cmd).ship(v.sys, cmd)
	v.selection.addPartial(cmd)
	v.format = term.AddFormat(cmd, "latex")
	cmd.Flags().StringSliceVar(&v.as, "as", []string{"svg"},
		"formats of the figures: "+strings.Join(plots.Formats(), ", "))
	if err := cmd.RegisterFlagCompletionFunc("as",
		cobra.FixedCompletions(plots.Formats(), cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("gaplab: flag as: " + err.Error()) // impossible: the flag is defined above
	}
	return cmd
}

func (v *plotVerb) run(cmd *cobra.Command, args []string) error {
	for _, f := range v.as {
		if !slices.Contains(plots.Formats(), f) {
			return term.Usage("--as %q; accepted: %s", f, strings.Join(plots.Formats(), ", "))
		}
	}
	specs, err := v.selection.specs(cmd.Context(), args)
	if err != nil {
		return err
	}
	var list term.Faults
	for _, s := range specs {
		list.Add(v.one(s))
	}
	return list.Err()
}

// one prints the table and draws the figure of one experiment.
func (v *plotVerb) one(s *lang.Spec) error {
	if s.Figure == nil && s.Table == nil {
		return term.Usage("%s has neither a figure nor a table", s.ID)
	}
	result, err := harness.Read(s, v.selection.folders())
	if err != nil {
		return err
	}
	v.sys.noteLeft(result)
	if err := result.Whole(); err != nil {
		return advised(err)
	}
	if s.Table != nil {
		t, err := result.Table()
		if err != nil {
			return term.Usage("%s: %w", s.ID, err)
		}
		if v.format.Value == "text" {
			err = term.Lines(v.sys.out, v.sys.coloursOf(v.sys.out), "", t.Lines())
		} else {
			err = t.Render(v.sys.out, v.format.Value)
		}
		if err != nil {
			return err
		}
		switch v.format.Value {
		case "text", "md":
			fmt.Fprintf(v.sys.out, "\n%s\n", caption(result))
		case "latex":
			fmt.Fprintf(v.sys.out, "%% %s\n", caption(result))
		}
	}
	if s.Figure == nil {
		return nil
	}
	return v.figure(result)
}

// figure draws a figure in all formats, and prints the paths.
func (v *plotVerb) figure(result *harness.Result) error {
	s := result.Spec
	fig, err := result.Figure()
	if err != nil {
		return term.Usage("%s: figure: %w", s.File, err)
	}
	for _, text := range fig.Warnings {
		v.sys.note("%s: %s", s.ID, text)
	}
	var paths []string
	var objects []drawn
	for _, format := range v.as {
		path := v.selection.figureFile(s, format)
		paths = append(paths, path)
		objects = append(objects, drawn{s.ID, s.Scale, path, result.Set.Share()})
	}
	if err := saveFigure(fig, paths...); err != nil {
		return fmt.Errorf("%s: %w", s.ID, err)
	}
	switch v.format.Value {
	case "json", "csv":
		return term.Objects(v.sys.out, v.format.Value, objects)
	case "md":
		for _, path := range paths {
			fmt.Fprintf(v.sys.out, "![%s](%s)\n", s.Title, path)
		}
		return nil
	case "latex":
		for _, path := range paths {
			fmt.Fprintf(v.sys.out, "\\includegraphics{%s}\n", path)
		}
		return nil
	}
	for _, path := range paths {
		fmt.Fprintln(v.sys.out, path)
	}
	return nil
}
