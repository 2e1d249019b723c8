package ipynb_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

// TestCheckExecuted checks which problems are found in the notebooks of testdata. The cells of these notebooks fail in
// different ways; the kernel GoNB executed them.
func TestCheckExecuted(t *testing.T) {
	for _, tt := range []struct {
		file string
		cell int
		want []string // texts that the only problem must contain; nil: there must be no problem
	}{
		{"ok", 0, nil},
		{"panic", 4, []string{"cell 4 (var m map[string]int)", "standard error", "\tpanic: assignment to entry in nil map",
			"Cell [3] Line 3"}},
		{"exit", 4, []string{"cell 4 (os.Exit(3))", "standard error: exit status 3"}},
		{"stderr", 4, []string{`cell 4 (log.Print("a warning"))`, "standard error", "a warning"}},
		{"compile", 4, []string{"cell 4 (fmt.Println(undefined))", "error ERROR", "undefined: undefined"}},
		{"missing", 3, []string{"cell 3", `has the tag "figure" but shows no figure`, "<svg>"}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			nb, err := ipynb.ReadFile(filepath.Join("testdata", tt.file+".ipynb"))
			if err != nil {
				t.Fatal(err)
			}
			problems := nb.CheckExecuted()
			if tt.want == nil {
				if len(problems) != 0 {
					t.Errorf("problems %v, want none", problems)
				}
				return
			}
			if len(problems) != 1 || problems[0].Cell != tt.cell {
				t.Fatalf("problems %v, want one in cell %d", problems, tt.cell)
			}
			for _, want := range tt.want {
				if got := problems[0].String(); !strings.Contains(got, want) {
					t.Errorf("problem %q, want %q in it", got, want)
				}
			}
		})
	}
}

// TestCheckFigure checks which outputs CheckExecuted accepts as a figure in a cell with the tag figure.
func TestCheckFigure(t *testing.T) {
	const cell = `{"nbformat": 4, "cells": [{"cell_type": "code", "source": "f()", "metadata": {"tags": ["figure"]},
		"execution_count": 1, "outputs": [{"output_type": "display_data", "data": OUTPUT}]}]}`
	for _, tt := range []struct {
		name, output string
		well         bool
	}{
		{"one string", `{"text/html": "<div><svg width=\"1\"></svg></div>"}`, true},
		{"list of lines", `{"text/html": ["<svg>\n", "</svg>"]}`, true},
		{"cut off", `{"text/html": "<div><svg width=\"1\">"}`, false},
		{"blank in a page", `{"image/svg+xml": "<svg></svg>"}`, false},
		{"table", `{"text/html": "<table></table>"}`, false},
		{"not a text", `{"text/html": {"a": "<svg></svg>"}}`, false},
		{"nothing", `{}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			nb, err := ipynb.Read([]byte(strings.Replace(cell, "OUTPUT", tt.output, 1)))
			if err != nil {
				t.Fatal(err)
			}
			if got := nb.CheckExecuted(); (len(got) == 0) != tt.well {
				t.Errorf("problems %v, want none: %t", got, tt.well)
			}
		})
	}
}

// TestFigures checks that Figures counts cells with the tag figure before their execution, and all cells that show an
// SVG after it, such as cells with a spec in YAML.
func TestFigures(t *testing.T) {
	nb, err := ipynb.Read([]byte(`{"nbformat": 4, "cells": [
		{"cell_type": "code", "source": "f()", "metadata": {"tags": ["figure"]}},
		{"cell_type": "code", "source": "figure: {x: passes}", "metadata": {}, "outputs": [
			{"output_type": "display_data", "data": {"text/html": "<div><svg></svg></div>"}}, {"output_type": "stream"}]},
		{"cell_type": "code", "source": "= 1", "metadata": {}, "outputs": [
			{"output_type": "display_data", "data": {"text/html": "<table></table>"}}]},
		{"cell_type": "markdown", "source": "<svg></svg>"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := nb.Figures(); got != 2 {
		t.Errorf("Figures = %d, want 2", got)
	}
}

// TestCheckNotRun checks the problems of a cell that was not executed.
func TestCheckNotRun(t *testing.T) {
	nb, err := ipynb.Read([]byte(`{"nbformat": 4, "cells": [
		{"cell_type": "markdown", "source": "text"},
		{"cell_type": "code", "source": "%%\n\n!ls\n` + strings.Repeat("é", 80) + `",
			"metadata": {"tags": ["figure"]}, "execution_count": null, "outputs": []}]}`))
	if err != nil {
		t.Fatal(err)
	}
	problems := nb.CheckExecuted()
	if len(problems) != 2 {
		t.Fatalf("problems %v, want two: not executed, no figure", problems)
	}
	if want := "cell 2 (" + strings.Repeat("é", 59) + "…): was not executed"; problems[0].String() != want {
		t.Errorf("problem %q, want %q", problems[0], want)
	}
	if got := nb.CheckStripped(); got != nil {
		t.Errorf("CheckStripped = %v, want no problems", got)
	}
}

// TestCheckEmpty checks that a cell without code needs no execution, and that a message that the traceback repeats is
// shown once.
func TestCheckEmpty(t *testing.T) {
	nb, err := ipynb.Read([]byte(`{"nbformat": 4, "cells": [
		{"cell_type": "code", "source": " \n", "metadata": {}, "execution_count": null, "outputs": []},
		{"cell_type": "code", "source": "= x", "metadata": {}, "execution_count": 1, "outputs": [
			{"output_type": "error", "ename": "Error", "evalue": "no x", "traceback": ["Error: no x", " | x"]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	problems := nb.CheckExecuted()
	if len(problems) != 1 || strings.Count(problems[0].String(), "no x") != 1 ||
		!strings.HasPrefix(problems[0].String(), "cell 2 (= x): error Error: ") {
		t.Errorf("problems %v, want one error of cell 2 with its message once", problems)
	}
}

// TestRead checks the errors for files that are not notebooks of format 4.
func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, doc, want string }{
		{"empty", ``, "not a notebook"},
		{"no JSON", `%%\nf()`, "not a notebook"},
		{"other document", `{"a": 1}`, "nbformat is 0; only notebooks of format 4"},
		{"old", `{"nbformat": 3}`, "nbformat is 3"},
		{"source", `{"nbformat": 4, "cells": [{"source": 7}]}`, "a string or a list of strings"},
	} {
		if _, err := ipynb.Read([]byte(tt.doc)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}
