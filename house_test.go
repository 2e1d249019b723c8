// Tests of the whole module: which rooms look at which, and rules of the house that no compiler holds.
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
		t.Fatalf("only %d files: this test does not find the module", len(out))
	}
	return set, out
}

// walk calls f for each Go file of the module, by its path from the root.
func walk(t *testing.T, f func(name string)) {
	t.Helper()
	walkAll(t, func(name string) {
		if path.Ext(name) == ".go" {
			f(name)
		}
	})
}

// walkAll calls f for each file of the module, but for results, tests' data and what is hidden.
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

// below says whether a folder is one of the given, or lies below one.
func below(folder string, of ...string) bool {
	return slices.ContainsFunc(of, func(f string) bool { return folder == f || strings.HasPrefix(folder, f+"/") })
}

// floors are the rooms from the ground up, by folder: the longest prefix counts. A package imports those of its own
// floor and of lower ones.
func floors() map[string]int {
	return map[string]int{
		".": 0, "internal": 0, "experiments": 0,
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
		"harness/record":   11,
		"harness/schedule": 12,
		"harness/cluster":  13,
		"harness":          14,
		"harness/baseline": 15, "harness/campaign": 15,
		"plots": 15, "report": 16, "notebooks": 16,
		"kernel": 16, "kernel/protocol": 0, "cmd": 17, "harness/gatetest": 16, "examples": 18, "tools": 18,
	}
}

// TestImportsPointOneWay: cmd, notebooks → plots, harness → catalogue → solvers → inference → models → datasets.
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
	// Beside the floors: rooms that see only some of what is below them.
	only := []struct {
		from, may []string
		exactly   bool // may names folders without those below
	}{
		{from: []string{"plots"}, may: []string{"plots", "harness/figure"}},
		{from: []string{"experiments", "internal"}, may: []string{"internal"}},
		// Rooms of the harness work with any algorithm, model and data set: they know the cores only.
		{from: rooms(), may: append([]string{".", "datasets", "models", "solvers", "internal/machine", "internal/nearest",
			"internal/settings",
			"internal/source", "internal/tabular"}, rooms()...), exactly: true},
		// Formats, published and generated data sets share the core's kinds of data and its internal parts only.
		{from: []string{"datasets/formats", "datasets/generated", "datasets/real"}, may: []string{"datasets",
			"datasets/internal/check", "datasets/internal/parse", "datasets/internal/shape", "internal/nearest",
			"internal/settings"},
			exactly: true},
		{from: []string{"datasets/internal/store"}, may: nil},
		// Solvers work on any model.
		{from: []string{"solvers"}, may: []string{"datasets", "inference", "internal", "models", "solvers"}},
	}
	_, files := sources(t)
	for _, s := range files {
		here := floor(s.pkg)
		if here < 0 {
			t.Errorf("%s lies in a folder that has no floor", s.name)
		}
		for _, to := range s.imports {
			if there := floor(to); there > here {
				t.Errorf("%s imports %s, which is on a higher floor: %d over %d", s.name, to, there, here)
			}
			if below(s.pkg, "solvers/solvertest") { // it holds examples of models for tests
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

// rooms are the packages behind the facade of the harness.
func rooms() []string {
	return []string{"harness/trace", "harness/expr", "harness/expr/internal/stats", "harness/lang",
		"harness/lang/tree", "harness/lang/schema", "harness/lang/editor", "harness/claims", "harness/figure",
		"harness/table", "harness/table/printed", "harness/page", "harness/explore", "harness/gate", "harness/store",
		"harness/record", "harness/schedule", "harness/origin", "harness/inputs", "harness/compare", "harness/summary",
		"harness/cluster", "harness/cluster/k8s", "harness/cluster/slurm", "harness/cluster/slurm/slurmtest"}
}

// TestAlgorithmsAreNamedInTheirListsOnly: the harness takes data sets, models and solvers from the catalogue; what it
// says of one comes from there.
func TestAlgorithmsAreNamedInTheirListsOnly(t *testing.T) {
	// A name that is a word as well may be part of a text, but not all of it.
	words := []string{"binary", "chain", "collective", "decomposition", "digits", "discrete", "external", "given",
		"gradient", "grammar", "inference", "kernel", "markov", "migration", "references", "same", "sentences",
		"tracking", "words"}
	const convention = "eg"
	text, err := os.ReadFile("experiments/schema.json") // it is current: a test of package experiments
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
		t.Fatalf("only %d names: this test does not find the lists", len(names))
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
				field.Tag = nil // keys of the language
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
					continue // a convention of regularisation is called so too
				}
				if text == name || !slices.Contains(words, name) && holdsWord(text, name) {
					t.Errorf("%s: %q names %s: the harness knows only the lists", set.Position(literal.Pos()), text, name)
				}
			}
			return true
		})
	}
}

// holdsWord says whether a text holds a name that is no part of a longer one.
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

// TestLinesFit: lines of Go have up to 120 columns, a tab being one; but for addresses, and rows of tables in tests.
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

// TestPagesHaveTemplates: no number in a README.md is typed by hand. That they are what their templates give is a test
// of package docs.
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
		t.Errorf("only %d files README.md: this test does not find them", pages)
	}
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
