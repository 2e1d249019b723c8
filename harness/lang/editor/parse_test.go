package editor_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/editor"
)

// papers is an experiment of a paper, on which cells are overlaid.
const papers = `apiVersion: gaplab/v1
id: eg/fig1
paper: {key: eg, figure: 1}
kind: table
dataset: {name: digits, train: 100}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: eg}, {as: s, name: sgd, eta0: 1}, {name: bcfw, as: s2}]
stop: {passes: 5}
table: {rows: C, columns: [final.passes], printed: a.csv}
claims: [{id: c1, says: a, assert: "true"}]
scales: {smoke: {stop: {passes: 2}}}
`

// cell parses a cell that may be based on papers, and returns the last name that it looked up.
func cell(t *testing.T, parser *lang.Parser, text string) (c editor.Cell, asked string, err error) {
	t.Helper()
	base, err := parser.Parse("fig1.yaml", []byte(papers))
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(planned(t, base, ""))
	c, err = editor.ParseCell(parser, "cell", "unnamed", []byte(text), func(name string) (*lang.File, error) {
		if asked = name; name == "lost" {
			return nil, errors.New("no such cell")
		}
		return base, nil
	})
	if after := fmt.Sprint(planned(t, base, "")); after != before {
		t.Errorf("%s: the base has changed from %s to %s", text, before, after)
	}
	return c, asked, err
}

// planned describes the runs of a file: solver, its name, C, number of examples and passes.
func planned(t *testing.T, f *lang.File, scale string) (list []string) {
	t.Helper()
	s, err := f.At(scale, nil)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		train := r.Resolved()["dataset"].(map[string]any)["params"].(map[string]any)["train"]
		list = append(list, fmt.Sprint(r.Solver.As, "/", r.Solver.Name, " ", r.C, " ", train, " ", r.Stop.Passes))
	}
	return list
}

