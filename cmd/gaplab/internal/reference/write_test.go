package reference

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestTexts checks the whole texts for a terminal of a small reference: each key and setting has its own description
// and example, also if a setting of two components has the same name.
func TestTexts(t *testing.T) {
	r := &Reference{
		Keys: []Key{{Path: "stop", Type: "mapping", Says: "When runs end."}, {Path: "stop.gap", Type: "number > 0",
			Default: "0.01", Says: "The gap."}, {Path: "seed", Type: "integer", Says: "The seed."}},
		Components: []Component{{Kind: "solver", Name: "a", Says: "First.", Settings: []Key{{Path: "rate", Type: "number",
			Says: "Of a."}, {Path: "order", Type: "x | y", Default: `"x"`, Says: "Visits."}}}, {Kind: "model", Name: "a",
			Says: "Second.", Settings: []Key{{Path: "rate", Type: "number", Says: "Of the model."}}}, {Kind: "solver",
			Name: "b", Says: "Third."}},
	}
	examples := map[string]Example{"stop.gap": {"stop: {gap: 1}", "my/x"}, "seed": {"seed: 7", ""},
		"solver a.rate": {"s: 1", ""}, "model a.rate": {"m: 1", "my/y"}, "solver a.order": {"o: y", "my/z"}}
	var b bytes.Buffer
	r.Spec(&b, 80, examples)
	_, got, _ := strings.Cut(b.String(), "named experiments.\n")
	want := `
stop: mapping
    When runs end.

stop.gap: number > 0; default 0.01
    The gap.
    e.g. stop: {gap: 1}   (my/x)

seed: integer
    The seed.
    e.g. seed: 7
`
	if got != want {
		t.Errorf("keys:\n%s\nwant\n%s", got, want)
	}
	b.Reset()
	r.List(&b, 80, examples)
	want = `a
    First.
  rate: number
    Of a.
    e.g. s: 1
  order: x | y; default "x"
    Visits.
    e.g. o: y   (my/z)

a
    Second.
  rate: number
    Of the model.
    e.g. m: 1   (my/y)

b
    Third.
`
	if b.String() != want {
		t.Errorf("components:\n%s\nwant\n%s", &b, want)
	}
}

// TestWrapped checks that wrapped lines have the words of the text in their order, with the indentation, as many in
// each line as fit its width.
func TestWrapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 28))
	for range 300 {
		var words []string
		for range rng.IntN(20) {
			words = append(words, strings.Repeat("ü", 1+rng.IntN(9)))
		}
		indent, width := strings.Repeat(" ", rng.IntN(5)), 4+rng.IntN(30)
		lines := strings.Split(wrapped(strings.Join(words, " \n"), indent, width), "\n")
		var got []string
		for i, line := range lines {
			own := strings.Fields(line)
			if line != indent+strings.Join(own, " ") || len([]rune(line)) > width && len(own) > 1 {
				t.Fatalf("width %d: line %q", width, line)
			}
			if i > 0 && len([]rune(lines[i-1]))+1+len([]rune(own[0])) <= width {
				t.Fatalf("width %d: the word %q fits the line before, %q", width, own[0], lines[i-1])
			}
			got = append(got, own...)
		}
		if strings.Join(got, " ") != strings.Join(words, " ") {
			t.Fatalf("words %q, want %q", got, words)
		}
	}
}

// TestAccepted checks the value that an example of a setting has which no spec uses.
func TestAccepted(t *testing.T) {
	for _, c := range []struct{ kind, def, want string }{
		{"x | y | z", `"x"`, "y"}, {"x | y | z", `"y"`, "x"}, {"x | y", "", "x"}, {"true | false", "true", "false"},
		{"true | false", "false", "true"}, {"integer ≥ 2", "", "2"}, {"integer ≥ 2 and ≤ 9", "", "2"},
		{"integer ≥ 2", "7", "7"}, {"number ≥ 0", "", "0.1"}, {"number ≥ 0 and < 1", "", "0.1"},
		{"number ≥ 0", "3", "3"}, {"text", `"a"`, "a"}, {"text", "", ""}, {"number", "", ""},
	} {
		if got := (Key{Type: c.kind, Default: c.def}).accepted(); got != c.want {
			t.Errorf("%s with the default %s accepts %q, want %q", c.kind, c.def, got, c.want)
		}
	}
	for kind, want := range map[string]string{"solver": "solvers: [{name: n, k: v}]",
		"format": "dataset: {format: n, k: v}", "dataset": "dataset: {name: n, k: v}", "model": "model: {name: n, k: v}"} {
		if got := (Component{Kind: kind, Name: "n"}).with("k", "v"); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}
