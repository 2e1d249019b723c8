package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/internal/nearest"
)

const rootLong = `gaplab regenerates the figures and tables of papers on training structured
predictors from declarative experiments, checks the papers' claims, and guards
convergence curves.

Start with:
  gaplab list                     list the experiments
  gaplab run eg/fig06             make a figure and check its claims
  gaplab run eg/fig06 --scale quick --dry-run
  gaplab train rows.csv --task classify
                            train a model on a file of your own

Reference of the language: gaplab help spec; gaplab help help lists its parts.

Results go to standard output, progress and messages to standard error.
Exit codes: 0 success; 1 a claim was not reproduced or a curve moved; 2 the spec
or the command line is wrong; 3 a run failed; 4 data, a result or a reference is
missing or damaged; 130 interrupted; 143 a task of a campaign was terminated.`

// helpWidth is the width of help texts in columns.
const helpWidth = 80

// newRoot returns the command gaplab with all its subcommands.
func newRoot(sys system) *cobra.Command {
	root := group(&cobra.Command{
		Use:           "gaplab",
		Short:         "Run the experiments of papers on structured prediction, and check their claims",
		Long:          rootLong,
		SilenceErrors: true,
		SilenceUsage:  true,
	})
	root.SetIn(sys.in)
	root.SetOut(sys.out)
	root.SetErr(sys.err)
	wrapped := fmt.Sprint(".FlagUsagesWrapped ", helpWidth)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", wrapped))
	root.AddGroup(&cobra.Group{ID: "experiments", Title: "Experiments:"},
		&cobra.Group{ID: "cluster", Title: "Many machines:"},
		&cobra.Group{ID: "upkeep", Title: "References, data and notebooks:"})
	for _, cmd := range []*cobra.Command{newList(sys), newShow(sys), newRun(sys), newReproduce(sys),
		newPlot(sys), newClaims(sys), newCompare(sys), newReport(sys), newExport(sys), newArchive(sys), newVerify(sys),
		newRender(sys), newTrain(sys), newPredict(sys), newServe(sys)} {
		cmd.GroupID = "experiments"
		root.AddCommand(cmd)
	}
	for _, cmd := range []*cobra.Command{newTask(sys), newStatus(sys), newCollect(sys), newCancel(sys)} {
		cmd.GroupID = "cluster"
		root.AddCommand(cmd)
	}
	for _, cmd := range []*cobra.Command{newCheck(sys), newBaseline(sys), newData(sys), newNotebook(sys)} {
		cmd.GroupID = "upkeep"
		root.AddCommand(cmd)
	}
	version := newVersion(sys)
	root.AddCommand(newSchema(sys), newKernel(sys, perform), newMan(sys), version)
	show := root.Flags().Bool("version", false, "print the version, as gaplab version does")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *show {
			return version.RunE(version, nil)
		}
		return cmd.Help()
	}
	root.SetHelpCommand(newHelp(root))
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			group(cmd)
		}
	}
	root.SetFlagErrorFunc(badFlag)
	return root
}

// badFlag completes the error of a flag: it adds which numbers are accepted, or suggests a similar flag.
func badFlag(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var number *strconv.NumError
	if errors.As(err, &invalid) && errors.As(err, &number) {
		f := invalid.GetFlag()
		accepted := map[string]string{"uint64": "a whole number from 0", "int": "a whole number"}[f.Value.Type()]
		return fmt.Errorf("--%s %s; accepted: %s", f.Name, invalid.GetValue(), cmp.Or(accepted, "a "+f.Value.Type()))
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return fmt.Errorf("%w%s", err, nearest.DidYouMean("--"+unknown.GetSpecifiedName(), names))
}

// newHelp returns the command help. Unlike cobra's own help, it refuses unknown commands.
func newHelp(root *cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [command | topic [name]]",
		Short: "Show the help of a command, or the reference of the language",
		Long: `Show the help of a command, or a part of the reference of the language. The
topics are:

  spec [KEY]          the keys of specs, with an example of each
  datasets [NAME]     the data sets and formats with their settings
  models [NAME]       the models with their settings
  solvers [NAME]      the solvers with their settings
  features            templates of features for sentences
  expressions         the functions of expressions
  columns             the columns of rows, metrics among them`,
		Example:   "  gaplab help run\n  gaplab help spec record\n  gaplab help solvers dcd",
		ValidArgs: topics(),
	}
	markdown := cmd.Flags().Bool("markdown", false, "with the topic spec: write the page docs/SPEC.md")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if *markdown && !slices.Equal(args, []string{"spec"}) {
			return term.Usage("--markdown needs the topic spec alone: gaplab help spec --markdown")
		}
		if len(args) > 0 && len(args) <= 2 && slices.Contains(topics(), args[0]) {
			return printTopic(cmd.OutOrStdout(), args[0], strings.Join(args[1:], ""), *markdown)
		}
		found, rest, err := root.Find(args)
		switch {
		case found == root && len(rest) > 0:
			return term.Usage("%w", noHelp(root, rest[0]))
		case err == nil && len(rest) > 0 && found.Args != nil:
			err = found.Args(found, rest)
		}
		if err != nil {
			return term.Usage("%w", err)
		}
		return found.Help()
	}
	return cmd
}

// perform executes one command line, and returns its error without printing it.
func perform(ctx context.Context, sys system, args []string) error {
	out := &term.Checked{Writer: sys.out}
	sys.out, sys.args = out, args
	root := newRoot(sys)
	root.SetArgs(args)
	started := false // true once cobra has accepted the command line
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil && !started {
		hint := ""
		if f := cmd.Flags().Lookup("format"); f != nil && slices.Contains(args, "--json") {
			hint = "; write --format json"
		}
		err = term.Usage("%w%s; see: %s --help", err, hint, cmd.CommandPath())
	}
	if out.Err != nil {
		err = fmt.Errorf("standard output: %w", out.Err)
	}
	return err
}
