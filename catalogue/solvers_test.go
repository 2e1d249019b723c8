package catalogue

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/external"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// settings holds the settings that the tests use for solvers that have a setting without a default.
var settings = map[string]solvers.Solver{
	"sgd":      &gradient.SGD{Eta0: 1},
	"gradient": &gradient.Descent{Eta0: 0.1, Step: "decay"},
	"external": &external.Program{Data: "libsvm", Weights: "liblinear", Eps: 1e-8,
		Command: []string{"liblinear-train", "-s", "4", "-c", "{C}", "-e", "{eps}", "{data}", "{model}"}},
}

// promises are properties that listed solvers have with their default settings, in addition to the contract of all
// solvers. A solver that is not a key of promises must have the properties that the function plain returns.
var promises = map[string][]solvertest.Option{
	"eg": {solvertest.Random(), solvertest.MonotoneDual(), solvertest.Accuracy(1e-6, 1e-2, 2000),
		solvertest.CallsBetweenYields(func(n int) int { return max(2, n) })},
	"egr":           {solvertest.Accuracy(1, 1e-2, 5000), between(1)},
	"one-slack":     {solvertest.MonotoneDual(), solvertest.Accuracy(1, 1e-6, 2000), between(2)},
	"n-slack":       {solvertest.MonotoneDual(), solvertest.Accuracy(1, 1e-1, 2000), between(2)},
	"extragradient": {solvertest.Accuracy(1, 0.3, 1000), between(2)},
	"bmrm":          {solvertest.MonotoneDual(), solvertest.Accuracy(1e-7, 1e-7, 500), between(1)},
	"bcfw":          {solvertest.Random(), solvertest.Accuracy(1, 1e-2, 1000), between(1)},
	"smo":           {solvertest.Random(), solvertest.MonotoneDual(), between(2)},
	"sdca":          {solvertest.Random(), solvertest.MonotoneDual()},
	"decomposition": {solvertest.MonotoneDual(), solvertest.Accuracy(1, 1e-3, 2000)},
	"sgd": {solvertest.Random(), solvertest.Lambdas(0.1, 1), solvertest.Accuracy(3e-2, 3e-2, 500),
		solvertest.MayDiverge()},
	"gradient": {solvertest.Lambdas(0.1, 1), solvertest.Accuracy(1e-5, 5e-2, 2000), between(1),
		solvertest.MayDiverge()},
	"lbfgs":             {between(40)},
	"given":             {solvertest.Searchless()},
	"ml":                {solvertest.Searchless()},
	"rsd":               {solvertest.Accuracy(1, 1e-5, 5000), between(10)},
	"barrier-cuts":      {solvertest.Accuracy(1, 1e-6, 500), between(2)},
	"external":          {solvertest.Accuracy(1, 1e-3, 1)},
	"interior-point":    {solvertest.OwnMarginals()},
	"bethe-rda":         {solvertest.Accuracy(1e-7, 1e-7, 5000), between(1), solvertest.MayDiverge()},
	"bethe-accelerated": {solvertest.Accuracy(1e-7, 1e-7, 5000), between(1)},
	"bethe-damped":      {solvertest.Accuracy(1e-7, 1e-7, 5000), between(1)},
}

// plain returns the properties of a solver that is not a key of promises: it finds the optimum, and yields at least
// once per 40 passes.
func plain() []solvertest.Option {
	return []solvertest.Option{solvertest.Accuracy(1e-3, 1e-2, 2000), between(40)}
}

// between returns the property that a solver makes at most times·n oracle calls between two yields, where n is the
// number of examples.
func between(times int) solvertest.Option {
	return solvertest.CallsBetweenYields(func(n int) int { return times * n })
}

// TestConformance runs the conformance suite on every listed solver.
func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and the packages of the solvers have such tests too")
	}
	for _, e := range Solvers() {
		t.Run(e.Name, func(t *testing.T) {
			solver := e.New()
			if s, ok := settings[e.Name]; ok {
				solver = s
			}
			if e.Revision < 1 || e.About == "" {
				t.Errorf("revision = %d, about = %q, want a revision of at least 1 and a description", e.Revision, e.About)
			}
			if p, ok := solver.(*external.Program); ok {
				if _, err := exec.LookPath(p.Command[0]); err != nil {
					t.Skipf("%s is not installed (Debian's package liblinear-tools)", p.Command[0])
				}
			}
			promised, ok := promises[e.Name]
			if !ok {
				promised = plain()
			}
			solvertest.Check(t, solver, append(slices.Clip(promised), solvertest.Columns(e.Columns),
				solvertest.Saves(e.Saves))...)
		})
	}
}

// TestReadmeNamesSolversThatResume checks that solvers/README.md has a paragraph on what happens after an interruption,
// and that this paragraph names exactly the solvers that save their state, so that their runs resume.
func TestReadmeNamesSolversThatResume(t *testing.T) {
	text, err := os.ReadFile("../solvers/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for paragraph := range strings.SplitSeq(string(text), "\n\n") {
		// The paragraph has line breaks, so the three words that the test looks for may be on two lines.
		if !strings.Contains(strings.Join(strings.Fields(paragraph), " "), "After an interruption") {
			continue
		}
		for _, e := range Solvers() {
			if strings.Contains(paragraph, "`"+e.Name+"`") != e.Saves {
				t.Errorf("%s: the paragraph names it = %v, want %v, because Saves is %v", e.Name, !e.Saves, e.Saves, e.Saves)
			}
		}
		return
	}
	t.Error(`solvers/README.md has no paragraph with the words "After an interruption", want one that names the solvers ` +
		"that resume")
}

// TestSolversAreListed checks that Solvers lists every type with a method Needs in the packages below solvers.
func TestSolversAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, e := range Solvers() {
		solver := reflect.TypeOf(e.New()).Elem()
		listed[path.Base(solver.PkgPath())+"."+solver.Name()] = true
	}
	n := 0
	files, err := filepath.Glob("../solvers/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Needs" {
				continue
			}
			receiver := f.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			n++
			if id := file.Name.Name + "." + receiver.(*ast.Ident).Name; !listed[id] {
				t.Errorf("%s: %s has a method Needs, but Solvers does not list it", name, id)
			}
		}
	}
	if n < len(listed) {
		t.Errorf("found %d types with a method Needs, want at least the %d listed ones", n, len(listed))
	}
}
