package docs_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestSpecsOfTheReadme: what README.md shows as files is accepted at every scale.
func TestSpecsOfTheReadme(t *testing.T) {
	inputs(t)
	specs := 0
	for _, b := range blocks(t, "README.md") {
		if path.Ext(b.name) != ".yaml" {
			continue
		}
		specs++
		var spec struct{ Scales map[string]any }
		if err := yaml.Unmarshal([]byte(b.text), &spec); err != nil {
			t.Errorf("README.md: %s: %v", b.name, err)
		}
		file := filepath.Join(t.TempDir(), path.Base(b.name))
		write(t, file, []byte(b.text))
		for _, scale := range append(slices.Collect(maps.Keys(spec.Scales)), "paper") {
			expect(t, "", 0, "go", "run", "./cmd/gaplab", "run", file, "--scale", scale, "--dry-run")
		}
	}
	if specs < 2 {
		t.Errorf("found %d specs in README.md; want at least 2", specs)
	}
}

// TestSolverOfTheReadme builds and runs what README.md shows of a user's own solver, as a program of another module:
// declarations, an empty line, and statements. The figure must have a curve of the solver, which must be as sound as
// gaplab's own.
func TestSolverOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	root := inputs(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile("(?ms)^```go\n(type .*?)\n\n(exp, err .*?)^```$").FindStringSubmatch(string(text))
	if m == nil {
		t.Fatal("README.md shows no solver and how it is run")
	}
	source := `package main

import (
	"context"
	"fmt"
	"iter"

	"gonum.org/v1/gonum/floats"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

` + m[1] + `

func main() {
	ctx := context.Background()
	` + m[2] + `
	if err != nil {
		panic(err)
	}
	for _, line := range fig.Panels[0].Lines {
		fmt.Println("curve", line.Label)
	}
	for _, s := range res.Summaries() {
		fmt.Println(s.Solver["name"], s.Status, "falls", *s.Primal < 2.3, "bounded", *s.Dual <= *s.Primal)
	}
}
`
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), []byte(source))
	// The same requirements as ours, so that what our own build has fetched is enough.
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			line := regexp.MustCompile(`(?m)^module (.*)$`)
			module := string(line.FindSubmatch(text)[1])
			text = line.ReplaceAll(text, []byte("module example.org/another"))
			text = regexp.MustCompile(`(?m)^tool .*$|(?s)^tool \(.*?\n\)`).ReplaceAll(text, nil)
			text = fmt.Appendf(text, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root)
		}
		write(t, filepath.Join(dir, name), text)
	}
	t.Chdir(dir) // it keeps its results where it runs
	for _, v := range []string{"GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GAPLAB_DATA="} {
		key, value, _ := strings.Cut(v, "=")
		t.Setenv(key, value)
	}
	expect(t, "", 0, "go", "build", "-o", "another", ".")
	expect(t, "curve C=10\ncurve mine\neg done falls true bounded true\nmine done falls true bounded true\n", 0,
		filepath.Join(dir, "another"))
}
