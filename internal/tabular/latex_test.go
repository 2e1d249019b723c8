package tabular

import (
	"strings"
	"testing"
)

func TestLaTeX(t *testing.T) {
	table := &Listing{Head: []string{"solver", "C_max %"}, Right: []string{"C_max %"}}
	table.Add("a&b", "≥ 1.5")
	var out strings.Builder
	if err := table.LaTeX(&out); err != nil {
		t.Fatal(err)
	}
	want := `\begin{tabular}{lr}
\toprule
solver & C\_max \% \\
\midrule
a\&b & $\geq$ 1.5 \\
\bottomrule
\end{tabular}
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
}
