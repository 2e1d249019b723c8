package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
)

// trained loads the weights that the argument of a command names: a weights file, or the spec of an experiment, whose
// best run has saved weights.
type trained struct {
	selection *selection
	decode    term.Choice // "": the rule of the spec
}

// addTrained adds the flags that select the results of a spec.
func addTrained(cmd *cobra.Command) *trained {
	t := &trained{addSelection(cmd), term.Choice{Accepted: []string{"viterbi", "marginal", "risk"}}}
	t.decode.AddTo(cmd, "decode", "predict the labelling with the largest score (viterbi), the label with the largest "+
		"marginal at each position (marginal), or the labelling with the smallest expected loss (risk), for chains and hmm; "+
		"otherwise as the spec says")
	cmd.ValidArgsFunction = nil // file names
	return t
}

// load returns a predictor with the weights that arg names.
func (t *trained) load(ctx context.Context, arg string) (*harness.Predictor, error) {
	path := arg
	if isSpec(arg) {
		var err error
		if path, err = t.best(ctx, arg); err != nil {
			return nil, err
		}
	} else if err := t.unused(); err != nil {
		return nil, err
	}
	predictor, err := harness.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, term.Exit(term.ExitMissing, "%w; make the file with gaplab run --save-weights", err)
	}
	if err != nil {
		return nil, term.Usage("%w", err)
	}
	if t.decode.Value != "" {
		if err := predictor.Decode(t.decode.Value); err != nil {
			return nil, term.Usage("--decode: %w", err)
		}
	}
	return predictor, nil
}

// unused returns an error if a flag that selects the results of a spec is given.
func (t *trained) unused() error {
	for _, name := range []string{"scale", "set", "seed", "out"} {
		if t.selection.flags.Changed(name) {
			return term.Usage("--%s selects the results of a spec; it does not change a weights file", name)
		}
	}
	return nil
}

// isSpec reports whether an argument names the spec of an experiment by its file, not a weights file.
func isSpec(arg string) bool {
	ext := strings.ToLower(filepath.Ext(arg))
	return ext == ".yaml" || ext == ".yml"
}

// best returns the path of the weights of the best run of a spec.
func (t *trained) best(ctx context.Context, spec string) (string, error) {
	specs, err := t.selection.specs(ctx, []string{spec})
	if err != nil {
		return "", err
	}
	if len(specs) != 1 {
		return "", term.Usage("%s names %d experiments; accepted: the file of one spec", spec, len(specs))
	}
	result, err := harness.Read(specs[0], t.selection.folders())
	if errors.Is(err, harness.ErrNoResults) {
		return "", term.Exit(term.ExitMissing, "%w, with the flag --save-weights", err)
	}
	if err != nil {
		return "", err
	}
	path, err := result.BestWeights()
	switch {
	case errors.Is(err, harness.ErrNoBest):
		return "", term.Usage("%w", err)
	case err != nil:
		return "", term.Exit(term.ExitMissing, "%w", err)
	}
	return path, nil
}
