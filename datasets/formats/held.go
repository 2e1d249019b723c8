package formats

import (
	"math"
	"strconv"

	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"
)

// Held names the validation data of a user's files: the path of a file, such as dev.txt, or a number such as 0.2, the
// fraction of the training examples that become validation data. It is empty if there are none. A file whose name is a
// number needs a path with a folder, such as ./0.2.
type Held string

// UnmarshalYAML accepts a text or a number.
func (h *Held) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return n.Decode((*string)(h))
	}
	if *h = Held(n.Value); h.fraction() == 0 && h.file() == "" {
		*h = "" // the number 0, which means no validation data
	}
	return nil
}

// JSONSchema describes what UnmarshalYAML accepts.
func (Held) JSONSchema() *invopop.Schema {
	return &invopop.Schema{If: &invopop.Schema{Type: "number"},
		Then: &invopop.Schema{Type: "number", Minimum: "0", ExclusiveMaximum: "1"}, Else: &invopop.Schema{Type: "string"}}
}

// fraction returns the fraction of the training examples; 0 if h is the path of a file, or empty.
func (h Held) fraction() float64 {
	v, err := strconv.ParseFloat(string(h), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// file returns the path of the validation file; "" if h is a number, or empty.
func (h Held) file() string {
	if v, err := strconv.ParseFloat(string(h), 64); err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		return ""
	}
	return string(h)
}
