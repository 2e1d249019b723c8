package experiments

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

// bounds holds the files in which papers name their bounds.
//
//go:embed */bounds.json
var bounds embed.FS

// Bounds returns the bounds of theorems that a panel of a figure may name. Each is an expression in the columns, labels
// and settings of a run. The expressions use λ, so they are valid in every convention of regularisation. Each paper
// lists its bounds in bounds.json, together with the statement of the theorem.
func Bounds() (map[string]string, error) {
	names, err := fs.Glob(bounds, "*/bounds.json")
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range names {
		text, err := bounds.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var own map[string]struct{ Says, Bound string }
		if err := json.Unmarshal(text, &own); err != nil {
			return nil, fmt.Errorf("experiments/%s: %w", name, err)
		}
		for key, b := range own {
			if _, taken := out[key]; taken || b.Says == "" || b.Bound == "" {
				return nil, fmt.Errorf("experiments/%s: %s: want a new name, and the keys says and bound", name, key)
			}
			out[key] = b.Bound
		}
	}
	return out, nil
}
