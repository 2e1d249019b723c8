package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
)

// shown is one line of gaplab show --format json, a run of the plan.
type shown struct {
	Experiment string         `json:"experiment"`
	Scale      string         `json:"scale"`
	Labels     map[string]any `json:"labels"`
	Spec       map[string]any `json:"spec"` // the settings that determine the rows of the run
}

func newShow(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ID|RUN",
		Short: "Show an experiment, or the origin of a run",
		Long: `Show the settings, runs, claims and results of an experiment.

For a run, show its manifest: data and code with their checksums, the commit,
the command, the machine and its load, and how the run ended. Name a run by its
key, by six or more first digits of the key, or by its file.`,
		Example: "  gaplab show eg/fig06 --scale paper\n  gaplab show fb6ef7aeac27e28e",
		Args:    atLeastOne("an experiment or the key of a run; `gaplab list` lists the experiments"),
	}
	selection := addSelection(cmd).ship(sys, cmd)
	format := &term.Choice{Value: "text", Accepted: []string{"text", "json"}}
	format.AddTo(cmd, "format", "text, or json: one object per line, one per run")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if keys := keysOf(args); keys != nil {
			return showRuns(sys, keys, format.Value, selection.folders())
		}
		specs, err := selection.specs(cmd.Context(), args)
		if err != nil {
			return err
		}
		for i, s := range specs {
			plan, err := s.Plan()
			if err != nil {
				return term.Usage("%w", err)
			}
			if format.Value == "json" {
				var objects []shown
				for _, r := range plan {
					objects = append(objects, shown{r.Experiment, r.Scale, r.Labels, r.Resolved()})
				}
				if err := term.Objects(sys.out, "json", objects); err != nil {
					return err
				}
				continue
			}
			if i > 0 {
				fmt.Fprintln(sys.out)
			}
			if err := show(sys, s, plan, selection); err != nil {
				return err
			}
		}
		return nil
	}
	return cmd
}

// show prints an experiment.
func show(sys system, s *lang.Spec, plan []lang.Run, selection *selection) error {
	c := sys.coloursOf(sys.out)
	fmt.Fprintln(sys.out, title(s, c))
	fmt.Fprintf(sys.out, "%s\n\n", c.Faint(strings.Join([]string{s.Kind, "scale " + s.Scale, s.File}, " · ")))
	if err := settings(sys.out, plan); err != nil {
		return err
	}
	fmt.Fprintf(sys.out, "\n%s\n", amount.Count(len(plan), "run"))
	if err := term.Lines(sys.out, c, "  ", planTable(plan)); err != nil {
		return err
	}
	if len(s.Claims) > 0 {
		fmt.Fprintln(sys.out, "\nclaims")
	}
	for _, claim := range s.Claims {
		fmt.Fprintf(sys.out, "  %-4s %s\n", claim.ID, c.Hang(strings.TrimSpace(claim.Says), 7))
		if claim.Assert != "" {
			fmt.Fprintf(sys.out, "       %s\n", c.Faint(c.Hang(claim.Assert, 7)))
		}
	}
	printResults(sys, s, selection)
	return nil
}

// settings prints the settings of the runs, one line for each key of the resolved specs. If the runs differ in a key,
// its line has a list of values.
func settings(w io.Writer, plan []lang.Run) error {
	var resolved []map[string]any
	for _, r := range plan {
		resolved = append(resolved, r.Resolved())
	}
	params := map[string]bool{"dataset": true, "model": true, "solver": true, "seed": true}
	for _, key := range []string{"dataset", "model", "convention", "value", "solver", "seed", "fold", "stop", "budget",
		"record", "choose"} {
		var values []any
		seen := map[string]bool{}
		for _, r := range resolved {
			v := present(r[key], params[key])
			text, err := json.Marshal(v)
			if err != nil {
				return err
			}
			if v != nil && !seen[string(text)] {
				seen[string(text)] = true
				values = append(values, v)
			}
		}
		if len(values) == 0 {
			continue
		}
		var v any = values
		if len(values) == 1 {
			v = values[0]
		}
		text, err := flow(v, key == "solver" && len(values) > 1)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %-11s %s\n", key, strings.ReplaceAll(text, "\n", fmt.Sprintf("\n%14s", "")))
	}
	return nil
}

// present returns v without the values that are not set: null, "" and, if zeros is false, 0. It moves the entries of
// params one level up, beside the name.
func present(v any, zeros bool) any {
	switch v := v.(type) {
	case string:
		if v == "" {
			return nil
		}
	case int:
		if v == 0 && !zeros {
			return nil
		}
	case float64:
		if v == 0 && !zeros {
			return nil
		}
	case map[string]any:
		out := map[string]any{}
		for k, inner := range v {
			inner = present(inner, zeros)
			if params, ok := inner.(map[string]any); ok && k == "params" {
				maps.Copy(out, params)
			} else if inner != nil {
				out[k] = inner
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return v
}

// flow formats a value as YAML on one line; in a map, the key "name" comes first. If list is true, each item of a list
// gets a separate line.
func flow(v any, list bool) (string, error) {
	if items, ok := v.([]any); ok && list {
		var lines []string
		for _, item := range items {
			text, err := flow(item, false)
			if err != nil {
				return "", err
			}
			lines = append(lines, "- "+text)
		}
		return strings.Join(lines, "\n"), nil
	}
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		return "", err
	}
	n.Style = yaml.FlowStyle
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value == "name" {
				pair := slices.Clone(n.Content[i : i+2])
				n.Content = slices.Concat(pair, n.Content[:i], n.Content[i+2:])
			}
		}
	}
	text, err := yaml.Marshal(&n)
	return strings.Join(strings.Fields(string(text)), " "), err
}

// planTable returns a table of the labels in which the runs of a plan differ.
func planTable(plan []lang.Run) *tabular.Listing {
	names, short := varying(labelsOfPlan(plan)), trace.Abbreviate(labelsOfPlan(plan))
	lines := &tabular.Listing{Head: names, Right: []string{"C", "lambda", "seed", "n"}}
	for _, r := range plan {
		lines.Add(labelCells(names, short.Of(r.Labels))...)
	}
	return lines
}

// printResults prints where the results are, how many runs have ended, and warnings.
func printResults(sys system, s *lang.Spec, selection *selection) {
	result, err := harness.Read(s, selection.folders())
	if err != nil && !errors.Is(err, harness.ErrNoResults) {
		fmt.Fprintf(sys.out, "\nresults  cannot be read: %v\n", err)
		return
	}
	if err != nil {
		fmt.Fprintf(sys.out, "\nresults  none yet; make them with: %s\n", result.Command())
		return
	}
	fmt.Fprintf(sys.out, "\nresults  %s (%d of %d runs have ended)\n", result.Folder, ended(result), result.Planned)
	for _, text := range distinct(s.ID, append(unsupported(result), warnings(result)...)) {
		fmt.Fprintf(sys.out, "  note: %s\n", sys.coloursOf(sys.out).Hang(text, 8))
	}
}
