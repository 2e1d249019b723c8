package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
)

func newPredict(sys system) *cobra.Command {
	var o harness.PredictOptions
	var eval bool
	var weights *trained
	cmd := &cobra.Command{
		Use:   "predict SPEC|WEIGHTS [FILE]",
		Short: "Predict the labels of a file or of standard input",
		Long: `Predict the labels of FILE (plain, .gz or .bz2), or of standard input, with the
weights that gaplab run --save-weights has saved: those of the best run of a
spec (SPEC, a file .yaml), or those in a file (WEIGHTS). The input has the
format and the encoding of the training files, with or without the true labels.
The output:

  rows (LIBSVM, CSV)   the class of each row, one per line; CSV has the names of
                       the columns in its first line, in any order
  sequences of rows    the label of each row, one per line, with a blank line
  (SVM-HMM, with qid:  between sequences
  or blank lines)
  discrete variables   the class of each row, one per line
  (comma-separated,
  names first)
  columns (CoNLL)      the input with another column: the labels of a chain, or
                       HEAD in its usual place
  CoNLL-U, CoNLL-X     the input with the predictions in place of the labels;
                       comments and other columns stay
  bracketed trees,     the tree of each line; (()) if the grammar has none
  or lines of words

All models with weights can predict, except those that start from another
problem (key from). Each prediction is written as soon as its example is read.
So memory does not depend on the length of the input. The number of sentences or
rows per second is printed to standard error. If the input has the true labels,
--eval also prints the usual scores there: accuracy, F1 by type as conlleval
prints it, attachment with and without punctuation, brackets by the rules of
EVALB.`,
		Example: `  gaplab predict letters.yaml letter.t
  gaplab predict letters.gz --eval --marginals test.txt > labelled.txt`,
		Args: between(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			predictor, err := weights.load(cmd.Context(), args[0])
			if err != nil {
				return err
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
				sys.note("--eval: the input has no true labels")
			}
			if eval {
				for _, line := range made.Scores {
					fmt.Fprintln(sys.err, line)
				}
			}
			if made.Labels > 0 {
				fmt.Fprintf(sys.err, "%d of %d predictions differ from the labels of the input (%.4g %%)\n", made.Wrong,
					made.Labels, 100*float64(made.Wrong)/float64(made.Labels))
			}
			fmt.Fprintf(sys.err, "%d %s in %.3g s, %.3g per second\n", made.Examples, made.Kind, made.Seconds,
				float64(made.Examples)/made.Seconds)
			return nil
		},
	}
	weights = addTrained(cmd)
	cmd.Flags().BoolVar(&o.Scores, "scores", false, "write the score of each predicted labelling")
	cmd.Flags().BoolVar(&o.Marginals, "marginals", false, "write the probability of each predicted label (log loss)")
	cmd.Flags().BoolVar(&eval, "eval", false, "print scores of the predictions, if the input has the true labels")
	return cmd
}
