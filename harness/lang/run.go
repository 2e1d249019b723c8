package lang

import (
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

// Run is one run of a plan: one data set, model, solver, value of C (or one path), seed and fold.
type Run struct {
	Experiment string
	Scale      string
	// Labels tell curves apart. Always: as, solver, dataset, model, seed; where the experiment has them: loss, C or
	// lambda (by the convention; a path's first value), fold, and each grid by the last element of its path, or by the
	// whole path where that is taken. Values are strings, bools and float64; other values of grids are JSON text.
	Labels     map[string]any
	Dataset    Dataset
	Model      Model
	Convention Convention
	C          float64 // C or λ in the convention; a path's first value; 0 without a convention
	Solver     Solver
	Seed       uint64
	Fold       int // 1 to the number of folds; 0: the whole data set
	Stop       Stop
	Budget     *Budget
	Record     Record
	Keep       *Keep      // nil: the last weights
	Base       *Run       // whose model and weights this run's model is built on; nil: none
	Choose     *Candidate // nil: runs to its stop whatever the others do
}

// Candidate says that a run goes on beyond a point only if it is chosen there.
type Candidate struct {
	Rule  Choose // with its defaults filled in
	Group string // runs of one group compete, such as "sgd: C=10 seed=1"
	Value any    // of the label Rule.Over; runs of one group and value (seeds, folds) win or lose together
}

// Resolved is all that determines the rows of the run, defaults included, as plain JSON values: what it is run on, how
// long, and what is recorded. It holds neither the experiment, nor its scale, nor any label but the variant's name.
func (r Run) Resolved() map[string]any {
	out := map[string]any{
		"apiVersion": Version,
		"dataset": map[string]any{"name": r.Dataset.Name, "format": r.Dataset.Format,
			"params": params(&r.Dataset.Params)},
		"model":      map[string]any{"name": r.Model.Name, "loss": r.Model.Loss, "params": params(&r.Model.Params)},
		"convention": string(r.Convention),
		"value":      r.C,
		"solver": map[string]any{
			"as": r.Solver.As, "name": r.Solver.Name, "params": params(&r.Solver.Params),
			"path": orNil(r.Solver.Path), "anneal": orNil(r.Solver.Anneal),
		},
		"seed":   r.Seed,
		"fold":   r.Fold,
		"stop":   plain(r.Stop),
		"budget": plain(r.Budget),
		"record": plain(r.Record),
		"choose": r.rule(),
	}
	if r.Solver.Workers > 1 {
		out["solver"].(map[string]any)["workers"] = r.Solver.Workers
	}
	if r.Keep != nil {
		out["keep"] = plain(r.Keep)
	}
	if r.Base != nil {
		out["from"] = r.Base.Resolved()
	}
	return out
}

// rule is the part of a choice that determines where the run ends.
func (r Run) rule() any {
	if r.Choose == nil {
		return nil
	}
	c := r.Choose.Rule
	return plain(map[string]any{"over": c.Over, "by": c.By, "best": c.Best, "ties": c.Ties, "at": c.At, "per": c.Per})
}

// params are settings as encoding/json would decode them.
func params(n *yaml.Node) any {
	if n.IsZero() {
		return nil
	}
	return value(n)
}

// orNil is plain of what a pointer points to.
func orNil[T any](p *T) any {
	if p == nil {
		return nil
	}
	return plain(p)
}

// plain converts a value to what encoding/json would decode, with the keys of its yaml tags.
func plain(v any) any {
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		panic(fmt.Sprintf("lang: %T: %v", v, err))
	}
	return value(&n)
}

// label converts the value of a grid to a label.
func label(n *yaml.Node) any {
	switch v := value(n).(type) {
	case int:
		return float64(v)
	case uint64:
		return float64(v)
	case string, bool, float64:
		return v
	default:
		text, err := json.Marshal(v)
		if err != nil {
			return fmt.Sprint(v)
		}
		return string(text)
	}
}
