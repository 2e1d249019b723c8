package models

import (
	"io"

	"github.com/gaplab/gaplab/datasets"
)

// Builder is a model with its settings. Build turns data into a task. The exported fields are the settings of the model
// in a spec.
type Builder interface {
	Build(train, validation datasets.Data) (*Task, error)
}

// Extender is an optional interface of a Builder whose model extends another model that an earlier run has trained.
// base has the model and the data of the earlier run, and w has its trained weights. train and validation are the data
// of the new task. These data may differ from the data of the earlier run, but must have the same features. validation
// may be nil.
type Extender interface {
	Builder
	Extend(base *Task, w []float64, train, validation datasets.Data) (*Task, error)
}

// Reader is an optional interface of a Builder whose settings name files of the user, such as a list of words. The
// content of the files is part of the key of a result, as the data are.
type Reader interface {
	Builder
	// Files returns the paths of the files, as they are in the settings.
	Files() []string
	// Read reads the content of a file. It is called once for each of Files, before Build.
	Read(path string, r io.Reader) error
}

// Entry describes one model in the list of models.
type Entry struct {
	Name  string // name in specs
	About string // one line of description
	// Revision starts at 1. Raise it with each change of the model or of its metrics that changes any bit of a result.
	Revision int
	Losses   []string // losses that the model supports, by the names that LossNamed accepts
	Free     bool     // the model has its own objective, without regularisation
	Metrics  []string // names of the metrics of the model's tasks, which are columns of a trace
	Larger   []string // the Metrics whose larger values are better, such as validation_f1
	Facts    []string // names of the Facts of the model's tasks (see Task), which are columns of a trace, too
	// PerLabel lists the numbers that a model with saved weights can compute for every label, not only for the predicted
	// label: "scores", "marginals" (with the log loss, or in a generative model), or both (see Chooser).
	PerLabel []string
	// NotRestored is the reason why saved weights cannot predict without the training data. If it is empty, New returns a
	// Restorer.
	NotRestored string
	New         func() Builder // returns a pointer to the model with its default settings
	// Keyed returns the model with its old defaults, if a default of New was changed later. Keyed is nil if no default was
	// changed; then New is used instead. The key of a result leaves out each setting that has its old default. So a spec
	// that states the old default keeps its keys, and a spec without the setting gets new keys.
	Keyed func() Builder
}
