package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
)

func newPredict(sys system) *cobra.Command {
	return &cobra.Command{
		Use:   "predict WEIGHTS FILE",
		Short: "Classify the rows of a LIBSVM file with saved weights",
		Long: `Print the class of each row of a file in LIBSVM format, one per line, with the
weights that gaplab run --save-weights has written. Indices count from where
those of the training file did (zero_based). Standard error says how many
predictions differ from the labels in the file. The weights must be those of the
models multiclass or binary, which classify rows; models of sentences and trees
are judged on the validation data of their run, by the metrics of the record.`,
		Example: "  gaplab predict results/runs/my/letters/own/01234567.weights.json.gz letter.t",
		Args:    exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			weights, err := harness.ReadWeights(args[0])
			if errors.Is(err, fs.ErrNotExist) {
				return term.Exit(term.ExitMissing, "%w; gaplab run --save-weights writes such a file", err)
			}
			if err != nil {
				return term.Usage("%w", err)
			}
			prediction, err := harness.Predict(cmd.Context(), weights, args[1])
			if err != nil {
				return err
			}
			out := bufio.NewWriter(sys.out)
			for _, label := range prediction.Labels {
				fmt.Fprintln(out, label)
			}
			if err := out.Flush(); err != nil {
				return err
			}
			for _, text := range prediction.Warnings {
				sys.note("%s", text)
			}
			n := len(prediction.Labels)
			fmt.Fprintf(sys.err, "%d of %d predictions differ from the labels in the file (%.4g %%)\n", prediction.Wrong, n,
				100*float64(prediction.Wrong)/float64(max(1, n)))
			return nil
		},
	}
}
