package models_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// Every type of the package with a method Build is in the list.
func TestAllIsComplete(t *testing.T) {
	var listed []string
	for _, e := range models.All() {
		listed = append(listed, reflect.TypeOf(e.New()).Elem().Name())
	}
	for _, name := range receivers(t, "Build") {
		if !slices.Contains(listed, name) {
			t.Errorf("type %s has a method Build, but models.All does not list it: want a line in all.go", name)
		}
	}
}

// receivers are the types of this folder's files, tests apart, that have the method.
func receivers(t *testing.T, method string) []string {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != method || fn.Recv == nil {
				continue
			}
			receiver := fn.Recv.List[0].Type
			if star, ok := receiver.(*ast.StarExpr); ok {
				receiver = star.X
			}
			if id, ok := receiver.(*ast.Ident); ok {
				names = append(names, id.Name)
			}
		}
	}
	if len(names) == 0 {
		t.Fatalf("no type of package models has a method %s", method)
	}
	return names
}

// An entry says what its tasks are: the losses have names, and the metrics are those of a task.
func TestAllIsTrue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range models.All() {
		if e.Name == "" || seen[e.Name] || e.About == "" {
			t.Errorf("entry %q: want a name of its own, and a line about it", e.Name)
		}
		seen[e.Name] = true
		if len(e.Losses) == 0 {
			t.Errorf("%s: lists no loss", e.Name)
		}
		for _, name := range e.Losses {
			if _, ok := models.LossNamed(name); !ok {
				t.Errorf("%s: lists the loss %q, which LossNamed does not know", e.Name, name)
			}
		}
		if e.New() == nil || reflect.TypeOf(e.New()).Kind() != reflect.Pointer {
			t.Errorf("%s: New gives %T: want a pointer to the model's settings", e.Name, e.New())
		}
	}
	d := rows(5, 3, 3, false)
	for _, task := range []*models.Task{build(t, d, d),
		buildModel(t, &models.Binary{LossScale: 1}, signed(5, 3, false), signed(5, 3, false)),
		buildModel(t, exactKernel("rbf", 1), d, d)} {
		var metrics []string
		for _, m := range task.Metrics {
			metrics = append(metrics, m.Name)
		}
		at := slices.IndexFunc(models.All(), func(e models.Entry) bool { return e.Name == task.Model })
		if at < 0 || !slices.Equal(models.All()[at].Metrics, metrics) {
			t.Errorf("the tasks of %s report %v, which is not what models.All says", task.Model, metrics)
		}
	}
}

// The default settings of the models of labelled rows are ones that they accept.
func TestAllDefaults(t *testing.T) {
	for _, e := range models.All() {
		if !slices.Contains([]string{"binary", "multiclass", "kernel"}, e.Name) {
			continue
		}
		task := buildModel(t, e.New(), signed(5, 3, true), signed(5, 3, true))
		if v := task.Problem(models.Hinge(), 1).Primal(make([]float64, task.Dim)); !(v > 0) {
			t.Errorf("%s: the hinge at w = 0 is %v: want the label loss", e.Name, v)
		}
	}
}

// A grammar says how large it is.
func TestCFGFacts(t *testing.T) {
	task := buildCFG(t, models.CFG{LossScale: 100},
		parseTrees("(S (NP (N I)) (VP (V saw) (NP (N men))))", "(S (NP (N saw)) (VP (V I)))"), nil)
	// S → NP VP, NP → N, VP → V NP, VP → V; I and saw as either, men
	want := map[string]float64{"rules": 4, "lexical_rules": 5}
	if !maps.Equal(task.Facts, want) {
		t.Errorf("the facts are %v: want %v", task.Facts, want)
	}
}
