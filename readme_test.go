package gaplab_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestSpecsOfTheReadme: what README.md shows as files is accepted at every scale.
func TestSpecsOfTheReadme(t *testing.T) {
	specs := 0
	for _, b := range blocks(t, "README.md") {
		if path.Ext(b.name) != ".yaml" {
			continue
		}
		specs++
		file, err := lang.Parse(b.name, []byte(b.text), harness.Catalogue())
		if err != nil {
			t.Errorf("README.md: %v", err)
			continue
		}
		for _, scale := range file.Scales() {
			s, err := file.At(scale, nil)
			if err == nil {
				_, err = s.Plan()
			}
			if err != nil {
				t.Errorf("README.md: %s at scale %s: %v", b.name, scale, err)
			}
		}
	}
	if specs < 2 {
		t.Errorf("found %d specs in README.md; want at least 2", specs)
	}
}

// TestSolverOfTheReadme runs the program that README.md shows: declarations, an empty line, and statements. The figure
// must have a curve of the solver.
func TestSolverOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
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
		println("curve", line.Label)
	}
}
`
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "mine")
	write(t, file, []byte(source))
	expect(t, "", 0, "go", "build", "-o", program, file)
	t.Chdir(dir) // it keeps its results where it runs
	expect(t, "curve eg\ncurve mine\n", 0, program)
}
