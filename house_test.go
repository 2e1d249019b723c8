// Package gaplab_test checks rules for the whole module that the compiler does not check, such as which packages may
// import which.
package gaplab_test

import (
	"encoding/json"
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
	"unicode/utf8"

	"github.com/gaplab/gaplab"
)

const module = gaplab.Module

// source is one Go file of the module, other than a test.
type source struct {
	name, pkg string // path of the file and of its folder, slash-separated, relative to the module's root
	file      *ast.File
	imports   []string // folders of the imported packages of this module
}

// sources parses the Go files of the module, except tests and files in testdata folders.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	set := token.NewFileSet()
	var out []source
	walk(t, func(name string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(set, filepath.FromSlash(name), nil, parser.SkipObjectResolution)
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
		t.Fatalf("found %d Go files, want at least 50: the test does not find the module", len(out))
	}
	return set, out
}

// walk calls f for each Go file of the module. The name is the path of the file relative to the module's root.
func walk(t *testing.T, f func(name string)) {
	t.Helper()
	walkAll(t, func(name string) {
		if path.Ext(name) == ".go" {
			f(name)
		}
	})
}

// walkAll calls f for each file of the module, except the files in folders named results or testdata and in hidden
// folders.
func walkAll(t *testing.T, f func(name string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." &&
			(strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" || entry.Name() == "results"):
			return fs.SkipDir
		case !entry.IsDir():
			f(name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// below reports whether a folder is one of the folders in of, or is inside one of them.
func below(folder string, of ...string) bool {
	return slices.ContainsFunc(of, func(f string) bool { return folder == f || strings.HasPrefix(folder, f+"/") })
}

// floors returns the layer of each folder, as a number from 0 for the lowest layer. A folder that is not listed belongs
// to the layer of its nearest parent in the list. A package may import packages of its own layer and of lower layers.
func floors() map[string]int {
	return map[string]int{
		".": 0, "internal": 0, "experiments": 0, "results": 0,
		"datasets": 1,
		"models":   2, "models/internal": 2, "inference": 3,
		"models/multiclass": 3, "models/chain": 3, "models/deptree": 3, "models/cfg": 3, "models/kernel": 3,
		"models/generative": 3, "models/nonlocal": 4, "models/collective": 4, "models/modeltest": 5,
		"solvers": 5, "solvers/solvertest": 6,
		"catalogue":     7,
		"harness/trace": 8, "harness/table/printed": 8, "harness/lang/tree": 8, "harness/lang/schema": 8,
		"harness/expr": 9, "harness/lang": 9, "harness/lang/editor": 10,
		"harness/claims": 10, "harness/figure": 10,
		"harness/table": 10, "harness/compare": 10, "harness/summary": 10, "harness/gate": 10,
		"harness/store": 10, "harness/origin": 10, "harness/inputs": 11, "harness/page": 11, "harness/explore": 11,
		"harness/record": 11, "harness/choice": 11, "harness/shipped": 11, "harness/entries": 11,
		"harness/schedule": 12,
		"harness/cluster":  13,
		"harness":          14,
		"harness/baseline": 15, "harness/campaign": 15, "harness/edition": 15, "harness/crate": 15,
		"plots": 15, "report": 16, "notebooks": 16, "articles": 16, "site": 16,
		"kernel": 16, "kernel/protocol": 0, "cmd": 17, "harness/gatetest": 16, "examples": 18, "tools": 18,
	}
}

// TestImportsPointOneWay checks that packages import only packages of their own and of lower layers: cmd, notebooks →
// plots, harness → catalogue → solvers → inference → models → datasets. Some packages may import less.
func TestImportsPointOneWay(t *testing.T) {
	floors := floors()
	floor := func(folder string) int {
		for f := folder; ; f = path.Dir(f) {
			if n, ok := floors[f]; ok && (f != "." || folder == ".") {
				return n
			}
			if f == "." {
				return -1
			}
		}
	}
	// Packages in folders of from may import only packages in folders of may.
	only := []struct {
		from, may []string
		exactly   bool // if true, packages in subfolders of may are not allowed
	}{
		{from: []string{"plots"}, may: []string{"plots", "harness/figure", "internal/replace"}},
		{from: []string{"experiments", "internal"}, may: []string{"internal"}},
		// Packages of the harness work with any algorithm, model and data set. So they import only the packages datasets,
		// models and solvers, which define the interfaces, and no implementation.
		{from: rooms(), may: append([]string{".", "datasets", "models", "solvers", "internal/machine", "internal/nearest",
			"internal/replace", "internal/settings", "internal/source", "internal/tabular"}, rooms()...), exactly: true},
		// Loaders of formats, generated and published data sets import package datasets and its internal packages, but not
		// each other.
		{from: []string{"datasets/formats", "datasets/generated", "datasets/real"}, may: []string{"datasets",
			"datasets/internal/check", "datasets/internal/parse", "datasets/internal/shape", "internal/nearest",
			"internal/settings"},
			exactly: true},
		{from: []string{"datasets/internal/store"}, may: nil},
		// Solvers work with any model, so they do not import the harness.
		{from: []string{"solvers"}, may: []string{"datasets", "inference", "internal", "models", "solvers"}},
	}
	_, files := sources(t)
	for _, s := range files {
		here := floor(s.pkg)
		if here < 0 {
			t.Errorf("%s: its folder has no layer: add the folder to the function floors", s.name)
		}
		for _, to := range s.imports {
			if there := floor(to); there > here {
				t.Errorf("%s imports %s, whose layer %d is above layer %d", s.name, to, there, here)
			}
			if below(s.pkg, "solvers/solvertest") { // solvertest needs example models for tests
				continue
			}
			for _, o := range only {
				if below(s.pkg, o.from...) && (!below(to, o.may...) || o.exactly && !slices.Contains(o.may, to)) {
					t.Errorf("%s imports %s; %v may import %v", s.name, to, o.from, o.may)
				}
			}
		}
	}
}

// rooms returns the folders of the packages that package harness is built from.
func rooms() []string {
	return []string{"harness/trace", "harness/expr", "harness/expr/internal/stats", "harness/lang",
		"harness/lang/tree", "harness/lang/schema", "harness/lang/editor", "harness/claims", "harness/figure",
		"harness/table", "harness/table/printed", "harness/page", "harness/explore", "harness/gate", "harness/store",
		"harness/record", "harness/choice", "harness/shipped",
		"harness/schedule", "harness/origin", "harness/inputs", "harness/compare", "harness/summary",
		"harness/cluster", "harness/cluster/k8s", "harness/cluster/slurm", "harness/cluster/slurm/slurmtest"}
}

// TestAlgorithmsAreNamedInTheirListsOnly checks that no string in the harness contains the name of a data set, model or
// solver. The harness must take these names and everything that it prints about them from the catalogue.
func TestAlgorithmsAreNamedInTheirListsOnly(t *testing.T) {
	// These names are also English words. A string may contain them, but must not be equal to one.
	words := []string{"binary", "chain", "collective", "decomposition", "digits", "discrete", "external", "given",
		"gradient", "grammar", "inference", "kernel", "markov", "migration", "references", "same", "sentences",
		"tracking", "words"}
	const convention = "eg"
	text, err := os.ReadFile("experiments/schema.json") // package experiments tests that it is up to date
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var names []string
	for key := range schema.Defs {
		if list, name, _ := strings.Cut(key, "-"); slices.Contains([]string{"dataset", "model", "solver"}, list) {
			names = append(names, name)
		}
	}
	if len(names) < 40 {
		t.Fatalf("found %d names, want at least 40: the test does not find the lists of the catalogue", len(names))
	}
	set, files := sources(t)
	for _, s := range files {
		if !below(s.pkg, "harness", "plots") {
			continue
		}
		ast.Inspect(s.file, func(node ast.Node) bool {
			if _, ok := node.(*ast.ImportSpec); ok {
				return false
			}
			if field, ok := node.(*ast.Field); ok && field.Tag != nil {
				field.Tag = nil // ignores struct tags, which are keys of the spec language
			}
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				if name == convention && below(s.pkg, "harness/lang") {
					continue // eg is also the name of a convention of regularisation
				}
				if text == name || !slices.Contains(words, name) && holdsWord(text, name) {
					t.Errorf("%s: %q contains the name %s; want no names of data sets, models or solvers in the harness",
						set.Position(literal.Pos()), text, name)
				}
			}
			return true
		})
	}
}

// holdsWord reports whether a text contains a name as a whole word, not inside a longer name.
func holdsWord(text, name string) bool {
	part := func(r byte) bool {
		return r == '-' || r == '_' || r == '/' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !part(text[at-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		from = at + 1
	}
}

// TestLinesFit checks that lines of Go files have at most 120 columns. A tab counts as one column. Lines with a URL and
// rows of tables in tests may be longer.
func TestLinesFit(t *testing.T) {
	walk(t, func(name string) {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Error(err)
			return
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > 120 && !strings.Contains(line, "https://") &&
				!strings.HasPrefix(strings.TrimSpace(line), "|") {
				t.Errorf("%s:%d: %d columns; want at most 120", name, i+1, n)
			}
		}
	})
}

// TestPagesHaveTemplates checks that each README.md has a template, from which a program computes the numbers in the
// page. A test of package docs checks that each page is what its template gives.
func TestPagesHaveTemplates(t *testing.T) {
	pages := 0
	walkAll(t, func(name string) {
		if path.Base(name) != "README.md" {
			return
		}
		pages++
		if _, err := os.Stat(filepath.FromSlash(name + ".tmpl")); err != nil {
			t.Errorf("%s has no template %[1]s.tmpl", name)
		}
	})
	if pages < 6 {
		t.Errorf("found %d files README.md, want at least 6: the test does not find them", pages)
	}
}

// TestNoPackageState checks that no package has an init function or a package variable that could change.
func TestNoPackageState(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all sources")
	}
	set, files := sources(t)
	for _, s := range files {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: a function init; want none: call the code where its result is needed", set.Position(d.Pos()))
				}
			case *ast.GenDecl:
				if d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					if v := spec.(*ast.ValueSpec); !constant(v) {
						t.Errorf("%s: a package variable that can change: make it a constant, a function, or a field",
							set.Position(v.Pos()))
					}
				}
			}
		}
	}
}

// constant reports whether a package variable never changes. Accepted are checks that a type implements an interface
// (named _), errors, embedded folders, regular expressions, and values that sync.OnceValue computes.
func constant(v *ast.ValueSpec) bool {
	if !slices.ContainsFunc(v.Names, func(n *ast.Ident) bool { return n.Name != "_" }) {
		return true
	}
	if sel, ok := v.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "FS" { // embed.FS
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
		if index, ok := fun.(*ast.IndexExpr); ok { // a function with type arguments, such as sync.OnceValue[T]
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
