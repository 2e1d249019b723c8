package schedule

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/solvers"
)

// extraRun returns the run of a caller's solver on the problem of the run r. The new run has the stop rule of the
// problem or, if the problem has none, the stop rule of r.
func extraRun(s *lang.Spec, r lang.Run, e Named) lang.Run {
	own := r
	own.Solver = lang.Solver{As: e.Name, Name: e.Name, Params: settingsNode(e.Solver)}
	own.Choose = nil
	for _, p := range s.Problems {
		if name, _ := r.Labels["problem"].(string); p.Stop != (lang.Stop{}) && p.Name == name {
			own.Stop = p.Stop
		}
	}
	own.Labels = map[string]any{"as": e.Name, "solver": e.Name}
	for k, v := range r.Labels {
		if ofProblem(r, k) {
			own.Labels[k] = v
		}
	}
	return own
}

// ofProblem reports whether a label of a run describes the problem, not the solver. Such a label is a standard label,
// or the value of a parameter of the data set or the model that a grid sweeps.
func ofProblem(r lang.Run, label string) bool {
	if slices.Contains([]string{"dataset", "model", "loss", "C", "lambda", "seed", "fold", "problem"}, label) {
		return true
	}
	name := label[strings.LastIndex(label, ".")+1:]
	resolved := r.Resolved()
	for _, section := range []string{"dataset", "model"} {
		of, _ := resolved[section].(map[string]any)
		params, _ := of["params"].(map[string]any)
		if v, ok := params[name]; ok && fmt.Sprint(v) == fmt.Sprint(r.Labels[label]) {
			return true
		}
	}
	return false
}

// settingsNode returns the exported fields of a solver as settings for the manifest. It returns an empty node if the
// fields cannot be written as a JSON object.
func settingsNode(s solvers.Solver) yaml.Node {
	var doc yaml.Node
	text, err := json.Marshal(s)
	if err != nil || yaml.Unmarshal(text, &doc) != nil || len(doc.Content) != 1 ||
		doc.Content[0].Kind != yaml.MappingNode {
		return yaml.Node{}
	}
	return *doc.Content[0]
}
