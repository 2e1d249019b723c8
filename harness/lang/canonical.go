package lang

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// Canonical returns everything that determines the rows of the run, as JSON with sorted keys. Equal runs have equal
// bytes, and the key of a result is a hash of these bytes. The JSON has the values that Resolved returns, but it omits
// settings that equal their defaults, and keys of the language that are empty. So results keep their keys when a new
// setting or a new key of the language is added.
func (r Run) Canonical() []byte {
	text, err := json.Marshal(r.canonical())
	if err != nil {
		panic(fmt.Sprintf("lang: run of %s: %v", r.Experiment, err)) // only strings, bools and finite numbers are in it
	}
	return text
}

// canonical returns the values that Canonical writes as JSON.
func (r Run) canonical() map[string]any {
	out := r.Resolved()
	delete(out, "apiVersion")
	delete(out, "from")
	differing := map[string]map[string]any{
		"dataset": r.Dataset.differing, "model": r.Model.differing, "solver": r.Solver.differing,
	}
	for name, own := range differing {
		section := out[name].(map[string]any)
		if own == nil {
			continue // a solver of the caller's own: its defaults are unknown
		}
		delete(section, "params")
		if len(own) > 0 {
			section["params"] = own
		}
	}
	if solver := out["solver"].(map[string]any); solver["as"] == solver["name"] {
		delete(solver, "as")
	}
	out = dropEmpty(out)
	if r.Base != nil {
		out["from"] = r.Base.canonical()
	}
	return out
}

// dropEmpty removes keys of the language whose values are empty: null, zero, false, "", and maps with only such values.
// It keeps everything under the key "params", because a zero among a solver's own settings may mean something.
func dropEmpty(m map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range m {
		if key == "params" {
			out[key] = v
			continue
		}
		if below, ok := v.(map[string]any); ok {
			if below = dropEmpty(below); len(below) > 0 {
				out[key] = below
			}
			continue
		}
		if v != nil && !reflect.ValueOf(v).IsZero() {
			out[key] = v
		}
	}
	return out
}
