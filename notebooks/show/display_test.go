package show

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
)

func line(label string) figure.Figure {
	return figure.Figure{ID: "my/line", Title: label, Panels: []figure.Panel{{
		Lines: []figure.Line{{Label: label, X: []float64{0, 1}, Y: []float64{1, 0}}}}}}
}

// TestSlider checks that a slider contains all its frames, of which one is visible, and escapes their texts for HTML.
func TestSlider(t *testing.T) {
	page := slider("C & D", []Frame{{"C < 1", line("a")}, {"C = 1", line("b")}, {"C = 2", line("c")}})
	for want, n := range map[string]int{
		"<svg": 3, "</svg>": 3, " hidden>": 2, `data-frame="0">`: 1, `data-frame="2" hidden>`: 1,
		`max="2"`: 1, "C &amp; D": 1, "C &lt; 1": 1, `oninput="`: 1,
		"<div data-slider>": 1, "<div": 5, "</div>": 5, // the script looks for frames inside this element
	} {
		if got := strings.Count(page, want); got != n {
			t.Errorf("%q occurs %d times, want %d", want, got, n)
		}
	}
	if _, script, _ := strings.Cut(page, `oninput="`); strings.ContainsAny(script[:strings.Index(script, `"`)], "<>") {
		t.Error("the script has < or >, want it escaped for its attribute")
	}
}

// TestClaimRow checks the Markdown of a table row for a claim: the emphasis of its verdict, its measured values, and
// the escaping of special characters.
func TestClaimRow(t *testing.T) {
	claim := lang.Claim{ID: "c1", Says: "a | b"}
	for _, tt := range []struct {
		name    string
		verdict claims.Verdict
		want    string
	}{
		{"reproduced", claims.Verdict{Experiment: "eg/x", Verdict: claims.Reproduced, Measured: "gap_percent <= 1"},
			`| eg/x/c1 | a \| b | reproduced | gap\_percent &lt;= 1 |`},
		{"not reproduced", claims.Verdict{Experiment: "eg/x", Verdict: claims.NotReproduced, Measured: "2 * 3"},
			`| eg/x/c1 | a \| b | **not reproduced** | 2 \* 3 |`},
		{"not testable", claims.Verdict{Experiment: "eg/x", Verdict: claims.NotTestable, Why: "a stand-in"},
			`| eg/x/c1 | a \| b | **not testable** | a stand-in |`},
		{"both", claims.Verdict{Experiment: "eg/x", Verdict: claims.NotReproduced, Measured: "1", Why: "two\nlines"},
			`| eg/x/c1 | a \| b | **not reproduced** | 1; two lines |`},
	} {
		if got := claimRow(claim, tt.verdict); got != tt.want+"\n" {
			t.Errorf("%s: got %s want %s", tt.name, got, tt.want)
		}
	}
}
