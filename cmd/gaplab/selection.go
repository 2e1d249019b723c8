package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/shipped"
)

// selection holds the flags that select results: the scale, changes of the spec, and the folder of the results.
type selection struct {
	scale term.Choice
	set   []string
	part  bool
	seed  uint64
	out   string

	shipped *shipped.Results // results that come with gaplab; nil: not used
	flags   interface{ Changed(name string) bool }
}

// maxSeed is the largest seed: every JSON reader represents the whole numbers up to it exactly.
const maxSeed = 1<<53 - 1

// scales returns the accepted values of --scale.
func scales() []string { return []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper} }

// addSelection adds the flags that select results to a command. A command finds the results of gaplab run if it gets
// the same flags.
func addSelection(cmd *cobra.Command) *selection {
	s := &selection{scale: term.Choice{Accepted: scales()}, flags: cmd.Flags()}
	s.scale.AddTo(cmd, "scale", "size of the experiments, for runs of seconds, minutes or hours (default: the smallest)")
	cmd.Flags().StringArrayVar(&s.set, "set", nil,
		"change a setting of the spec: `key=value`, such as stop.passes=5; may be repeated")
	cmd.Flags().Uint64Var(&s.seed, "seed", 0, "use this seed instead of the spec's")
	s.addOut(cmd)
	cmd.ValidArgsFunction = completeExperiments
	return s
}

// ship makes the commands read the results that come with gaplab for experiments without other results.
func (s *selection) ship(sys system, cmd *cobra.Command) *selection {
	s.shipped = sys.shipped(cmd)
	return s
}

// addPartial defines --partial, for commands that judge or show results.
func (s *selection) addPartial(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&s.part, "partial", false,
		"if some runs have no result, use the others and mark the output, such as: 3 of 4 runs")
}

// advised adds advice to the error about runs without a result: the flag that accepts the other runs.
func advised(err error) error {
	if !errors.Is(err, harness.ErrPartial) {
		return err
	}
	return fmt.Errorf("%w, or use the other runs with --partial", err)
}

// addOut adds only the flag for the folder of the results, for commands whose arguments are keys of runs.
func (s *selection) addOut(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.out, "out", "", "`folder` of the traces and figures, instead of results")
}

// specs returns the specs of the experiments that the arguments name, at the scale and with the changes in the flags.
// If there are no arguments, these are all experiments of gaplab that have the scale. If ctx ends before all specs are
// read, specs returns the cause for which ctx ended.
func (s *selection) specs(ctx context.Context, args []string) ([]*lang.Spec, error) {
	if info, err := os.Stat(s.out); s.out != "" && err == nil && !info.IsDir() {
		return nil, term.Usage("--out %s is a file; accepted: a folder, which need not exist", s.out)
	}
	if s.seed > maxSeed {
		return nil, term.Usage("--seed %d is out of range; accepted: 0 to %d", s.seed, uint64(maxSeed))
	}
	found, err := namedOrAll(args)
	if err != nil {
		return nil, err
	}
	if scale := s.scale.Value; len(args) == 0 && scale != "" {
		found = slices.DeleteFunc(found, func(e *harness.Experiment) bool { return !slices.Contains(e.Scales(), scale) })
	}
	specs := make([]*lang.Spec, len(found))
	for i, e := range found {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if specs[i], err = s.at(e); err != nil {
			return nil, term.Usage("%w", err)
		}
	}
	return specs, nil
}

// at returns the spec of an experiment, at the scale and with the changes in the flags.
func (s *selection) at(e *harness.Experiment) (*lang.Spec, error) {
	scale := s.scale.Value
	if scale == "" {
		scale = e.Scales()[0]
	}
	at, err := e.At(scale, s.set)
	if err != nil {
		return nil, err
	}
	if s.flags.Changed("seed") {
		at.Reseed(s.seed)
	}
	return at, nil
}

// folders returns options of the harness with the folders of results.
func (s *selection) folders() harness.Options {
	return harness.Options{Root: resultsFolder(), Out: s.out, Partial: s.part, Shipped: s.shipped}
}

// figureFile returns the path of the figure of a spec: <id>-<scale>.<format> in results/figures, or in the folder
// --out. If settings were changed, the changes are appended to the name.
func (s *selection) figureFile(sp *lang.Spec, format string) string {
	folder := s.out
	if folder == "" {
		folder = filepath.Join(resultsFolder(), "figures")
	}
	return filepath.Join(folder, filepath.FromSlash(sp.ID)+"-"+sp.Scale+changes(sp.Overrides)+"."+format)
}

// changes returns a text about the overrides for the name of a file: the first letters and digits of the overrides,
// then a hash of them.
func changes(overrides []string) string {
	if len(overrides) == 0 {
		return ""
	}
	const longest = 40
	all := strings.Join(overrides, "\n")
	readable := regexp.MustCompile("[^A-Za-z0-9]+").ReplaceAllString(all, "-")
	readable = strings.Trim(readable[:min(len(readable), longest)], "-")
	return fmt.Sprintf("-%s-%.6x", readable, sha256.Sum256([]byte(all)))
}

// namedOrAll returns the experiments that the arguments name, or all that come with gaplab if there are no arguments.
func namedOrAll(args []string) ([]*harness.Experiment, error) {
	if len(args) == 0 {
		return harness.Experiments()
	}
	found, err := harness.Select(args...)
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	return found, nil
}

// addResultsScale defines --scale for commands that work on kept results.
func addResultsScale(cmd *cobra.Command) *term.Choice {
	scale := &term.Choice{Value: lang.ScaleSmoke, Accepted: scales()}
	scale.AddTo(cmd, "scale", "scale of the results")
	return scale
}
