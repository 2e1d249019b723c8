package markdown_test

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/internal/markdown"
)

// TestHTML checks that formulas become MathML, that code and amounts of money stay as they are, and that the rest is
// converted as Markdown.
func TestHTML(t *testing.T) {
	got, err := markdown.HTML("A *gap* of $P_i - D_i$, `a_$b$`, 3 $.\n\n$$\\sum_i \\alpha_i \\le 1$$\n\n" +
		"| a | b |\n| - | - |\n| 1 | 2 |\n")
	if err != nil {
		t.Fatal(err)
	}
	page := string(got)
	for _, want := range []string{"<em>gap</em>", "<code>a_$b$</code>", "3 $.</p>", "<table>", `display="block"`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
	if n := strings.Count(page, "<math "); n != 2 {
		t.Errorf("%d formulas, want 2", n)
	}
}