// TestCells checks the experiment of a cell: its name, its runs, and what it takes over from its base.
func TestCells(t *testing.T) {
	parser, err := lang.NewParser(harness.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	const own = "dataset: {name: digits, train: 7}\nmodel: {name: multiclass, loss: log}\n" +
		"regularisation: {convention: eg, C: 3}\nsolvers: [{name: eg}]\nstop: {passes: 4}\n"
	indented := "  " + strings.ReplaceAll(strings.TrimSpace(own), "\n", "\n  ") + "\n"
	for _, c := range []struct{ text, base, id, scales, runs string }{
		{own, "", "notebook/unnamed", "[own]", "eg/eg 3 7 4"},
		{"mine:\n" + indented, "", "notebook/mine", "[own]", "eg/eg 3 7 4"},
		{"id: my/x\napiVersion: gaplab/v1\n" + own, "", "my/x", "[own]", "eg/eg 3 7 4"},
		{own + "explore: {C: [5, 6], stop.passes: [8, 9]}", "", "notebook/unnamed", "[own]", "eg/eg 5 7 8"},
		{"base: x", "x", "notebook/unnamed", "[smoke paper]", "eg/eg 1 100 5, s/sgd 1 100 5, s2/bcfw 1 100 5"},
		{"b:\n  base: previous\n  without: [s]", "previous", "notebook/b", "[smoke paper]", "eg/eg 1 100 5, s2/bcfw 1 100 5"},
		{"base: x\nwithout: [eg, s2]", "x", "notebook/unnamed", "[smoke paper]", "s/sgd 1 100 5"},
		{"base: x\nwithout: [eg]\nsolvers: [{as: s, name: eg}, {name: bcfw}]", "x", "notebook/unnamed", "[smoke paper]",
			"s2/bcfw 1 100 5, s/eg 1 100 5, bcfw/bcfw 1 100 5"},
		{"base: x\nwithout: [s, s2]\ndataset: {train: 9}\nregularisation: {C: [2, 4]}\nscales: {quick: {title: x}}", "x",
			"notebook/unnamed", "[quick paper]", "eg/eg 2 9 5, eg/eg 4 9 5"},
		{"base: x\nwithout: [s, s2]\nscales: {smoke: {dataset: {train: 3}}}\nid: my/y", "x", "my/y", "[smoke paper]",
			"eg/eg 1 100 5"},
		{"base: x\nwithout: [s, s2]\nexplore: {solvers.eg.order: [random, cyclic]}", "x", "notebook/unnamed",
			"[smoke paper]", "eg/eg 1 100 5"},
	} {
		got, asked, err := cell(t, parser, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		name, named := "unnamed", strings.HasPrefix(c.text, "mine") || strings.HasPrefix(c.text, "b:")
		if named {
			name, _, _ = strings.Cut(c.text, ":")
		}
		runs := strings.Join(planned(t, got.File, ""), ", ")
		if runs != c.runs || got.Name != name || got.Named != named || got.Base != c.base || asked != c.base ||
			got.File.ID != c.id || fmt.Sprint(got.File.Scales()) != c.scales {
			t.Errorf("%s: name %q (%v) on %q, id %s, scales %v, runs %s; want %q (%v) on %q, %s, %s, %s", c.text, got.Name,
				got.Named, got.Base, got.File.ID, got.File.Scales(), runs, name, named, c.base, c.id, c.scales, c.runs)
		}
		s, err := got.File.At("", nil)
		if err != nil {
			t.Fatal(err)
		}
		if c.base != "" && (s.Paper != nil || len(s.Claims) > 0 || s.Kind != "own" || s.Table == nil ||
			s.Table.Printed != "") {
			t.Errorf("%s: paper %v, %d claims, kind %s, table %+v; want a table without printed numbers", c.text, s.Paper,
				len(s.Claims), s.Kind, s.Table)
		}
	}
	a, _, err := cell(t, parser, "base: x")
	b, _, err2 := cell(t, parser, "base: x\nstop: {passes: 6}")
	if err != nil || err2 != nil || a.File.Hash == b.File.Hash || len(a.File.Hash) != 64 {
		t.Errorf("hashes %q and %q of two cells, %v, %v", a.File.Hash, b.File.Hash, err, err2)
	}
	if got := strings.Join(planned(t, a.File, "smoke"), ", "); got != "eg/eg 1 100 2, s/sgd 1 100 2, s2/bcfw 1 100 2" {
		t.Errorf("at scale smoke the runs are %s", got)
	}
}

// TestFaultsOfCells checks the line and the message of faults that only cells can have.
func TestFaultsOfCells(t *testing.T) {
	parser, err := lang.NewParser(harness.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1, ", n), ", ") + "]" }
	for text, want := range map[string]string{
		"5":                         "cell:1: got 5; accepted: an experiment",
		"\nbase: lost":              "cell:2: base: no such cell",
		"title: a\nwithout: [eg]":   "cell:2: without: the cell has no base",
		"base: x\nwithout: eg":      `cell:2: without: got "eg"; accepted: a list of eg, s, s2`,
		"base: x\nwithout:\n- sgd":  `cell:3: without: no solver "sgd"; accepted: eg, s, s2`,
		"base: x\nexplore: {}":      "cell:2: explore: got a map; accepted: settings",
		"base: x\nexplore: [C]":     "cell:2: explore: got a list; accepted: settings",
		"base: x\nexplore: {C: 5}":  "cell:2: explore.C: got 5; accepted: settings",
		"base: x\nexplore: {C: []}": "cell:2: explore.C: got a list; accepted: settings",
		"base: x\nexplore: {c: [1]}": `cell:2: explore.c: unknown setting, did you mean "C"?; accepted: C, lambda, or a ` +
			"path",
		"base: x\nexplore: {C: [1, [2]]}":                                "cell:2: explore.C: got a list; accepted: numbers",
		"base: x\nexplore: {C: [-1]}":                                    "cell:2: regularisation.C: -1 is out of range",
		"base: x\nexplore: {lambda: [1]}":                                "cell:2: regularisation.lambda: cannot be used",
		"base: x\nexplore: {C: " + list(101) + "}":                       "explore: 101 combinations; accepted: at most 100",
		"base: x\nexplore: {C: " + list(11) + ", a.b: " + list(10) + "}": "explore: 110 combinations",
		"base: x\nexplore: {C: " + list(50) + ", stop.passes: [1, 2]}":   "",
		"base: x\nstop: {passes: -1}":                                    "cell:2: stop.passes: -1 is out of range",
		"base: x\nsolvers: [{name: x}]":                                  "cell:2: solvers.3.name: unknown value",
	} {
		_, _, err := cell(t, parser, text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	c, _, err := cell(t, parser, "base: x\nexplore: {C: [1, 0.5], lambda.x: [a]}")
	if err == nil || len(c.Explore) != 2 || c.Explore[0].Path != "regularisation.C" || c.Explore[0].Name != "C" ||
		!slices.Equal(c.Explore[0].Values, []string{"1", "0.5"}) || c.Explore[1].Path != "lambda.x" {
		t.Errorf("swept settings %+v, %v", c.Explore, err)
	}
}
