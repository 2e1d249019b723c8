package lang

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestComponents checks the components of runs: data set, model and solver of the run and of all runs from which it
// starts, each once, and the recorder. It also checks the list of all components, and that an entry without a
// revision is in neither.
func TestComponents(t *testing.T) {
	c := toy()
	c.Rows = Component{Name: "rows", Revision: 9, Package: "p"}
	for i, list := range [][]Entry{c.Datasets, c.Models, c.Solvers} {
		for j := range list {
			list[j].Revision = 10*(i+1) + j
		}
	}
	c.Solvers[2].Revision = 0
	c.Datasets = append(c.Datasets, Entry{Name: "digits", Format: true, Revision: 77, New: c.Datasets[0].New})
	at := func(dataset, model, solver string, base *Run) *Run {
		return &Run{Dataset: Dataset{Name: dataset}, Model: Model{Name: model}, Solver: Solver{Name: solver}, Base: base}
	}
	first := at("mnist", "multiclass", "sgd", nil)
	for _, test := range []struct {
		run  *Run
		want map[string]int
	}{
		{first, map[string]int{"data set mnist": 11, "model multiclass": 20, "solver sgd": 31, "rows": 9}},
		{at("digits", "bayesnet", "eg", at("mnist", "bayesnet", "lbfgs", first)), map[string]int{
			"data set digits": 10, "data set mnist": 11, "model bayesnet": 21, "model multiclass": 20, "solver eg": 30,
			"solver sgd": 31, "rows": 9}},
		{at("covertype", "multiclass", "own", nil), map[string]int{"data set covertype": 12, "model multiclass": 20,
			"rows": 9}},
		{&Run{Dataset: Dataset{Format: "digits"}}, map[string]int{"data set digits": 77, "rows": 9}},
	} {
		list := c.Components(*test.run)
		if diff := cmp.Diff(test.want, Revisions(list)); diff != "" || len(list) != len(test.want) {
			t.Errorf("%d components (-want +got):\n%s", len(list), diff)
		}
		for _, p := range list {
			if own := p.Package == "p"; own != (p.Name == "rows") || !own && !strings.HasSuffix(p.Package, "harness/lang") {
				t.Errorf("component %s is in the package %q", p.Name, p.Package)
			}
		}
	}
	var got, want []string
	for _, p := range c.AllComponents() {
		got = append(got, fmt.Sprint(p.Name, " ", p.Revision))
	}
	want = append(want, "rows 9", "data set digits 77")
	for kind, list := range [][]Entry{toy().Datasets, toy().Models, toy().Solvers} {
		for i, e := range list {
			if e.Name != "lbfgs" {
				name := []string{"data set", "model", "solver"}[kind] + " " + e.Name
				want = append(want, fmt.Sprint(name, " ", 10*(kind+1)+i))
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all components (-want +got):\n%s", diff)
	}
}

// TestNamesOfEntries checks which names and keys of settings a catalogue may have: each kind of entries has names and
// reserved keys of its own, and a reader of the user's files may have the name of a data set.
func TestNamesOfEntries(t *testing.T) {
	type withLoss struct {
		Loss int `yaml:"loss"`
	}
	type withFormat struct {
		Format int `yaml:"format"`
	}
	type withGrid struct {
		Grid int `yaml:"grid"`
	}
	type withName struct {
		Name int `yaml:"name"`
	}
	type withPath struct {
		Path int `yaml:"path"`
	}
	for settings, accepting := range map[any][3]bool{ // by data sets, models, solvers
		&withLoss{}: {true, false, true}, &withFormat{}: {false, true, true}, &withGrid{}: {}, &withName{}: {},
		&withPath{}: {true, true, false},
	} {
		for i, accepted := range accepting {
			var c Catalogue
			list := []*[]Entry{&c.Datasets, &c.Models, &c.Solvers}[i]
			*list = append(*list, Entry{Name: "x", New: func() any { return settings }})
			if _, err := NewParser(c); (err == nil) != accepted ||
				err != nil && !strings.Contains(err.Error(), "key of the lang") {
				t.Errorf("%T as settings of kind %d: error %v, want none: %v", settings, i, err, accepted)
			}
		}
	}
	none := func() any { return &toyNone{} }
	for i, list := range [][]Entry{
		{{Name: "a", New: none}, {Name: "b", New: none}}, {{Name: "a", New: none}, {Name: "a", New: none, Format: true}},
		{{Name: "a", New: none}, {Name: "a", New: none}}, {{Name: "", New: none}},
		{{Name: "a", New: none, Format: true}, {Name: "b", New: none}, {Name: "a", New: none, Format: true}},
	} {
		if _, err := NewParser(Catalogue{Datasets: list, Models: list[:1]}); (err == nil) != (i < 2) ||
			err != nil && !strings.Contains(err.Error(), "empty or repeated name") {
			t.Errorf("list %d of data sets: error %v", i, err)
		}
	}
}

// TestReaderWithTheNameOfADataSet checks that the keys name and format of a data set find different entries of one
// name, each with its own settings.
func TestReaderWithTheNameOfADataSet(t *testing.T) {
	c := toy()
	c.Datasets = append(c.Datasets, Entry{Name: "digits", Format: true, New: func() any { return &toyFile{} }})
	for section, want := range map[string]string{
		"{name: digits, train: 3}":     "[seed train validation]",
		"{format: digits, path: x}":    "[path validation_fraction]",
		"{format: digits, train: 3}":   "",
		"{name: digits, path: letter}": "",
	} {
		f, err := Parse("b.yaml", []byte(strings.Replace(base, "{name: digits, train: 100}", section, 1)), c)
		if want == "" {
			if err == nil {
				t.Errorf("%s: no error", section)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		_, runs := planOf(t, f, "")
		got := slices.Sorted(maps.Keys(params(&runs[0].Dataset.Params).(map[string]any)))
		if fmt.Sprint(got) != want || runs[0].Labels["dataset"] != "digits" {
			t.Errorf("%s: settings %v and label %v, want %s and digits", section, got, runs[0].Labels["dataset"], want)
		}
	}
}
