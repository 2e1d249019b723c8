package models

import "github.com/gaplab/gaplab/datasets"

// Builder is a model with its settings: it makes a task of a data set. Exported fields are its keys in a spec.
type Builder interface {
	Build(train, validation datasets.Data) (*Task, error)
}

// Extender is an optional interface of a Builder: a model on top of another one, whose weights are known from an
// earlier run. base is the task of that run, w its weights; train and validation are the data of the new task; they may
// differ from those that base was trained on, but have the same features. validation may be nil.
type Extender interface {
	Builder
	Extend(base *Task, w []float64, train, validation datasets.Data) (*Task, error)
}

// Entry is one model of the list.
type Entry struct {
	Name  string
	About string
	// from 1: raised with each change of the model or of its metrics that changes any bit of a result
	Revision int
	Losses   []string // names of LossNamed that it supports
	Free     bool     // nothing is regularised: its weights have an objective of their own
	Metrics  []string // columns that its tasks report
	Facts    []string // columns that its tasks have as Facts
	// why weights that a run has saved make no predictions; empty: New makes a Restorer
	NotRestored string
	New         func() Builder // a pointer to its settings, defaults filled in
	// the settings that keys of results leave out; nil: those of New. When a default of New changes, the old one stays
	// here: what is set as before keeps its key, and what relied on the default gets another
	Keyed func() Builder
}

// LossNamed returns the loss that a spec names.
func LossNamed(name string) (Loss, bool) {
	switch name {
	case "log":
		return LogLoss(), true
	case "hinge":
		return Hinge(), true
	case "slack":
		return Slack(), true
	}
	return Loss{}, false
}
