package models

import "github.com/gaplab/gaplab/datasets"

// Builder is a model with its settings. It makes the task of a data set. Its exported fields are its keys in a spec.
type Builder interface {
	Build(train, validation datasets.Data) (*Task, error)
}

// Extender is an optional interface of a Builder: a model on top of another one, whose weights are known from an
// earlier run. base is the task of that run and w its weights. train and validation are the data of the new task. They
// may differ from the data that base was trained on, but must have the same features. validation may be nil.
type Extender interface {
	Builder
	Extend(base *Task, w []float64, train, validation datasets.Data) (*Task, error)
}

// Entry is one model of the list.
type Entry struct {
	Name  string
	About string
	// Revision starts at 1. Each change of the model or of its metrics that changes any bit of a result raises it.
	Revision int
	Losses   []string // names of LossNamed that it supports
	Free     bool     // nothing is regularised: its weights have an objective of their own
	Metrics  []string // columns that its tasks report
	Facts    []string // columns that its tasks have as Facts
	// NotRestored is the reason why saved weights make no predictions. If it is empty, New returns a Restorer.
	NotRestored string
	New         func() Builder // a pointer to its settings, defaults filled in
	// Keyed returns the settings that keys of results leave out; nil: those of New. When a default of New changes, the old
	// default stays here: then an explicit old value keeps its key, and a run that relied on the default gets a new one.
	Keyed func() Builder
}
