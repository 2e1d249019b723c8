package models

import "github.com/gaplab/gaplab/datasets"

// Restorer is an optional interface of a Builder: a model that can label other data without the training data, from its
// settings, its weights, and the vocabulary of its task (Task.Vocabulary).
type Restorer interface {
	Builder
	// Restore reads a vocabulary, which is JSON. It returns an error that describes what is wrong with a damaged one.
	Restore(vocabulary []byte) (Decoder, error)
}

// Decoder makes examples of new data. Their best labellings under the weights are predictions:
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
	// Example returns an example made of data that hold one example. It has Features, Max and, where the model has one,
	// Exp, but no truth. It is valid until the next call.
	Example(data datasets.Data) (Example, error)
	// Output returns data of the same kind with the labels of y. They are valid until the next call.
	Output(data datasets.Data, e Example, y Vertex) datasets.Data
	// Warnings returns the doubts about the data so far.
	Warnings() []string
}
