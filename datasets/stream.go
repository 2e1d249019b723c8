package datasets

import "io"

// Heads is the name of the target if a model predicts Sentences.Heads and not a column.
const Heads = "head"

// Stream reads a text one example at a time, and writes each example back with its prediction. It only needs memory for
// the longest example.
type Stream interface {
	// Next returns the next example as data of length 1, which are valid until the next call. After the last example it
	// returns io.EOF. A text may lack the values to predict. Then rows and sequences have no Y, sentences no target
	// column, trees no labels, and discrete data have Class −1. Labels are numbered for each example anew: Classes, Text
	// and Values hold only the labels of this example.
	Next() (Data, error)
	// Line returns the line of the current example, from 1.
	Line() int
	// Append appends the text of the current example, with the predictions, to a buffer and returns it.
	Append(to []byte, predicted Data, beside Beside) []byte
}

// Beside holds numbers that are written beside predictions.
type Beside struct {
	Score *float64 // score of the predicted labelling; nil: not written
	// Marginals holds the probability of each predicted label: one number for a row, one for each token or position, or
	// one for a whole sequence. If it is nil, no probabilities are written.
	Marginals []float64
}

// Form is a text format that can be read as a stream.
type Form interface {
	// Stream returns a stream of the examples in r. Error messages call r by path. The target names what will be
	// predicted: for sentences a column or Heads, for discrete data the variable that is the class. For other data it is
	// empty.
	Stream(path string, r io.Reader, target string) (Stream, error)
}

// Streamer is an optional interface of a Loader whose files can be read as a stream.
type Streamer interface {
	Loader
	Form
}
