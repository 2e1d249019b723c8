// Package summary makes one record of each run of an experiment, as `gaplab run --format json` prints it.
package summary

import (
	"slices"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Summary states how one run ended. A nil value is unknown.
type Summary struct {
	Experiment string             `json:"experiment"`
	Key        string             `json:"key"`
	Dataset    string             `json:"dataset"`
	Model      string             `json:"model"`
	Solver     map[string]any     `json:"solver"` // name of the solver, name of its curves (as), and parameters
	C          *float64           `json:"C"`
	Lambda     *float64           `json:"lambda"`
	Seed       uint64             `json:"seed"`
	Scale      string             `json:"scale"`
	Status     trace.Status       `json:"status"`
	Why        string             `json:"why"`
	Passes     *float64           `json:"passes"`
	MaxCalls   float64            `json:"max_calls"`
	ExpCalls   float64            `json:"exp_calls"` // exp-oracle calls, for marginals or the log-partition alone
	Seconds    *float64           `json:"seconds"`
	CPUSeconds *float64           `json:"cpu_seconds"`
	Primal     *float64           `json:"primal"`
	Dual       *float64           `json:"dual"`
	Gap        *float64           `json:"gap"` // relative gap, (primal − dual)/|primal|
	Metrics    map[string]float64 `json:"metrics"`
	Trace      string             `json:"trace"`
	Weights    string             `json:"weights,omitempty"`
	Chosen     *bool              `json:"chosen,omitempty"` // whether it won a comparison before runs ended
	Best       bool               `json:"best,omitempty"`   // whether it won a comparison of ended runs
	Warnings   []string           `json:"warnings,omitempty"`
}

// Of returns one summary for each run. The catalogue lists the metrics of each model.
func Of(files []*trace.File, list lang.Catalogue) []Summary {
	out := make([]Summary, 0, len(files))
	for _, f := range files {
		out = append(out, of(f, list))
	}
	return out
}

func of(f *trace.File, list lang.Catalogue) Summary {
	m := f.Manifest
	s := Summary{Experiment: m.Experiment, Key: m.Key, Scale: m.Scale, Status: f.Status(), Trace: f.Path,
		Metrics: map[string]float64{}, Solver: map[string]any{},
		Warnings: slices.Concat([]string{}, m.Warnings, f.Warnings)}
	s.Dataset, _ = m.Labels["dataset"].(string)
	s.Model, _ = m.Labels["model"].(string)
	if solver, ok := m.Spec["solver"].(map[string]any); ok {
		if params, ok := solver["params"].(map[string]any); ok {
			for k, v := range params {
				s.Solver[k] = v
			}
		}
		s.Solver["name"], s.Solver["as"] = solver["name"], solver["as"]
	}
	if seed, ok := m.Labels["seed"].(float64); ok {
		s.Seed = uint64(seed)
	}
	if f.End != nil {
		s.Why, s.Weights = f.End.Why, f.End.Weights
		if chosen, ok := f.End.Labels["chosen"].(bool); ok {
			s.Chosen = &chosen
		}
	}
	for name, field := range map[string]**float64{trace.C: &s.C, trace.Lambda: &s.Lambda} {
		if v, ok := m.Labels[name].(float64); ok {
			*field = &v
		}
	}
	if len(f.Rows) == 0 {
		return s
	}
	last := f.Rows[len(f.Rows)-1].Values
	fields := map[string]**float64{trace.Passes: &s.Passes, trace.Seconds: &s.Seconds,
		trace.CPUSeconds: &s.CPUSeconds, trace.Primal: &s.Primal,
		trace.Dual: &s.Dual, trace.Gap: &s.Gap}
	if _, isPath := last[trace.Stage]; isPath { // with a path, the labels have C and λ of the first stage only
		fields[trace.C], fields[trace.Lambda] = &s.C, &s.Lambda
	}
	for name, field := range fields {
		if v, ok := last[name]; ok {
			*field = &v
		}
	}
	s.MaxCalls, s.ExpCalls = last[trace.MaxCalls], last[trace.ExpCalls]+last[trace.SumCalls]
	for _, e := range list.Models {
		for _, name := range e.Metrics {
			if v, ok := last[name]; ok && e.Name == s.Model {
				s.Metrics[name] = v
			}
		}
	}
	for _, row := range f.Rows {
		s.Warnings = append(s.Warnings, row.Warnings...)
	}
	return s
}
