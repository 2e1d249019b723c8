package main

import (
	"github.com/spf13/pflag"

	"github.com/gaplab/gaplab/harness"
)

// programs is the flag of verbs that run experiments by which the user lets a spec run other programs.
type programs bool

func (p *programs) addTo(flags *pflag.FlagSet) {
	flags.BoolVar((*bool)(p), "programs", false, "let specs that do not come with gaplab run the programs they name")
}

// running are the options of the harness of all verbs that run experiments.
func (sys system) running(p programs) []harness.Option {
	options := []harness.Option{harness.Command(append([]string{"gaplab"}, sys.args...)...)}
	if p {
		options = append(options, harness.Programs())
	}
	return options
}
