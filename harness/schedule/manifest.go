package schedule

import (
	"maps"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
)

// manifest returns the manifest of a job: settings, data, code and machine. lambda is nil if the objective has no
// regularisation.
func (x *experiment) manifest(j *job, lambda *float64, task *models.Task, set *datasets.Set,
	objective models.Objective) trace.Manifest {
	r := j.Run
	m := x.identity(j)
	m.Labels = maps.Clone(r.Labels)
	m.Labels["n"] = float64(len(task.Train))
	if lambda != nil && r.Solver.Path == nil {
		m.Labels["lambda"] = *lambda
	}
	m.Components = trace.Components{Revisions: lang.Revisions(x.options.Catalogue.Components(r)),
		Sources: origin.Sources(x.options.Catalogue, r)}
	m.Data = trace.DataManifest{Name: set.Name, Synthetic: set.Synthetic, Checksum: set.Checksum, Files: set.Files}
	if filepath.IsAbs(m.Data.Name) { // a file of the user: its folder is private, and the checksum identifies the data
		m.Data.Name = filepath.Base(m.Data.Name)
	}
	m.Size = trace.Size{N: len(task.Train), Validation: len(task.Validation), Dim: task.Dim()}
	m.Processors, m.Load = runtime.GOMAXPROCS(0), machine.Load()
	m.Alone = x.alone || x.options.Workers == 1 && x.options.Shard == nil
	if x.alone {
		m.DataCPUSeconds = x.inputs.Cost(r).Seconds()
		m.Least = x.least(objective)
	}
	noun, ok := x.options.Catalogue.Solver(r.Solver)
	m.Outside = ok && noun.Outside
	m.Warnings, m.Auto = task.Warnings, r.Solver.Why
	return m
}

// identity returns the entries of a manifest that do not depend on the data.
func (x *experiment) identity(j *job) trace.Manifest {
	m := trace.Manifest{Experiment: j.Experiment, Key: j.key, Plan: j.plan, Order: j.order, Scale: j.Scale,
		Labels: j.Labels, Spec: j.Resolved(), Origin: origin.Here(x.options.Catalogue)}
	m.Command = x.options.Command
	m.Sitting = x.options.Sitting
	m.Workers, m.Start = x.options.Workers, time.Now().UTC().Format(time.RFC3339)
	return m
}
