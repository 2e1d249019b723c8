package lang

import (
	"reflect"

	"gopkg.in/yaml.v3"
)

// Differing are the settings of a noun that differ from its defaults, as plain JSON values: what New gives is left out,
// and so is what a map of settings shares with the default map. So a setting that is added later, with a default that
// keeps what the noun did before, changes nothing here. Params are those of a Dataset, Model or Solver.
func (n Noun) Differing(params yaml.Node) (map[string]any, error) {
	settings, err := n.Decode(params)
	if err != nil {
		return nil, err
	}
	own, _ := plain(settings).(map[string]any)
	defaults, _ := plain(n.New()).(map[string]any)
	return differing(own, defaults), nil
}

// differing is what own has other than base; what only base has is null.
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
