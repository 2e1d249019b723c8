package editor

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Sweep is a setting with the values to sweep.
type Sweep struct {
	Name   string   // name of the setting in the cell
	Path   string   // path of the setting in the tree, such as regularisation.C
	Values []string // the values, each as text in YAML
	line   int
}

// maxFrames bounds the combinations of values that a cell may sweep.
const maxFrames = 100

// sweeps reads the key "explore" of a cell.
func sweeps(p *tree.Faults, line int, n *yaml.Node) (out []Sweep) {
	const wants = "accepted: settings with a list of values each, such as {C: [100, 10, 1]}"
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		p.Add(line, "explore", "got %s; %s", tree.Quote(n), wants)
		return nil
	}
	frames := 1
	for i := 0; i < len(n.Content); i += 2 {
		k, list := n.Content[i], n.Content[i+1]
		key := tree.Join("explore", k.Value)
		s := Sweep{Name: k.Value, Path: k.Value, line: k.Line}
		if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
			p.Add(k.Line, key, "got %s; %s", tree.Quote(list), wants)
			continue
		}
		for _, v := range list.Content {
			text, err := yaml.Marshal(v)
			if err != nil || v.Kind != yaml.ScalarNode {
				p.Add(v.Line, key, "got %s; accepted: numbers and words", tree.Quote(v))
				continue
			}
			s.Values = append(s.Values, strings.TrimSpace(string(text)))
		}
		switch short := []string{"C", "lambda"}; {
		case slices.Contains(short, k.Value):
			s.Path = "regularisation." + k.Value
		case !strings.Contains(k.Value, "."):
			p.Add(k.Line, key, "unknown setting%s; accepted: C, lambda, or a path such as stop.passes",
				nearest.DidYouMean(k.Value, short))
			continue
		}
		frames *= len(list.Content)
		out = append(out, s)
	}
	if frames > maxFrames {
		p.Add(line, "explore", "%d combinations; accepted: at most %d", frames, maxFrames)
	}
	return out
}
