package dualspace

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestStreamsDiffer checks that the constants of streams.go have different numbers.
func TestStreamsDiffer(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "streams.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	owner := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			number, name := spec.Values[0].(*ast.BasicLit).Value, spec.Names[0].Name
			if owner[number] != "" {
				t.Errorf("%s and %s are both stream %s: give the new stream the next free number", owner[number], name, number)
			}
			owner[number] = name
		}
		return true
	})
	if len(owner) < 10 {
		t.Errorf("found %d streams in streams.go, want at least 10", len(owner))
	}
}
