package datasets

import "io"

// Heads is the target of models that predict Sentences.Heads, not a column.
const Heads = "head"

// Stream reads a text one example at a time, and gives each back with what was predicted of it. Its memory is that of
// the longest example.
type Stream interface {
	// Next returns the next example as data of one example, valid until the next call; io.EOF after the last. A text
	// need not hold what is to be predicted: then rows and sequences have no Y, sentences no target, trees no labels, and
	// discrete variables the Class −1. Texts that are not numbers come as they stand: each label is one of its own, and
	// each variable has one value.
	Next() (Data, error)
	// Line is where the present example stands, from 1.
	Line() int
	// Append appends the text of the present example with the predictions in data of the same kind.
	Append(to []byte, predicted Data, beside Beside) []byte
}

// Beside is what is written beside predictions.
type Beside struct {
	Score *float64 // of the predicted labelling; nil: not written
	// probability of each predicted label: of a row, of each token or position, or a single one of a whole sequence; nil:
	// not written
	Marginals []float64
}

// Form is how texts look that can be read as a stream.
type Form interface {
	// Stream reads r; path is its name in errors. target is what will be predicted: the name of a column or Heads of
	// sentences, that of the class among discrete variables, empty for other data.
	Stream(path string, r io.Reader, target string) (Stream, error)
}

// Streamer is an optional interface of a Loader whose files can be read as a stream.
type Streamer interface {
	Loader
	Form
}
