package models

import "github.com/gaplab/gaplab/datasets"

// Restorer is an optional interface of a Builder whose model can label new data without the training data. Such a model
// needs only its settings, its trained weights, and the vocabulary of the task (Task.Vocabulary).
type Restorer interface {
	Builder
	// Restore reads a vocabulary in JSON. If the vocabulary is damaged, it returns an error that describes the damage.
	Restore(vocabulary []byte) (Decoder, error)
}

// Decoder turns new data into examples. The best labelling of an example under the weights is the prediction:
//
//	e, err := decoder.Example(data)
//	e.Features.Score(theta, w)
//	y, _ := e.Max.Max(nil, theta)
//	predicted := decoder.Output(data, e, y)
//
// A Decoder may be used by one goroutine at a time. It stores no references to the data.
type Decoder interface {
	Dim() int // length of w
	// Target returns what the decoder predicts: the name of a column of the sentences, or datasets.Heads for dependency
	// trees. For other data the name is empty.
	Target() string
	// Example turns the data of one row, sequence, sentence or tree into an Example. The result has the fields Features
	// and Max, and the field Exp if the model has an exp-oracle, but no Truth. The result is valid until the next call of
	// Example.
	Example(data datasets.Data) (Example, error)
	// Output returns data of the same kind with the labels of y. The result is valid until the next call.
	Output(data datasets.Data, e Example, y Vertex) datasets.Data
	// Warnings returns the warnings about all data that Example has read so far.
	Warnings() []string
}
