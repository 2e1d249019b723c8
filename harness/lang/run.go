package lang

import (
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Run is one planned run: one data set, model, solver, value of C (or one sequence of values, see Path), seed and fold.
type Run struct {
	Experiment string
	Scale      string
	// Labels are the names and values that tell curves apart. Every run has the labels as, solver, dataset, model and
	// seed. If the experiment has them, there are also loss, C or lambda (by the convention; with a path, its first
	// value), fold, and one label for each grid. That label is named by the last element of the grid's path, or by the
	// whole path if another label has that name. Values are strings, bools and float64; other values of grids are JSON
	// text.
	Labels     map[string]any
	Dataset    Dataset
	Model      Model
	Convention Convention
	C          float64 // C or λ, by the convention; with a path, its first value; 0 without a convention
	Solver     Solver
	Seed       uint64
	Fold       int // number of the fold, from 1; 0: the whole data set
	Folds      int // number of folds; 0: the whole data set
	Repetition int // number of the repetition, from 1; 0: runs are not repeated
	Stop       Stop
	Budget     *Budget
	Record     Record
	Keep       *Keep      // nil: the result is the last weights
	Base       *Run       // the run on whose model and weights this run builds; nil if there is none
	Choose     *Candidate // nil: no rule compares the run with others
}

// Resolved returns everything that determines the rows of the run, with the defaults filled in, as plain JSON values.
// It omits the experiment and the scale, and of the labels it has only the name As of the solver.
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
		"stop":   tree.Plain(r.Stop),
		"budget": tree.Plain(r.Budget),
		"record": tree.Plain(r.Record),
		"choose": r.rule(),
	}
	if r.Repetition > 1 { // so the first repetition is the same result as a run that is not repeated
		out["repetition"] = r.Repetition
	}
	if r.Solver.Workers > 1 {
		out["solver"].(map[string]any)["workers"] = r.Solver.Workers
	}
	if r.Keep != nil {
		out["keep"] = tree.Plain(r.Keep)
	}
	if r.Base != nil {
		out["from"] = r.Base.Resolved()
	}
	return out
}

// Early reports whether the run is compared with others before it ends.
func (r Run) Early() bool { return r.Choose != nil && r.Choose.Rule.Early() }

// rule returns the fields of Choose that determine where the run ends; nil if no rule may end the run early.
func (r Run) rule() any {
	if !r.Early() {
		return nil
	}
	c := r.Choose.Rule
	over := any(c.Over)
	if len(c.Over) == 1 {
		over = c.Over[0] // a single string, as in the results of older programs
	}
	return tree.Plain(map[string]any{"over": over, "by": c.By, "best": c.Best, "ties": c.Ties, "at": c.At, "per": c.Per})
}

// params converts settings to plain values; it returns nil if there are no settings.
func params(n *yaml.Node) any {
	if n.IsZero() {
		return nil
	}
	return tree.Value(n)
}

// orNil converts the value to which p points to plain values. It returns nil if p is nil.
func orNil[T any](p *T) any {
	if p == nil {
		return nil
	}
	return tree.Plain(p)
}

// label converts the value of a grid to the value of a label. Numbers, texts and booleans stay as they are; other
// values become JSON text.
func label(n *yaml.Node) any {
	switch v := tree.Value(n).(type) {
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
