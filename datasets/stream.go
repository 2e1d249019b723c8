package datasets

import "io"

// Heads is the target of models that predict Sentences.Heads, not a column.
const Heads = "head"

// Stream reads a text one example at a time, and writes each example back with its prediction. It needs the memory of
// the longest example.
type Stream interface {
	// Next returns the next example as data of length 1, valid until the next call; io.EOF after the last. A text may
	// lack the values to predict: then rows and sequences have no Y, sentences no target column, trees no labels, and
	// discrete data have Class −1. Labels are not matched with those of other data: Classes, Text and Values hold only
	// what this example has.
	Next() (Data, error)
	// Line returns the line of the current example, from 1.
	Line() int
	// Append appends the text of the current example, with the predictions, to a buffer and returns it.
	Append(to []byte, predicted Data, beside Beside) []byte
}

// Beside holds numbers that are written beside predictions.
type Beside struct {
	Score *float64 // of the predicted labelling; nil: not written
	// probability of each predicted label: one of a row, one for each token or position, or one of a whole sequence; nil:
	// not written
	Marginals []float64
}

// Form is a text format that can be read as a stream.
type Form interface {
	// Stream reads r; errors name it path. target names what will be predicted: for sentences a column or Heads, for
	// discrete data the variable that is the class; empty for other data.
	Stream(path string, r io.Reader, target string) (Stream, error)
}

// Streamer is an optional interface of a Loader whose files can be read as a stream.
type Streamer interface {
	Loader
	Form
}
