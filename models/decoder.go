package models

import "github.com/gaplab/gaplab/datasets"

// Restorer is an optional interface of a Builder whose model can label new data without the training data. Such a model
// needs only its settings, its trained weights, and the vocabulary of the task (Task.Vocabulary).
type Restorer interface {
	Builder
	// Restore reads a vocabulary in JSON. If the vocabulary is damaged, it returns an error that describes the damage.
	Restore(vocabulary []byte) (Decoder, error)
}

// Decoder turns new data into examples, which are predicted with the weights w:
//
//	e, err := decoder.Example(data)
//	e.Features.Score(theta, w)
//	y, _ := e.Predict(nil, theta)
//	predicted := decoder.Output(data, e, y)
//
// A Decoder may be used by one goroutine at a time. It stores no references to the data.
type Decoder interface {
	Dim() int // length of w
	// Target returns what the decoder predicts: the name of a column of the sentences, or datasets.Heads for dependency
	// trees. For other data the name is empty.
	Target() string
	// Example turns the data of one row, sequence, sentence or tree into an Example. The result has the fields Features
	// and Max, the fields Exp and Decoding if the model has them, but no Truth. The result is valid until the next call of
	// Example.
	Example(data datasets.Data) (Example, error)
	// Output returns data of the same kind with the labels of y. The result is valid until the next call.
	Output(data datasets.Data, e Example, y Vertex) datasets.Data
	// Warnings returns the warnings about all data that Example has read since the last call of Warnings.
	Warnings() []string
}

// Sampler is an optional interface of a Decoder that accepts only data with certain names or values.
type Sampler interface {
	Decoder
	// Sample returns data that Example accepts, without what is to be predicted.
	Sample() datasets.Data
}

// Chooser is an optional interface of a Decoder that predicts one of several labels at each place of an example: the
// class of a row, the label of each token, or the head of each word.
type Chooser interface {
	Decoder
	// Choices returns the labels that are possible at each place of e, which must be the result of the last call of
	// Example. The result is valid until the next call of Example. If the labellings have no labels at places, Choices
	// returns no labels.
	Choices(e Example) Choices
}

// Choices describes the labels among which a Chooser chooses.
type Choices struct {
	Places int
	Labels []string
	// Part returns the part of a label at a place. The marginal of this part is the probability of the label at the place.
	// If the label is not possible at the place, Part returns −1.
	Part func(place, label int) int
	// Scores computes the score of each label at each place: element place·len(Labels) + label is the largest score of a
	// labelling with this label at this place, at the part scores theta. It reuses the memory of the slice to and returns
	// the scores. If Scores is nil, only marginals are known.
	Scores func(to, theta []float64) []float64
}

// Marginals returns the probability of each label at each place, in the order of Scores. mu has the marginals of the
// parts. The memory of the slice to is reused.
func (c *Choices) Marginals(to, mu []float64) []float64 {
	to = Resize(to, c.Places*len(c.Labels))
	for i := range to {
		to[i] = 0
		if r := c.Part(i/len(c.Labels), i%len(c.Labels)); r >= 0 {
			to[i] = mu[r]
		}
	}
	return to
}
