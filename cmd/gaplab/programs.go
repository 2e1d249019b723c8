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

// options are those of the harness that the flag stands for.
func (p programs) options() []harness.Option {
	if !p {
		return nil
	}
	return []harness.Option{harness.Programs()}
}
