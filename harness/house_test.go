package harness

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gaplab/gaplab"

// source is one file of the module that is no test.
type source struct {
	name, pkg string // slash-separated, from the module's root
	file      *ast.File
	imports   []string // folders of the module
}

// sources parses the module's own code, tests and testdata apart.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	set := token.NewFileSet()
	var out []source
	walk(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(set, filepath.Join("..", name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		s := source{name: name, pkg: path.Dir(name), file: file}
		for _, spec := range file.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Error(err)
			}
			if folder, ok := strings.CutPrefix(p, module+"/"); ok {
				s.imports = append(s.imports, folder)
			}
		}
		out = append(out, s)
	})
	if len(out) < 50 {
		t.Fatalf("only %d files: this test does not find the module", len(out))
	}
	return set, out
}

// walk calls f for each Go file of the module, by its path from the root.
func walk(t *testing.T, f func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." &&
			(strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "results"):
			return fs.SkipDir
		case !entry.IsDir() && path.Ext(name) == ".go":
			f(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// below says whether a folder is one of the given, or lies below one.
func below(folder string, of ...string) bool {
	return slices.ContainsFunc(of, func(f string) bool { return folder == f || strings.HasPrefix(folder, f+"/") })
}

// TestImportsPointOneWay: cmd, notebooks → harness, plots → solvers → models → datasets.
func TestImportsPointOneWay(t *testing.T) {
	rooms := []string{"harness/lang", "harness/trace", "harness/expr", "harness/claims", "harness/figure",
		"harness/table"}
	rules := []struct {
		from    []string
		may     []string // folders of the module, with those below
		exactly bool     // may names them without those below
	}{
		{from: []string{"datasets"}, may: []string{"datasets"}},
		{from: []string{"models"}, may: []string{"models", "datasets"}},
		{from: []string{"solvers"}, may: []string{"solvers", "models", "datasets"}},
		{from: []string{"plots"}, may: []string{"plots", "harness/figure"}},
		{from: []string{"harness/lang"}, may: []string{"harness/lang"}},
		{from: []string{"harness/trace"}, may: []string{"harness/trace"}},
		{from: []string{"harness/expr"}, may: []string{"harness/expr", "harness/trace", "harness/table/printed"}},
		{from: []string{"harness/claims"}, may: []string{"harness/claims", "harness/expr", "harness/lang", "harness/trace"}},
		{from: []string{"harness/figure"}, may: []string{"harness/figure", "harness/expr", "harness/lang", "harness/trace"}},
		{from: []string{"harness/table"}, may: []string{"harness/table", "harness/expr", "harness/lang", "harness/trace"}},
		{from: []string{"."}, may: nil},
		{from: []string{"internal"}, may: nil},
		{from: []string{"experiments"}, may: nil},
		{from: []string{"harness"},
			may: append([]string{"harness", ".", "experiments", "solvers", "models", "models/cgm", "models/nonlocal", "datasets"},
				rooms...), exactly: true},
		{from: []string{"notebooks"},
			may: []string{"notebooks", "harness", "plots", "experiments", "solvers", "models", "datasets"}},
		{from: []string{"cmd"}, may: []string{"notebooks", "harness", "plots", "experiments", "solvers", "models",
			"datasets"}},
	}
	_, files := sources(t)
	for _, s := range files {
		known := false
		for _, r := range rules {
			if !below(s.pkg, r.from...) || r.exactly && (s.pkg != "harness") {
				continue
			}
			known = true
			for _, to := range s.imports {
				if r.exactly && !slices.Contains(r.may, to) || !r.exactly && !below(to, r.may...) {
					t.Errorf("%s imports %s; %v may import %v", s.name, to, r.from, r.may)
				}
			}
		}
		if !known {
			t.Errorf("%s lies in a folder that this test has no rule for", s.name)
		}
	}
}

// TestAlgorithmsAreNamedInTheirListsOnly: the harness takes data sets, models and solvers from the lists of their
// packages.
func TestAlgorithmsAreNamedInTheirListsOnly(t *testing.T) {
	lists := map[string][]string{ // what package harness may use of these packages, beside types of their core files
		"solvers": exported(t, "../solvers/solver.go", "../solvers/all.go"),
		"models": exported(t, "../models/problem.go", "../models/all.go", "../models/loss.go", "../models/evaluate.go",
			"../models/energy.go"),
		"datasets": append(exported(t, "../datasets/data.go", "../datasets/all.go", "../datasets/source.go",
			"../datasets/errors.go", "../datasets/catalogue.go"),
			"LIBSVM"), // predictions are of a file in that format
	}
	_, files := sources(t)
	for _, s := range files {
		if s.pkg != "harness" {
			continue
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			sel, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && lists[x.Name] != nil && slices.Contains(s.imports, x.Name) &&
				!slices.Contains(lists[x.Name], sel.Sel.Name) {
				t.Errorf("%s uses %s.%s: the harness knows only the lists", s.name, x.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// exported lists the names that files declare at their top level.
func exported(t *testing.T, files ...string) (names []string) {
	t.Helper()
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names = append(names, spec.Name.Name)
					case *ast.ValueSpec:
						for _, n := range spec.Names {
							names = append(names, n.Name)
						}
					}
				}
			}
		}
	}
	return names
}

// TestNoPackageState: no init functions, and no variables of packages that could change.
func TestNoPackageState(t *testing.T) {
	set, files := sources(t)
	for _, s := range files {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: a function init: say what happens where it happens", set.Position(d.Pos()))
				}
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					if v := spec.(*ast.ValueSpec); !constant(v) {
						t.Errorf("%s: a variable of the package: make it a constant, a function, or a field", set.Position(v.Pos()))
					}
				}
			}
		}
	}
}

// constant says whether a variable is a constant that Go has no word for: an interface that is checked, an error, an
// embedded folder, a value made once.
func constant(v *ast.ValueSpec) bool {
	if !slices.ContainsFunc(v.Names, func(n *ast.Ident) bool { return n.Name != "_" }) {
		return true
	}
	if sel, ok := v.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "FS" { // of package embed
		return true
	}
	if len(v.Values) == 0 {
		return false
	}
	for _, value := range v.Values {
		call, ok := value.(*ast.CallExpr)
		if !ok {
			return false
		}
		fun := call.Fun
		if index, ok := fun.(*ast.IndexExpr); ok { // of a type parameter
			fun = index.X
		}
		sel, ok := fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || !slices.Contains([]string{"errors.New", "sync.OnceValue", "sync.OnceValues", "regexp.MustCompile"},
			x.Name+"."+sel.Sel.Name) {
			return false
		}
	}
	return true
}
