package catalogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestModels runs the conformance suite on every listed model.
func TestModels(t *testing.T) { modeltest.CheckList(t, Models()) }

// TestLabelLossIsOneByDefault checks that by default a wrong class or tree costs 1, so that the hinge at zero weights
// is 1.
func TestLabelLossIsOneByDefault(t *testing.T) {
	trees := &datasets.Treebank{Trees: examples.Ambiguous().Trees[:2]} // two sentences, each with two possible trees
	for name, data := range map[string]datasets.Data{"binary": examples.Rows(5, 3, 2, true),
		"multiclass": examples.Rows(5, 3, 3, true), "kernel": examples.Rows(5, 3, 3, true), "cfg": trees} {
		i := slices.IndexFunc(Models(), func(e models.Entry) bool { return e.Name == name })
		task := examples.Build(t, Models()[i].New(), data, nil)
		w := make([]float64, task.Dim())
		if got := task.Objective(models.Hinge(), 1).(*models.Risk).Primal(w); got != 1 {
			t.Errorf("%s: hinge at zero weights = %v, want 1", name, got)
		}
	}
}

// TestModelsAreListed checks that Models lists every type with a method Build in the packages below models.
func TestModelsAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, e := range Models() {
		model := reflect.TypeOf(e.New()).Elem()
		listed[path.Base(model.PkgPath())+"."+model.Name()] = true
	}
	n := 0
	err := fs.WalkDir(os.DirFS("../models"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path.Join("../models", name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			receiver := builder(d)
			if receiver == "" {
				continue
			}
			n++
			if !listed[file.Name.Name+"."+receiver] {
				t.Errorf("models/%s: type %s has a method Build, but Models does not list it", name, receiver)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < len(listed) {
		t.Errorf("found %d types with a method Build, want at least the %d listed ones", n, len(listed))
	}
}

// builder returns the receiver type if the declaration is a method Build, otherwise "".
func builder(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv == nil || f.Name.Name != "Build" {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	return t.(*ast.Ident).Name
}
