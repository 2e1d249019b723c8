package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
)

func newPredict(sys system) *cobra.Command {
	var o harness.PredictOptions
	var eval bool
	cmd := &cobra.Command{
		Use:   "predict WEIGHTS [FILE]",
		Short: "Label a file, or standard input, with saved weights",
		Long: `Label FILE (plain, .gz or .bz2), or standard input, with the weights that gaplab
run --save-weights has written. The text looks like the training files, with or
without the true labels, and comes out as it was, with what is predicted:

  rows (LIBSVM)      the class of each row, a line each
  sequences of rows  the label of each row, a line each, a blank line between
  (SVM-HMM, with     sequences
  qid: or blank
  lines)
  discrete variables the class of each row, a line each
  (comma-separated,
  names first)
  columns (CoNLL)    a further column: the labels of a chain; HEAD in its place
  CoNLL-U, CoNLL-X   in place of what stands there; comments and all else stay
  bracketed trees,   a tree each, a line each; (()) where the grammar has none
  or lines of words

Its encoding is that of the training files (the key encoding of the data).

Models are all that train weights, but those on top of another problem (from).
An example is written as soon as it is read; memory does not depend on the
length of the text. Standard error says how many sentences or rows a second,
and with --eval what the field says of predictions whose truth stands in the
text: accuracy, F1 by type as conlleval prints it, attachment with and without
punctuation, brackets by the rules of EVALB.`,
		Example: `  gaplab predict results/runs/my/letters/own/01234567.weights.json.gz letter.t
  gaplab predict WEIGHTS --eval --marginals test.txt > labelled.txt`,
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			predictor, err := harness.Load(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return term.Exit(term.ExitMissing, "%w; gaplab run --save-weights writes such a file", err)
			}
			if err != nil {
				return term.Usage("%w", err)
			}
			var made *harness.Prediction
			label := func(name string, in io.Reader) error {
				o.Name = name
				made, err = predictor.Predict(cmd.Context(), in, sys.out, o)
				return err
			}
			if len(args) == 1 || args[1] == "-" {
				err = label("standard input", cmd.InOrStdin())
			} else {
				_, err = (datasets.Source{}).ReadOwn(context.WithoutCancel(cmd.Context()), args[1], label)
			}
			if err != nil {
				return err
			}
			for _, text := range made.Warnings {
				sys.note("%s", text)
			}
			if eval && made.Labels == 0 {
				sys.note("--eval: the text has no true labels")
			}
			if eval {
				for _, line := range made.Scores {
					fmt.Fprintln(sys.err, line)
				}
			}
			if made.Labels > 0 {
				fmt.Fprintf(sys.err, "%d of %d predictions differ from the labels in the file (%.4g %%)\n", made.Wrong,
					made.Labels, 100*float64(made.Wrong)/float64(made.Labels))
			}
			fmt.Fprintf(sys.err, "%d %s in %.3g s, %.3g a second\n", made.Examples, made.Kind, made.Seconds,
				float64(made.Examples)/made.Seconds)
			return nil
		},
	}
	cmd.Flags().BoolVar(&o.Scores, "scores", false, "write the score of each predicted labelling")
	cmd.Flags().BoolVar(&o.Marginals, "marginals", false, "write the probability of each predicted label (log loss)")
	cmd.Flags().BoolVar(&eval, "eval", false, "say how good the predictions are, if the text has the truth")
	return cmd
}
