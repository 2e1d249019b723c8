package show_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

var full = flag.Bool("full", false, "execute each exercise three times, not once")

// blank is the end of each line of an exercise that a reader must complete.
const blank = "your answer"

// TestExercises compiles the exercises of all notebooks into a program. It executes each cell at smoke scale, with
// right answers in place of the lines that a reader must complete. With -full it also executes each cell unchanged, and
// with wrong answers. It checks what the cells print about the answers.
func TestExercises(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program and runs experiments")
	}
	books := exercises(t)
	program := build(t, books)
	results := t.TempDir() // one folder for all variants, so that runs are reused
	for _, folder := range []string{"results", "experiments"} {
		if err := os.Mkdir(filepath.Join(results, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, b := range books {
		for i, c := range b.cells {
			for variant, check := range map[string]func(verdicts []string) bool{
				"blank": func(v []string) bool { return every(v, "not answered yet") },
				"right": func(v []string) bool { return every(v, "right") },
				"wrong": func(v []string) bool { return every(v, "not yet: ") },
			} {
				t.Run(b.name+"/"+c.id+"/"+variant, func(t *testing.T) {
					if !*full && (variant != "right" || i > 0) {
						t.Skip("run go test ./notebooks/show -run TestExercises -args -full")
					}
					cmd := exec.Command(program, b.name, c.id, variant)
					cmd.Dir, cmd.Env = results, append(os.Environ(), "GAPLAB_SCALE=smoke")
					out, err := cmd.CombinedOutput()
					var verdicts []string
					for line := range strings.Lines(string(out)) {
						if at := strings.Index(line, ": "); at > 0 && strings.HasPrefix(line, "Exercise") {
							verdicts = append(verdicts, strings.TrimSpace(line[at+2:]))
						}
					}
					if err != nil || !check(verdicts) {
						t.Errorf("error %v, or not the expected verdicts: %q, output:\n%s", err, verdicts, out)
					}
				})
			}
		}
	}
}

func every(verdicts []string, prefix string) bool {
	other := func(v string) bool { return !strings.HasPrefix(v, prefix) }
	return len(verdicts) > 0 && !slices.ContainsFunc(verdicts, other)
}

// book is a notebook: the Go declarations in its cells, and its exercises.
type book struct {
	name         string
	declarations []string
	cells        []exercise
}

type exercise struct{ id, source string }

// exercises reads the notebooks. It checks that each has two or three exercises, and that this test has their
// solutions.
func exercises(t *testing.T) []book {
	t.Helper()
	paths, err := filepath.Glob("../*.ipynb")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks beside this package: %v", err)
	}
	var books []book
	unused := solutions()
	for _, p := range paths {
		nb, err := ipynb.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		if nb.Metadata.Kernel.Name != "gonb" {
			continue // its cells are not in Go
		}
		b := book{name: strings.TrimSuffix(filepath.Base(p), ".ipynb")}
		for _, c := range nb.Cells {
			if c.Type != "code" {
				continue
			}
			if !strings.Contains(string(c.Source), blank) {
				b.declarations = append(b.declarations, declared(string(c.Source)))
				continue
			}
			x := exercise{fmt.Sprint(len(b.cells) + 1), string(c.Source)}
			b.cells = append(b.cells, x)
			s, ok := unused[b.name+" "+x.id]
			if blanks := strings.Count(x.source, blank); !ok || len(s.right) != blanks || len(s.wrong) != blanks {
				t.Errorf("%s: exercise %s has %d blanks; its solutions are %+v", b.name, x.id, blanks, s)
			}
			delete(unused, b.name+" "+x.id)
		}
		if n := len(b.cells); n < 2 || n > 3 {
			t.Errorf("%s has %d exercises; want two or three", b.name, n)
		}
		books = append(books, b)
	}
	for name := range unused {
		t.Errorf("the test has a solution of exercise %s, but no notebook has this exercise", name)
	}
	if t.Failed() {
		t.FailNow()
	}
	return books
}

// declared returns the Go declarations of a cell: the lines before %%, without commands to the kernel.
func declared(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if strings.HasPrefix(line, "%%") {
			break
		}
		if !strings.HasPrefix(line, "!") && !strings.HasPrefix(line, "%") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// body returns the cell of an exercise as the body of a function. If answers are given, they replace the lines that a
// reader must complete.
func body(source string, answers []string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		switch {
		case strings.HasPrefix(line, "%%"):
		case strings.Contains(line, blank) && answers != nil:
			b.WriteString(answers[0] + "\n")
			answers = answers[1:]
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// build compiles the exercises to a program: a package for each notebook, and a main package that calls them. The
// source files exist only in an overlay (see go help build). The arguments of the program are a notebook, the number of
// an exercise, and a variant: right, wrong, or blank for the unchanged cell.
func build(t *testing.T, books []book) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	add := func(folder, text string) {
		name := filepath.Join(dir, path.Base(folder)+".go")
		formatted, err := format.Source([]byte(text))
		if err != nil {
			t.Fatalf("the generated Go file of %s has an error: %v\n%s", folder, err, text)
		}
		original, err := filepath.Abs(filepath.Join("..", filepath.FromSlash(folder), "cells.go"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, formatted, 0o644); err != nil {
			t.Fatal(err)
		}
		replace[original] = name
	}
	var imports, calls strings.Builder
	for i, b := range books {
		text := strings.Join(b.declarations, "\n")
		for _, c := range b.cells {
			s := solutions()[b.name+" "+c.id]
			for variant, answers := range map[string][]string{"blank": nil, "right": s.right, "wrong": s.wrong} {
				name := strings.ToUpper(variant[:1]) + variant[1:] + c.id
				text += fmt.Sprintf("\nfunc %s() {\n%s\n}\n", name, body(c.source, answers))
				fmt.Fprintf(&calls, "case %q:\n book%d.%s()\n", b.name+" "+c.id+" "+variant, i, name)
			}
		}
		fmt.Fprintf(&imports, "book%d %q\n", i, "github.com/gaplab/gaplab/notebooks/exercises/"+b.name)
		add("exercises/"+b.name, used(t, "package cells\n"+text))
	}
	add("exercises", fmt.Sprintf("package main\nimport (\n\"os\"\n\"strings\"\n%s)\nfunc main() {\n"+
		"switch strings.Join(os.Args[1:], \" \") {\n%s}\n}\n", imports.String(), calls.String()))
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "program")
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-ldflags=-w", "-overlay", overlay, "-o", program, "../exercises")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("compiling the exercises: %v\n%s", err, out)
	}
	return program
}

// used returns the text of a Go file without its unused imports, which the kernel removes too.
func used(t *testing.T, text string) string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		t.Fatalf("the generated Go file has an error: %v\n%s", err, text)
	}
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				names[x.Name] = true
			}
		}
		return true
	})
	for _, d := range file.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			d.Specs = slices.DeleteFunc(d.Specs, func(s ast.Spec) bool {
				p, err := strconv.Unquote(s.(*ast.ImportSpec).Path.Value)
				return err != nil || !names[path.Base(strings.TrimSuffix(p, "/v2"))]
			})
		}
	}
	var b bytes.Buffer
	if err := format.Node(&b, set, file); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// solution has the lines with right and wrong answers that replace the lines of an exercise that a reader must
