package lang

import (
	"encoding/json"
	"fmt"
	"reflect"

	"gopkg.in/yaml.v3"
)

// Canonical is what determines the rows of the run, as JSON with sorted keys: equal bytes for equal runs, to hash a key
// from. It is Resolved without settings at the noun's defaults (Noun.Differing) and without the language's empty
// keys. So results keep their keys when a setting or a key of the language is added.
func (r Run) Canonical() []byte {
	text, err := json.Marshal(r.canonical())
	if err != nil {
		panic(fmt.Sprintf("lang: run of %s: %v", r.Experiment, err)) // only strings, bools and finite numbers are in it
	}
	return text
}

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
			continue // a caller's solver: all that is known
		}
		delete(section, "params")
		if len(own) > 0 {
			section["params"] = own
		}
	}
	if solver := out["solver"].(map[string]any); solver["as"] == solver["name"] {
		delete(solver, "as")
	}
	out = said(out)
	if r.Base != nil {
		out["from"] = r.Base.canonical()
	}
	return out
}

// said drops the language's keys that are empty: null, zero, false, "", and maps that hold nothing else. Params are the
// nouns' own: there, zero may mean something.
func said(m map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range m {
		if key == "params" {
			out[key] = v
			continue
		}
		if below, ok := v.(map[string]any); ok {
			if below = said(below); len(below) > 0 {
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

// Differing are the settings of a noun that differ from those that keys leave out, as plain JSON values: what Keyed
// gives (New, where that is nil) is left out, and so is what a map of settings shares with the default map. So a
// setting that is added later, with a default that keeps what the noun did before, changes nothing here; nor does a
// default that changes while Keyed keeps the old one. Params are those of a Dataset, Model or Solver.
func (n Noun) Differing(params yaml.Node) (map[string]any, error) {
	settings, err := n.Decode(params)
	if err != nil {
		return nil, err
	}
	own, _ := plain(settings).(map[string]any)
	keyed := n.Keyed
	if keyed == nil {
		keyed = n.New
	}
	defaults, _ := plain(keyed()).(map[string]any)
	return differing(own, defaults), nil
}

// differing holds the entries of own that base lacks or has otherwise; what only base has is null.
func differing(own, base map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range own {
		other, known := base[key]
		below, isMap := v.(map[string]any)
		otherBelow, otherIsMap := other.(map[string]any)
		switch {
		case known && reflect.DeepEqual(v, other):
		case isMap && otherIsMap:
			out[key] = differing(below, otherBelow)
		default:
			out[key] = v
		}
	}
	for key := range base {
		if _, ok := own[key]; !ok {
			out[key] = nil
		}
	}
	return out
}
