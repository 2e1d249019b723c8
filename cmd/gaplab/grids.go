package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/grid"
)

// grids finds the grid that a verb is about.
type grids struct{ out string }

const gridArgument = `GRID is its folder, or its name in the folder of the runs; without it, the grid
that was planned last.`

func (s *grids) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&s.out, "out", "", "the `folder` that the runs were written to, instead of results/runs")
}

// runs is the folder of the runs.
func (s *grids) runs() string {
	if s.out != "" {
		return s.out
	}
	return filepath.Join(resultsFolder(), "runs")
}

// find is the grid of the arguments: of none, the last one.
func (s *grids) find(args []string) (*grid.Grid, error) {
	list, err := grid.List(s.runs())
	if err != nil {
		return nil, err
	}
	var dir string
	switch {
	case len(args) == 0 && len(list) == 0:
		return nil, term.Usage("no grid in %s; `gaplab run ID --launcher slurm` makes one", s.runs())
	case len(args) == 0:
		dir = list[len(list)-1]
	default:
		dir = args[0]
		for _, known := range list {
			if filepath.Base(known) == args[0] {
				dir = known
			}
		}
	}
	g, err := grid.Open(dir)
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	return g, nil
}

// selectionOf says where results of a grid are, as the flags of other verbs would.
func selectionOf(g *grid.Grid) *selection {
	usual, err := filepath.Abs(filepath.Join(resultsFolder(), "runs"))
	if err == nil && usual == g.Out() {
		return &selection{}
	}
	out := g.Out()
	if here, err := os.Getwd(); err == nil {
		out = relative(here, out)
	}
	return &selection{out: out}
}
