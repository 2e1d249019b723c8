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

// Named is a caller's solver with the name of its variant.
type Named = solvers.Named

// checkExtras refuses a caller's solvers that could not be told from others.
func checkExtras(s *lang.Spec, o Options) error {
	taken := map[string]string{}
	for _, n := range o.Catalogue.Solvers {
		taken[n.Name] = "the name of a solver of gaplab"
	}
	for _, p := range s.Problems {
		for _, v := range p.Solvers {
			taken[v.As] = "a variant of " + s.ID
		}
	}
	for _, e := range o.Extra {
		const advice = "give its type a method Name() string"
		switch {
		case e.Solver == nil:
			return fmt.Errorf("harness: With: the solver is nil")
		case e.Name == "":
			return fmt.Errorf("harness: With: a solver of type %T has no name; %s", e.Solver, advice)
		case taken[e.Name] != "":
			return fmt.Errorf("harness: With: %q is %s; %s that returns another", e.Name, taken[e.Name], advice)
		}
		taken[e.Name] = "given twice"
	}
	return nil
}

// checkOnly refuses to leave out the spec's solvers where they are needed.
func checkOnly(s *lang.Spec, runs []lang.Run, extra []Named) error {
	if len(extra) == 0 {
		return fmt.Errorf("%s: harness: Only leaves no solver: give one by With", s.ID)
	}
	if slices.ContainsFunc(runs, func(r lang.Run) bool { return r.Base != nil }) {
		return fmt.Errorf("%s: harness: Only cannot leave out the spec's solvers: its problems begin with their "+
			"weights", s.ID)
	}
	return nil
}

// extraRun is a caller's solver on the problem of r. It stops as the experiment says or, if only its solvers have stop
// rules, as r does.
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

// ofProblem says whether a label names the problem, not the solver: it is standard, or a grid over a parameter of the
// data set or the model.
func ofProblem(r lang.Run, label string) bool {
	if slices.Contains([]string{"dataset", "model", "loss", "C", "lambda", "seed", "fold", "problem"}, label) {
		return true
	}
	name := label[strings.LastIndex(label, ".")+1:]
	resolved := r.Resolved()
	for _, part := range []string{"dataset", "model"} {
		of, _ := resolved[part].(map[string]any)
		params, _ := of["params"].(map[string]any)
		if v, ok := params[name]; ok && fmt.Sprint(v) == fmt.Sprint(r.Labels[label]) {
			return true
		}
	}
	return false
}

// settingsNode is the exported fields of a solver, for its results' manifest. It is empty where they have no JSON.
func settingsNode(s solvers.Solver) yaml.Node {
	var doc yaml.Node
	text, err := json.Marshal(s)
	if err != nil || yaml.Unmarshal(text, &doc) != nil || len(doc.Content) != 1 ||
		doc.Content[0].Kind != yaml.MappingNode {
		return yaml.Node{}
	}
	return *doc.Content[0]
}
