package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/cluster"
)

// campaigns holds the flag --out, which all commands that work on a campaign have.
type campaigns struct{ out string }

const campaignArgument = `CAMPAIGN is its folder, or its name in the folder of the runs (default: the last
campaign that was planned).`

func (s *campaigns) addTo(flags *pflag.FlagSet) {
	flags.StringVar(&s.out, "out", "", "look for campaigns in this `folder` of runs instead of results/runs")
}

// runs returns the folder of the runs.
func (s *campaigns) runs() string {
	if s.out != "" {
		return s.out
	}
	return filepath.Join(resultsFolder(), "runs")
}

// find returns the campaign whose folder the arguments name or, without arguments, the campaign planned last.
func (s *campaigns) find(args []string) (*cluster.Campaign, error) {
	list, err := cluster.List(s.runs())
	if err != nil {
		return nil, err
	}
	var dir string
	switch {
	case len(args) == 0 && len(list) == 0:
		return nil, term.Usage("no campaign in %s; `gaplab run ID --launcher slurm` plans one", s.runs())
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
	g, err := cluster.Open(dir)
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	return g, nil
}

// selectionOf returns the flags (scale, folder and others) by which other commands find the results of a campaign.
func selectionOf(g *cluster.Campaign) *selection {
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
