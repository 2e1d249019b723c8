package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/render"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/page"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/replace"
)

func newRender(sys system) *cobra.Command {
	var check bool
	var out string
	cmd := &cobra.Command{
		Use:   "render [FILE.tmpl...]",
		Short: "Render texts whose numbers are expressions over results",
		Long: `Render templates: texts, usually in Markdown, whose numbers, tables and verdicts
are expressions over the results that come with gaplab, or over those of earlier
runs. FILE.md.tmpl becomes FILE.md in the same folder. Without arguments, all
templates of the checkout are rendered. Nothing is run. In a template:

  {{scale "paper"}}            set the scale
  {{on "eg/fig06"}}            set the experiment
  {{value "%.2f" ` + "`EXPR`" + `}}      the value of an expression, as in claims; a list
                               also as "%.2f ± %.2f"; {{cells ...}} in tables
  {{measured "%.1f" "c1" 0}}   the measured value of a claim, or elements of it
  {{holds ` + "`EXPR`" + `}}             nothing, or an error if EXPR is not true
  {{table "COLUMN" ...}}       the experiment's table
  {{len (claims "eg").Reproduced}}, {{(claims "eg").NotReproduced.IDs}}
  {{reproduced "eg/fig06/c1"}} the claim's id; an error if not reproduced
  {{(claim "eg/fig06/c1").Measured}}, {{(runs).Seconds}}, {{range papers}}

The exit code is 1 if the results contradict a template and, with --check, if a
rendered file differs from the result of its template.`,
		Example: "  gaplab render\n  gaplab render report.md.tmpl --out results/mine\n  gaplab render --check",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{strings.TrimPrefix(render.Ending, ".")}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; show how the files differ, and exit with 1 if any does")
	cmd.Flags().StringVar(&out, "out", "", "look for results in this `folder` of traces first")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		files, err := templates(args)
		if err != nil {
			return err
		}
		renderer := render.New(harness.Options{Root: resultsFolder(), Out: out, Shipped: sys.shipped(cmd)})
		texts, faults := make([]string, len(files)), make([]error, len(files))
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, file := range files {
			g.Go(func() error {
				texts[i], faults[i] = rendered(renderer, file)
				return nil
			})
		}
		g.Wait()
		var list term.Faults
		for i, file := range files {
			if faults[i] == nil {
				faults[i] = writeRendered(sys, file, texts[i], check)
			}
			list.Add(faults[i])
		}
		return list.Err()
	}
	return cmd
}

// templates returns the templates that the arguments name, or all templates of the checkout if there are no arguments.
func templates(args []string) ([]string, error) {
	for _, file := range args {
		if filepath.Ext(file) != render.Ending {
			return nil, term.Usage("%s: the name of a template must end in %s, as in README.md%[2]s", file,
				render.Ending)
		}
	}
	if len(args) > 0 {
		return args, nil
	}
	root := filepath.Dir(resultsFolder())
	files, err := render.Templates(root)
	if err == nil && len(files) == 0 {
		err = term.Usage("no *%s in or below %s; name a file", render.Ending, root)
	}
	return files, err
}

// rendered returns the text of a template.
func rendered(r *render.Renderer, file string) (string, error) {
	template, err := os.ReadFile(file)
	if err != nil {
		return "", term.Usage("%w", err)
	}
	text, err := r.Render(file, string(template))
	switch {
	case errors.Is(err, page.ErrUntrue):
		return "", term.Exit(term.ExitShort, "%w", err)
	case errors.Is(err, harness.ErrNoResults), errors.Is(err, harness.ErrPartial), errors.Is(err, trace.ErrDamaged),
		errors.Is(err, trace.ErrFormat):
		return "", err
	case err != nil:
		return "", term.Usage("%w", err)
	}
	return text, nil
}

// writeRendered writes a rendered text into the folder of its template. If check is true, it writes no file, and prints
// how the existing file differs from the rendered text.
func writeRendered(sys system, template, text string, check bool) error {
	file := strings.TrimSuffix(template, render.Ending)
	old, err := os.ReadFile(file)
	switch {
	case err == nil && string(old) == text:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case check:
		fmt.Fprintf(sys.out, "%s", diff.Diff(file, old, "rendered", []byte(text)))
		return term.Exit(term.ExitShort, "%s differs from its template; `gaplab render %s` writes it", file, template)
	}
	fmt.Fprintln(sys.out, file)
	return replace.WriteFile(file, []byte(text), 0o666)
}
