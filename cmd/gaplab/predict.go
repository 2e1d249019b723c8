package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
)

// onlyPredicted and allLabels are the values of --scores and --marginals: numbers of the predicted labels, which is the
// value without "=", or of all labels.
const (
	onlyPredicted = "predicted"
	allLabels     = "all"
)

func newPredict(sys system) *cobra.Command {
	var o harness.PredictOptions
	var eval bool
	var weights *trained
	scores, marginals := term.Choice{Accepted: []string{onlyPredicted, allLabels}},
		term.Choice{Accepted: []string{onlyPredicted, allLabels}}
	format := term.Choice{Value: "text", Accepted: []string{"text", "json"}}
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
                       HEAD in its usual place, and _ in DEPREL
  CoNLL-U, CoNLL-X     the input with the predictions in place of the labels;
                       comments and other columns stay, but for heads DEPREL
                       and DEPS become _
  bracketed trees,     the tree of each line; (()) if the grammar has none
  or lines of words

With --scores=all or --marginals=all, each row or token has a column for every
label, and a first line names the columns (# global.columns in CoNLL, as in
CoNLL-U Plus). The score of a label is the largest score of a labelling with
it. For heads, one column has pairs such as 0:0.2,3:0.8, without those below
0.000001. Models of rows and sequences have scores and marginals (except
word-classifier), deptree has the marginals of heads, cfg has neither.
The prediction is the labelling with the largest score, unless the spec or
--decode says otherwise. With --decode marginal or --decode risk, the score is
that of the predicted labelling, which need not be the largest.
--format json writes an object per line for each row, sentence or tree; there,
"scores" and "marginals" of all labels are maps from labels to numbers.

All models with weights can predict, except those that start from another
problem (key from). Each prediction is written as soon as its example is read.
So memory does not depend on the length of the input. The number of sentences or
rows per second is printed to standard error. If the input has the true labels,
--eval also prints the usual scores there: accuracy, F1 by type as conlleval
prints it, attachment with and without punctuation, brackets by the rules of
EVALB.`,
		Example: `  gaplab predict letters.yaml letter.t
  gaplab predict letters.gz --eval --marginals test.txt > labelled.txt
  gaplab predict letters.gz --marginals=all --format json test.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			for name, c := range map[string]*term.Choice{"scores": &scores, "marginals": &marginals} {
				_, err := os.Stat(allLabels)
				if c.Value == onlyPredicted && slices.Contains(args, allLabels) && err != nil {
					return term.Usage("write --%s=%s, with an equals sign", name, allLabels)
				}
			}
			return between(1, 2)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Scores, o.AllScores = scores.Value == onlyPredicted, scores.Value == allLabels
			o.Marginals, o.AllMarginals = marginals.Value == onlyPredicted, marginals.Value == allLabels
			o.JSON = format.Value == "json"
			predictor, err := weights.load(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := predictor.Allows(o); err != nil {
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
			switch {
			case made.Examples == 0:
				sys.note("the input has no %s", made.Kind)
			case eval && made.Labels == 0:
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
	scores.AddTo(cmd, "scores", "write the score of each predicted labelling, or with =all of every label")
	marginals.AddTo(cmd, "marginals", "write the probability of each predicted label, or with =all of every label; "+
		"for weights that were trained with the log loss, hmm and bayes-net")
	for _, name := range []string{"scores", "marginals"} {
		cmd.Flags().Lookup(name).NoOptDefVal = onlyPredicted
	}
	format.AddTo(cmd, "format", "text, or json: one object per line")
	cmd.Flags().BoolVar(&eval, "eval", false, "print scores of the predictions, if the input has the true labels")
	return cmd
}
