package datasets

import "io"

// Heads is the name of the prediction target (see Form.Stream) if a model predicts Sentences.Heads and not a column.
const Heads = "head"

// Stream reads a text one example at a time, and writes each example back with its prediction. It only needs memory for
// the longest example.
type Stream interface {
	// Next returns the next example as data of length 1, which are valid until the next call. After the last example, Next
	// returns io.EOF. A text may lack the values that are to be predicted. Then rows and sequences have no Y, sentences
	// have no target column, trees have no labels, and discrete data have Class −1. Each example has its own numbering of
	// labels: Classes, Text and Values hold only the labels of this example.
	Next() (Data, error)
	// Line returns the number of the first line of the current example or, in some formats, of its last line. Lines are
	// counted from 1.
	Line() int
	// Append appends the text of the current example, with the predictions, to the buffer to and returns the extended
	// buffer.
	Append(to []byte, predicted Data, beside Beside) []byte
}

// Doubter is an optional interface of a Stream that counts possible faults of its text.
type Doubter interface {
	// Doubts returns a sentence for each kind of fault in the examples read so far.
	Doubts() []string
}

// Novel is an optional interface of a Stream of tables with categorical columns.
type Novel interface {
	// Unknown returns the values of the current example that no training row has, by the name of their column. Such a
	// value gets no feature. The result is nil if there are none.
	Unknown() map[string]string
}

// Columnar is an optional interface of a Stream of sentences in columns.
type Columnar interface {
	// Fields returns the names of the columns of a token, from left to right.
	Fields() []string
	// Token returns the texts of a made-up token that is a sentence by itself. A column has its own name as its text if
	// any text is allowed. The column of the target is left out if the text may lack it.
	Token() []string
}

// Beside holds numbers that are written beside predictions.
type Beside struct {
	Score *float64 // score of the predicted labelling; nil: not written
	// Marginals holds the probability of each predicted label: one number for a row, one for each token or position, or
	// one for a whole sequence. If it is nil, no probabilities are written.
	Marginals []float64
	// Columns has the names of further columns, and Cells has their texts: one list for a row, or one for each token or
	// position. If Header is true, a line with the names of all columns is written before the example.
	Columns []string
	Cells   [][]string
	Header  bool
}

// CellsAt returns the texts of the further columns at place t, or nil if there are none.
func (b Beside) CellsAt(t int) []string {
	if t >= len(b.Cells) {
		return nil
	}
	return b.Cells[t]
}

// Form is a text format whose examples can be read and written one at a time, as a Stream.
type Form interface {
	// Stream returns a stream of the examples in r. Error messages name r by path. The argument target names what will be
	// predicted: for sentences a column or Heads, for discrete data the variable that is the class. For other data target
	// is empty.
	Stream(path string, r io.Reader, target string) (Stream, error)
}

// Streamer is an optional interface of a Loader whose files can be read as a stream.
type Streamer interface {
	Loader
	Form
}
