package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/harness"
)

// listed is one line of gaplab list --format json.
type listed struct {
	ID     string   `json:"id"`
	Title  string   `json:"title"`
	Paper  string   `json:"paper"`  // key; empty for an experiment of the user's own
	Kind   string   `json:"kind"`   // figure, table, theorem, own
	Claims []string `json:"claims"` // with the experiment's id: eg/fig06/c1
	Scales []string `json:"scales"`
}

func newList(sys system) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "list [ID...]",
		Short:             "List the experiments",
		Example:           "  gaplab list\n  gaplab list eg --format json",
		ValidArgsFunction: completeExperiments,
	}
	format := addFormat(cmd)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		found, err := experiments(args)
		if err != nil {
			return err
		}
		var all []listed
		for _, e := range found {
			l, err := describeExperiment(e)
			if err != nil {
				return err
			}
			all = append(all, l)
		}
		return printList(sys, format.value, all)
	}
	return cmd
}

// experiments are those of the arguments, or all that come with gaplab.
func experiments(args []string) ([]*harness.Experiment, error) {
	if len(args) == 0 {
		return harness.Experiments()
	}
	found, err := harness.Select(args...)
	if err != nil {
		return nil, usage("%w", err)
	}
	return found, nil
}

func describeExperiment(e *harness.Experiment) (listed, error) {
	s, err := e.At("", nil)
	if err != nil {
		return listed{}, err
	}
	l := listed{ID: s.ID, Title: s.Title, Kind: s.Kind, Claims: []string{}, Scales: e.Scales()}
	if s.Paper != nil {
		l.Paper = s.Paper.Key
	}
	for _, c := range s.Claims {
		l.Claims = append(l.Claims, s.ID+"/"+c.ID)
	}
	return l, nil
}

func printList(sys system, format string, all []listed) error {
	if format == "json" || format == "csv" {
		return printObjects(sys.out, format, all)
	}
	lines := &listing{head: []string{"id", "kind", "claims", "scales", "title"}, right: []string{"claims"}}
	for _, l := range all {
		lines.add(l.ID, l.Kind, fmt.Sprint(len(l.Claims)), strings.Join(l.Scales, " "), l.Title)
	}
	if format == "md" {
		lines.markdown(sys.out)
		return nil
	}
	lines.text(sys.out, "", nil)
	return nil
}
