package lang

import (
	"fmt"
	"strings"
	"testing"
)

// TestPlanIsCountedFirst checks that a plan that is too large is refused before any of its settings is decoded: the
// grids of the spec have more combinations than could ever be expanded.
func TestPlanIsCountedFirst(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test counts plans of millions of runs")
	}
	list := func(n int) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprint(i + 1)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	const head = "apiVersion: gaplab/v1\nid: my/spec\ndataset: {name: digits%s}\nmodel: {name: multiclass, loss: log}\n" +
		"regularisation: {convention: lambda, lambda: %s}\nstop: {passes: 2}\n"
	decoded := 0
	c := toy()
	for i, e := range c.Solvers {
		c.Solvers[i].New = func() any { decoded++; return e.New() }
	}
	p, err := NewParser(c)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"seeds of two solvers": fmt.Sprintf(head, "", "0.1") + "solvers:\n  - {name: eg, seeds: " + list(99_999) +
			"}\n  - {name: sgd, seeds: " + list(99_999) + "}\n",
		"grids of all sections": fmt.Sprintf(head, ", train: {grid: "+list(9999)+"}", list(1000)) +
			"solvers: [{name: eg, eta: {grid: " + list(9999) + "}}]\nseeds: " + list(1000) + "\n",
		"folds": fmt.Sprintf(head, "", list(1000)) + "solvers: [{name: eg}]\nrepeat: {folds: 1000, seeds: " + list(9) + "}\n",
		"problems": fmt.Sprintf(head, "", list(1000)) +
			"solvers: [{name: eg}]\nseeds: " + list(60) + "\nproblems: {a: {stop: {passes: 3}}, b: {stop: {passes: 4}}}\n",
	} {
		decoded = 0
		_, err := p.Parse("spec.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), "solvers: the plan has more than 100000 runs") {
			t.Errorf("%s: error %v, want that the plan has too many runs", name, err)
		}
		if decoded > 0 {
			t.Errorf("%s: settings of solvers were made %d times before the plan was refused", name, decoded)
		}
	}
}

// TestLongTexts checks that an id or a title of any length is refused with a short message.
func TestLongTexts(t *testing.T) {
	for key, text := range map[string]string{
		"id":    strings.Replace(oneSpec, "id: my/one", "id: my/"+strings.Repeat("x", 400), 1),
		"title": oneSpec + "title: " + strings.Repeat("x", 1_000_000) + "\n",
	} {
		_, err := toyParser(t).Parse("spec.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), key+": \"") || len(err.Error()) > 300 ||
			!strings.Contains(err.Error(), "; accepted: at most ") {
			t.Errorf("%s: error %.400v, want a short one with the accepted length", key, err)
		}
	}
}

const oneSpec = `apiVersion: gaplab/v1
id: my/one
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: 0.1}
solvers: [{name: eg}]
stop: {passes: 2}
`
