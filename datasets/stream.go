package datasets

import "io"

// Heads is the target of models that predict Sentences.Heads, not a column.
const Heads = "head"

// Stream reads a text one example at a time, and gives each back with what was predicted of it. Its memory is that of
// the longest example.
type Stream interface {
	// Next returns the next example as data of one example, valid until the next call; io.EOF after the last. A text
	// need not hold what is to be predicted: then rows have no Y, sentences no target, and trees no labels.
	Next() (Data, error)
	// Append appends the text of the present example with the predictions in data of the same kind.
	Append(to []byte, predicted Data, beside Beside) []byte
}

// Beside is what is written beside predictions.
type Beside struct {
	Score     *float64  // of the predicted labelling; nil: not written
	Marginals []float64 // probability of each predicted label: of a row, or of each token; nil: not written
}

// Streamer is an optional interface of a Loader whose files can be read as a stream.
type Streamer interface {
	Loader
	// Stream reads r; path is its name in errors. target is what will be predicted: the name of a column or Heads of
	// sentences, empty for other data.
	Stream(path string, r io.Reader, target string) (Stream, error)
}
