package main

import (
	"encoding/json"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestSettingsAsShown checks which settings gaplab show prints, and that the printed YAML has the same meaning.
func TestSettingsAsShown(t *testing.T) {
	for _, c := range []struct {
		value string // JSON
		zeros bool
		list  bool
		want  string
	}{
		{`{"eta": 0.5, "name": "eg", "as": ""}`, true, false, `{name: eg, eta: 0.5}`},
		{`{"name": "eg", "params": {"eta": 0, "steps": 3, "mode": ""}, "why": null}`, true, false,
			`{name: eg, eta: 0, steps: 3}`},
		{`{"name": "digits", "train": 0, "validation": 20, "scale": ""}`, false, false, `{name: digits, validation: 20}`},
		{`{"gap": 0, "passes": 0}`, false, false, ``},
		{`{"passes": 0}`, true, false, `{passes: 0}`},
		{`[1, 0.1]`, true, false, `[1, 0.1]`},
		{`[{"name": "a", "z": 1}, {"b": true, "name": "c"}]`, true, true, "- {name: a, z: 1}\n- {name: c, b: true}"},
		{`[{"name": "a"}, 3]`, true, false, `[{name: a}, 3]`},
		{`{"inner": {"x": "", "y": 1}, "none": {"x": ""}}`, true, false, `{inner: {"y": 1}}`},
		{`"true"`, true, false, `"true"`},
		{`false`, false, false, `false`},
		{`{"patterns": "` + strings.Repeat("word[0] suffix2[-1] ", 20) + `end"}`, true, false,
			`{patterns: '` + strings.Repeat("word[0] suffix2[-1] ", 20) + `end'}`},
	} {
		var v any
		if err := json.Unmarshal([]byte(c.value), &v); err != nil {
			t.Fatal(err)
		}
		v = present(v, c.zeros)
		if v == nil {
			if c.want != "" {
				t.Errorf("%s is not shown, want %s", c.value, c.want)
			}
			continue
		}
		got, err := flow(v, c.list)
		if err != nil {
			t.Fatal(err)
		}
		var again any
		if err := yaml.Unmarshal([]byte(got), &again); err != nil {
			t.Errorf("%s is shown as %s, which is no YAML: %v", c.value, got, err)
		}
		shown, _ := yaml.Marshal(again)
		meant, _ := yaml.Marshal(v)
		if string(shown) != string(meant) {
			t.Errorf("%s is shown as %s, which means %s", c.value, got, shown)
		}
		if got != c.want && len(c.want) < 80 {
			t.Errorf("%s is shown as %s, want %s", c.value, got, c.want)
		}
	}
}
