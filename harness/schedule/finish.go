package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/record"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// put writes the end to the file of a job's run. If the run counts as a result, put publishes the file under its key.
// It replaces an existing result that cannot be used for the job.
func (x *experiment) put(j *job, draft *store.Draft, end trace.End) (*trace.File, error) {
	if !store.Counts(&trace.File{End: &end}) {
		return draft.Leave(end)
	}
	old, err := x.runs.Finished(j.key)
	if err != nil {
		x.note(j, "%s.jsonl could not be read; it was renamed, and its run was made again: %v", j.key, err)
	}
	if x.options.Force || j.extra || old != nil && !x.satisfies(j, old) {
		return draft.Replace(end)
	}
	return draft.Finish(end)
}

// end returns the last line of the job's file. It first saves the final weights, if they are needed.
func (x *experiment) end(ctx context.Context, j *job, out record.Outcome) (trace.End, error) {
	end := trace.End{Status: out.Status, Why: out.Why, Rule: out.Rule, Seconds: out.Seconds, CPUSeconds: out.CPU,
		Resumed: out.Resumed, Load: machine.Load(), GC: out.GC, RecordSeconds: out.Recording, PeakBytes: out.Peak,
		Examples: out.Examples}
	if j.chosen != nil {
		end.Labels = map[string]any{"chosen": *j.chosen}
	}
	if out.Weights == nil || out.Status == trace.Diverged {
		return end, nil
	}
	task, set, err := x.inputs.Task(context.WithoutCancel(ctx), j.Run) // the inputs are still in memory from the run
	if err != nil {
		return end, err
	}
	w := store.Weights{Experiment: x.spec.ID, Key: j.key, Model: task.Model, Loss: j.Model.Loss, Kind: set.Train.Kind(),
		Data: settingsOf(&j.Dataset.Params), Settings: settingsOf(&j.Model.Params),
		Revisions: lang.Revisions(x.options.Catalogue.Components(j.Run)), W: out.Weights}
	withoutFolders(w.Data.Params)
	if set.Scaling.Kind != datasets.ScaleNone {
		w.Scaling = set.Scaling
	}
	w.Table = set.Table
	w.Data.Name, w.Data.Format = j.Dataset.Name, j.Dataset.Format
	if task.Vocabulary != nil && j.Base == nil {
		if w.Vocabulary, err = json.Marshal(task.Vocabulary()); err != nil {
			return end, err
		}
	}
	end.Weights, err = x.runs.SaveWeights(w, j.needed)
	if errors.Is(err, store.ErrNotFinite) {
		x.note(j, "%s: the weights are not saved: %v", j.Labels["as"], err)
		return end, nil
	}
	return end, err
}

// withoutFolders replaces absolute paths in the settings of a weights file by the names of their files. The user may
// pass the weights file on, and the folders are private. A prediction does not open the training files.
func withoutFolders(v any) any {
	switch v := v.(type) {
	case string:
		if filepath.IsAbs(v) {
			return filepath.Base(v)
		}
	case []any:
		for i := range v {
			v[i] = withoutFolders(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = withoutFolders(v[key])
		}
	}
	return v
}

// settingsOf returns the settings of a data set or a model, as a weights file contains them.
func settingsOf(params *yaml.Node) store.Component {
	var c store.Component
	if err := params.Decode(&c.Params); err != nil && !params.IsZero() {
		panic("schedule: " + err.Error()) // impossible: the parser has set all parameters
	}
	return c
}
