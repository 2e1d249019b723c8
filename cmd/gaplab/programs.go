package main

import (
	"github.com/spf13/pflag"

	"github.com/gaplab/gaplab/harness"
)

// programs is the flag that lets a spec run other programs.
type programs bool

func (p *programs) addTo(flags *pflag.FlagSet) {
	flags.BoolVar((*bool)(p), "programs", false, "let specs from outside gaplab run the programs that they name")
}

// running returns the options that all verbs share which run experiments.
func (sys system) running(p programs) []harness.Option {
	options := []harness.Option{harness.Command(append([]string{"gaplab"}, sys.args...)...)}
	if p {
		options = append(options, harness.Programs())
	}
	return options
}
