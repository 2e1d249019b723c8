package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/ci"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/replace"
	"github.com/gaplab/gaplab/report"
)

// reportVerb is the command gaplab report with its flags.
type reportVerb struct {
	sys       system
	selection *selection
	html, md  string
	title     string
}

func newReport(sys system) *cobra.Command {
	v := &reportVerb{sys: sys}
	cmd := &cobra.Command{
		Use:   "report [ID...]",
		Short: "Write a page of results: verdicts, figures, curves to explore",
		Long: `Write the results of experiments (all, unless some are named) as one HTML page,
which needs no network and no other file. It shows the verdicts of the claims by
paper, and each experiment with its figure, claims, table, spec and the origin
of its runs. A reader can draw its curves against other axes, summarise them
over seeds, divide them by those of one method, zoom in, and save them as SVG.

With --md, write a summary in Markdown, for a comment on a pull request.

The results are those of earlier runs, or those that come with gaplab. Nothing
is run; experiments without results are marked. If no experiment has results,
nothing is written, and the exit code is 4. The exit code does not depend on the
verdicts; the exit code of gaplab claims does.

` + shippedHelp + `

If a run of an experiment has no result (its trace is missing, damaged or of an
older revision than the others, or the run failed or was interrupted), the page
shows this instead of a figure, and the exit code is 4. With --partial, it shows
the other runs, and tells how many they are.`,
		Example: "  gaplab report --scale paper --html report.html\n" +
			"  gaplab report letters.yaml --html letters.html --md letters.md",
		RunE: v.run,
	}
	v.selection = addSelection(cmd).ship(v.sys, cmd)
	v.selection.addPartial(cmd)
	cmd.Flags().StringVar(&v.html, "html", "", "write the page to this `file`")
	cmd.Flags().StringVar(&v.md, "md", "", "write a summary in Markdown to this `file`")
	cmd.Flags().StringVar(&v.title, "title", "", "heading of the page and of the summary")
	return cmd
}

func (v *reportVerb) run(cmd *cobra.Command, args []string) error {
	if v.html == "" && v.md == "" {
		return term.Usage("report: name the file to write: --html FILE, --md FILE or both")
	}
	for _, path := range []string{v.html, v.md} {
		if err := canWrite(path); err != nil {
			return err
		}
	}
	if len(args) == 0 {
		args = experiments.IDs()
	}
	specs, err := v.selection.specs(cmd.Context(), args)
	if err != nil {
		return err
	}
	accounts, err := report.Accounts(specs, v.selection.folders())
	if err != nil {
		return err
	}
	var list term.Faults
	list.Add(missing(accounts))
	if len(list) > 0 && !slices.ContainsFunc(accounts, hasResults) {
		return list.Err()
	}
	for _, a := range accounts {
		for _, text := range a.LeftOut {
			v.sys.note("%s", text)
		}
		list.Add(advised(a.Lacking))
	}
	if v.html != "" {
		var page bytes.Buffer
		if err := report.HTML(&page, report.Page{Title: v.title, Accounts: accounts}); err != nil {
			return err
		}
		if err := v.write(v.html, page.Bytes()); err != nil {
			return err
		}
	}
	if v.md != "" {
		list.Add(v.write(v.md, []byte(ci.Report(v.title, accounts))))
	}
	return list.Err()
}

// hasResults reports whether there are results for an account, perhaps damaged.
func hasResults(a *report.Account) bool { return a.Missing == nil || a.Lacking != nil }

// missing returns an error if a report would be misleading: no experiment has results, or those of some come with
// gaplab but are not here. It names the first such experiment.
func missing(accounts []*report.Account) error {
	lacking := slices.DeleteFunc(slices.Clone(accounts), hasResults)
	n := len(lacking)
	if n < len(accounts) {
		lacking = slices.DeleteFunc(lacking, func(a *report.Account) bool {
			var away *shipped.Elsewhere
			return !errors.As(a.Missing, &away)
		})
	}
	switch {
	case len(lacking) == 0:
		return nil
	case n == 1:
		return lacking[0].Missing
	}
	return fmt.Errorf("%d of %s have no results: %w", n, amount.Count(len(accounts), "experiment"), lacking[0].Missing)
}

// canWrite returns an error if a path cannot be a file: it is a folder, or its folder does not exist. An empty path
// passes.
func canWrite(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return term.Usage("%s is a folder; accepted: a file, which may exist", path)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return term.Usage("%s: there is no folder %s; create it first", path, filepath.Dir(path))
	}
	return nil
}

// write writes a file, and prints its path.
func (v *reportVerb) write(path string, text []byte) error {
	if err := replace.WriteFile(path, text, 0o666); err != nil {
		return err
	}
	fmt.Fprintln(v.sys.out, path)
	return nil
}
