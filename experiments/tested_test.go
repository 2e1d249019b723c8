package experiments_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
)

// TestClaimsNameTheirTests checks that the Go test that a claim names exists.
func TestClaimsNameTheirTests(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all tests")
	}
	tests := map[string]bool{}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != ".." &&
			(strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "results"):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				tests[f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	exps, err := harness.Experiments()
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, e := range exps {
		s, err := e.At("", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range s.Claims {
			if c.Tested == "" {
				continue
			}
			named++
			if !tests[c.Tested] {
				t.Errorf("%s:%d: claim %s names the test %s, which does not exist", e.Name, c.Line, c.ID, c.Tested)
			}
		}
	}
	if named == 0 {
		t.Error("no claim names a test")
	}
}
