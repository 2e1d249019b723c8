package expr_test

import (
	"os"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
)

// TestReferenceExamples checks that each function of expressions is documented once, with a text and an example, and
// that the example compiles. An example that reads no curve and no file must also be true.
func TestReferenceExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, doc := range expr.Reference() {
		if seen[doc.Name] || doc.Says == "" || !strings.HasPrefix(doc.Signature, doc.Name+"(") ||
			!strings.Contains(doc.Example, doc.Name+"(") {
			t.Errorf("documentation %+v is incomplete, or its function is documented twice", doc)
		}
		seen[doc.Name] = true
		if err := expr.Check("assert", doc.Example); err != nil {
			t.Errorf("example of %s: %v", doc.Name, err)
		}
		if !strings.Contains(doc.Example, "curve") && !strings.Contains(doc.Example, "series") &&
			!strings.Contains(doc.Example, `("`) {
			if v := judge(evidence(), doc.Example); v.outcome != holds {
				t.Errorf("example %s: outcome = %s: %s, want %s", doc.Example, v.outcome, v.says, holds)
			}
		}
	}
}

// TestPackageComment checks that the expressions in the comment of package expr compile.
func TestPackageComment(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	_, language, _ := strings.Cut(string(text), "# The language")
	for line := range strings.Lines(language) {
		if expression, ok := strings.CutPrefix(line, "//\t"); ok {
			tested++
			if err := expr.Check("assert", expression); err != nil {
				t.Error(err)
			}
		}
	}
	if tested != 5 {
		t.Errorf("%d expressions found in the package comment, want 5", tested)
	}
}
