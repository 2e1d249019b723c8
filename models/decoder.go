package models

import "github.com/gaplab/gaplab/datasets"

// Restorer is an optional interface of a Builder: a model that can label other data when the training data are gone,
// from its settings, its weights, and the vocabulary that its task has (Task.Vocabulary).
type Restorer interface {
	Builder
	// Restore reads a vocabulary, which is JSON. An error says what is wrong with a damaged one.
	Restore(vocabulary []byte) (Decoder, error)
}

// Decoder makes examples of data that no task has seen, whose best labellings under the weights are predictions:
//
//	e, err := decoder.Example(data)
//	e.Features.Score(theta, w)
//	y, _ := e.Max.Max(nil, theta)
//	predicted := decoder.Output(data, e, y)
//
// It is for one goroutine, and keeps nothing of the data.
type Decoder interface {
	Dim() int       // length of w
	Target() string // what it predicts: a column of sentences or datasets.Heads, empty for other data
	// Example is an example of data of one example. It has Features, Max and, where the model has one, Exp; no truth.
	// It is valid until the next call.
	Example(data datasets.Data) (Example, error)
	// Output is data of the same kind with the labels of y, valid until the next call.
	Output(data datasets.Data, e Example, y Vertex) datasets.Data
	// Warnings are doubts about the data so far.
	Warnings() []string
}
