package tree

import (
	"strings"
	"testing"
)

// TestSyntax checks the line and the text of errors about a text that is not YAML.
func TestSyntax(t *testing.T) {
	for text, want := range map[string]string{
		"a:\n  b: {x: 1}\n  c: 2\n    d: 3\n": "x:4: not YAML: the line begins with 4 spaces, but the value of the key in " +
			"line 3 is complete; accepted: no spaces or 2 spaces",
		"a:\n  b: 1\n c: 2\n":                   "x:3: not YAML: the line begins with 1 space; accepted: no spaces or 2",
		"a: 1\n b: 2\n":                         "x:2: not YAML: the line begins with 1 space, but the value",
		"a:\n\tb: 1\n":                          "x:2: not YAML: a tab at the beginning of the line; accepted: spaces",
		"a: >-\n   b: 1\n   c: 2\nd: [1, 2\n":   "not YAML: did not find expected ',' or ']'",
		"l:\n- a: 1\n  b: 2\n- a: [\n  c: 1,\n": "not YAML: a value is missing, or a bracket is not closed",
		"l:\n  - a: 1\n    b: 2\n   c: 2\n":     "x:4: not YAML: the line begins with 3 spaces; accepted: no spaces or 2",
		"a: {y: f(b({c: 1}), d)}\n":             `inside { } and [ ], put an expression in quotes: 'f(x, "y")'`,
		"a: {y: [}\n":                           "x:1: not YAML: a value is missing, or a bracket is not closed",
		"a: b: c\n":                             "x:1: not YAML: a second colon",
	} {
		p := &Faults{File: "x"}
		if Read(p, []byte(text)); p.Err() == nil || !strings.Contains(p.Err().Error(), want) {
			t.Errorf("%q: error %v\nwant %s", text, p.Err(), want)
		}
	}
}
