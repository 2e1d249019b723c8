package main

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

// TestFormulas checks the MathML of the notation of doc comments.
func TestFormulas(t *testing.T) {
	t.Parallel()
	const low, row = `<mtable columnalign="left"><mtr><mtd><mrow>`, `</mrow></mtd></mtr></mtable></math>`
	for text, want := range map[string]string{
		"w_k":     `<msub><mi>w</mi><mrow><mi>k</mi></mrow></msub>`,
		"α_{k+1}": `<msub><mi>α</mi><mrow><mi>k</mi><mo>+</mo><mn>1</mn></mrow></msub>`,
		"A_iᵀ":    `<msubsup><mi>A</mi><mrow><mi>i</mi></mrow><mrow><mo>⊤</mo></mrow></msubsup>`,
		"α_ic":    `<msub><mi>α</mi><mrow><mi>i</mi><mi>c</mi></mrow></msub>`,
		"w_rule":  `<msub><mi>w</mi><mrow><mtext>rule</mtext></mrow></msub>`,
		"ȳ":       `<mover accent="true"><mi>y</mi><mo stretchy="false">¯</mo></mover>`,
		"λn":      `<mi>λ</mi><mi>n</mi>`,
		"a = 1.5": `<mi>a</mi><mo>=</mo><mn>1.5</mn>`,
		"log Z":   `<mtext>log</mtext><mspace width="0.25em"/><mi>Z</mi>`,
		"a,   b":  `<mi>a</mi><mo>,</mo><mspace width="1.5em"/><mi>b</mi>`,
		"= 0.":    `<mo>=</mo><mn>0</mn><mo>.</mo>`,
		"…":       `<mo>…</mo>`,
	} {
		got := formulas(text + "\n")
		got = strings.TrimSuffix(strings.TrimPrefix(got, `<math display="block">`+low), row)
		if got != want {
			t.Errorf("%s: %s\nwant %s", text, got, want)
		}
	}
}

// TestReference checks that the page of each solver and model has its formulas as well-formed MathML with all their
// letters, and that no mark of the notation is left.
func TestReference(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test renders the documentation of all packages")
	}
	for _, p := range append(solverParts(), modelParts()...) {
		text, err := documented("..", p.kind)
		if err != nil {
			t.Fatal(err)
		}
		body := blocks(text)
		for _, math := range regexp.MustCompile(`<math.*?</math>`).FindAllString(body, -1) {
			d := xml.NewDecoder(strings.NewReader(math))
			d.Strict = true
			for {
				token, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", p.name, err)
				}
				if s, ok := token.(xml.CharData); ok && strings.ContainsAny(string(s), "_ᵀ²") {
					t.Errorf("%s: %q is left in a formula", p.name, s)
				}
			}
		}
		for _, left := range regexp.MustCompile(`[^<>\s]*[\pL\d]_\{[^<>\s]*`).FindAllString(body, -1) {
			t.Errorf("%s: the subscript of %s is not set low", p.name, left)
		}
	}
}

// TestInline checks which underscores begin a subscript.
func TestInline(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"w_k and w_{k+1}":      "<i>w</i><sub>k</sub> and <i>w</i><sub>k+1</sub>",
		"1_{y_i} − 1_y":        "<i>1</i><sub><i>y</i><sub>i</sub></sub> − <i>1</i><sub>y</sub>",
		"A_iᵀ(1_{y_i} − x)":    "<i>A</i><sub>i</sub>ᵀ(<i>1</i><sub><i>y</i><sub>i</sub></sub> − x)",
		"cost_i":               "cost<sub>i</sub>",
		"validation_error":     "validation_error",
		"cpu_seconds, w_k,w_j": "cpu_seconds, <i>w</i><sub>k</sub>,<i>w</i><sub>j</sub>",
	} {
		if got := inline(text); got != want {
			t.Errorf("%s: %s\nwant %s", text, got, want)
		}
	}
}