// complete, in order.
type solution struct{ right, wrong []string }

// solutions returns the solutions of the exercises at smoke scale, by notebook and number.
func solutions() map[string]solution {
	return map[string]solution{
		"own-solver 1": {[]string{"factor := 3"}, []string{"factor := 10.0"}},
		"own-solver 2": {
			[]string{"step := func(gain, size float64) float64 { return min(1, max(0, 1.5*gain)/size) }", "fewer := true"},
			[]string{"step := func(gain, size float64) float64 { return 1.5 * gain / size }", "fewer := false"},
		},
		"eg 1": {[]string{"C := 1"}, []string{"C := 1000"}},
		"eg 2": {
			[]string{"percent := func(p, d, o float64) float64 { return 100 * (p - d) / math.Abs(o) }"},
			[]string{"percent := func(p, d, o float64) float64 { return 100 * (p - o) / o }"},
		},
		"eg 3": {
			[]string{"    order: {grid: [random, permutation]}", "fewer := true"},
			[]string{"    order: {grid: [random, cyclic]}", "fewer := false"},
		},
		"cutting-plane 1": {[]string{"factor := 2"}, []string{"factor := 10"}},
		"cutting-plane 2": {[]string{"cache := 5"}, []string{"cache := 20"}},
		"egr 1": {
			[]string{"formula := func(k, mu1 float64) float64 { return 6 * mu1 / ((k + 1) * (k + 2)) }"},
			[]string{"formula := func(k, mu1 float64) float64 { return mu1 / (k * k) }"},
		},
		"egr 2": {[]string{"bound := 5", "gap := 10"}, []string{"bound := 25", "gap := 100"}},
		"bethe 1": {
			[]string{"slope := func(c, S, m float64) float64 { return c * (S - m) }"},
			[]string{"slope := func(c, S, m float64) float64 { return c * S }"},
		},
		"bethe 2": {[]string{`template := "no-more"`}, []string{`template := "pair-never"`}},
		"rsd 1":   {[]string{"p := 2.3"}, []string{"p := 3"}},
		"rsd 2":   {[]string{"times := 1.7"}, []string{"times := 1"}},
	}
}
