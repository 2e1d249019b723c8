package lang

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// load reads and parses a spec without faults from the folder testdata.
func load(t *testing.T, name string) *File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "good", name))
	if err != nil {
		t.Fatal(err)
	}
	f, err := toyParser(t).Parse(name, text)
	if err != nil {
		t.Fatalf("Parse(%s):\n%v", name, err)
	}
	return f
}

// planned returns the spec and the plan of a file without faults at a scale.
func planned(t *testing.T, name, scale string, set ...string) (*Spec, []Run) {
	t.Helper()
	return planOf(t, load(t, name), scale, set...)
}

// planOf returns the spec of a file at a scale, and its plan.
func planOf(t testing.TB, f *File, scale string, set ...string) (*Spec, []Run) {
	t.Helper()
	s, err := f.At(scale, set)
	if err != nil {
		t.Fatalf("At(%s, %v):\n%v", scale, set, err)
	}
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	return s, runs
}

// parsed parses a text with the toy catalogue.
func parsed(t testing.TB, text string) *File {
	t.Helper()
	f, err := toyParser(t).Parse("b.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// faulty checks that Parse refuses edits of a text. An edit lists an old text, the new text that replaces it, and the
// message of Parse.
func faulty(t *testing.T, text string, edits [][3]string) {
	t.Helper()
	for _, e := range edits {
		_, err := toyParser(t).Parse("b.yaml", []byte(strings.Replace(text, e[0], e[1], 1)))
		if err == nil || !strings.Contains(err.Error(), e[2]) {
			t.Errorf("%s: the error is %v; want %q in it", e[1], err, e[2])
		}
	}
}

// show formats the labels of a run, sorted, except those in without.
func show(r Run, without ...string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Labels)) {
		if !slices.Contains(without, name) {
			parts = append(parts, fmt.Sprintf("%s=%v", name, r.Labels[name]))
		}
	}
	return strings.Join(parts, " ")
}

// TestPlans checks the labels of all runs of some specs, in order.
func TestPlans(t *testing.T) {
	tests := []struct {
		file, scale string
		set         []string
		want        []string
	}{
		{"fig06.yaml", "smoke", nil, []string{
			"C=1000 as=eg dataset=digits loss=log model=multiclass seed=1 solver=eg",
			"C=100 as=eg dataset=digits loss=log model=multiclass seed=1 solver=eg",
			"C=10 as=eg dataset=digits loss=log model=multiclass seed=1 solver=eg",
			"C=1 as=eg dataset=digits loss=log model=multiclass seed=1 solver=eg",
		}},
		{"fig06.yaml", "quick", []string{"regularisation.C=10", "solvers.eg.eta={grid: [0.1, 0.2]}", "seeds=[1, 2]"},
			[]string{
				"C=10 as=eg dataset=mnist eta=0.1 loss=log model=multiclass seed=1 solver=eg",
				"C=10 as=eg dataset=mnist eta=0.1 loss=log model=multiclass seed=2 solver=eg",
				"C=10 as=eg dataset=mnist eta=0.2 loss=log model=multiclass seed=1 solver=eg",
				"C=10 as=eg dataset=mnist eta=0.2 loss=log model=multiclass seed=2 solver=eg",
			}},
		{"letters.yaml", "smoke", nil, []string{
			"as=eg dataset=libsvm lambda=0.001 loss=hinge model=multiclass seed=1 solver=eg",
			"as=one-slack dataset=libsvm lambda=0.001 loss=hinge model=multiclass seed=1 solver=one-slack",
			"as=lbfgs dataset=libsvm lambda=0.001 loss=hinge model=multiclass seed=1 solver=lbfgs",
		}},
		{"names.yaml", "", []string{"dataset.name=digits"}, []string{
			"C=10 as=eg dataset=digits loss=log model=multiclass order=random seed=1 solver=eg",
			"C=10 as=eg dataset=digits loss=log model=multiclass order=cyclic seed=1 solver=eg",
			"C=100 as=lbfgs dataset=digits loss=log model=multiclass seed=1 solver=lbfgs",
			"C=1 as=lbfgs dataset=digits loss=log model=multiclass seed=1 solver=lbfgs",
			"C=10 as=eg dataset=digits loss=hinge model=multiclass order=random seed=1 solver=eg",
			"C=10 as=eg dataset=digits loss=hinge model=multiclass order=cyclic seed=1 solver=eg",
			"C=100 as=lbfgs dataset=digits loss=hinge model=multiclass seed=1 solver=lbfgs",
			"C=1 as=lbfgs dataset=digits loss=hinge model=multiclass seed=1 solver=lbfgs",
		}},
		{"fig06.yaml", "smoke", []string{"regularisation.C=[10, 1e1]", "dataset.seed={grid: [1, 2]}"}, []string{
			"C=10 as=eg dataset=digits dataset.seed=1 loss=log model=multiclass seed=1 solver=eg",
			"C=10 as=eg dataset=digits dataset.seed=2 loss=log model=multiclass seed=1 solver=eg",
		}},
		{"theorem.yaml", "quick", nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.scale, func(t *testing.T) {
			_, runs := planned(t, tt.file, tt.scale, tt.set...)
			var got []string
			for _, r := range runs {
				got = append(got, show(r))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWholeLanguage checks the plan, the table and the figure of a spec that uses every key.
func TestWholeLanguage(t *testing.T) {
	s, runs := planned(t, "language.yaml", "paper")
	if s.Scale != ScaleOwn {
		t.Errorf("scale %q, want %q", s.Scale, ScaleOwn)
	}
	counts := make(map[string]int)
	groups := make(map[string]int)
	for _, r := range runs {
		counts[r.Solver.As]++
		if r.Choose != nil {
			groups[r.Choose.Group]++
		}
	}
	repeats := 3 * 3 * 10 // values of n, seeds, folds
	want := map[string]int{"cached": 3 * 6 * repeats, "path": repeats, "annealed": repeats, "sgd": 3 * 3 * repeats}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("runs per variant (-want +got):\n%s", diff)
	}
	perC := 3 * repeats
	if diff := cmp.Diff(map[string]int{"sgd: C=1000": perC, "sgd: C=100000": perC, "sgd: C=1e+07": perC},
		groups); diff != "" {
		t.Errorf("groups of choose (-want +got):\n%s", diff)
	}
	if got := s.Table.Columns; got[0].Name != "final.passes" || got[1].Format != "%.4f" || got[0].Line != 21 {
		t.Errorf("columns of the table: %+v", got)
	}
	if got := s.Figure.Panels; len(got) != 2 || got[0].Line != 19 || got[0].Series[1].Of != "sgd" ||
		got[1].Bound != "thm5" {
		t.Errorf("panels: %+v", got)
	}
	path := runs[slices.IndexFunc(runs, func(r Run) bool { return r.Solver.As == "path" })]
	if path.C != 1000 || path.Stop != (Stop{Passes: 100}) || len(path.Solver.Path.Values()) != 24 {
		t.Errorf("path: C %g, stop %+v, %d values", path.C, path.Stop, len(path.Solver.Path.Values()))
	}
}

// TestCadence checks the default of record.every: the distance between rows grows, unless the spec reproduces a paper
// or has the key "keep".
func TestCadence(t *testing.T) {
	const spec = "apiVersion: gaplab/v1\nid: mine/x\ndataset: {name: digits}\nmodel: {name: multiclass, loss: log}\n" +
		"regularisation: {convention: eg, C: 1}\nsolvers: [{name: eg}]\nstop: {passes: 5}\n"
	grows, each := Cadence{Passes: 1, Growth: 1.3, Looks: true}, Cadence{Passes: 1}
	for _, c := range []struct {
		more string
		want Cadence
	}{
		{"", grows},
		{"record: {metrics: [primal]}\n", grows},
		{"record: {every: {passes: 1}}\n", each},
		{"record: {every: {growth: 2}}\n", Cadence{Passes: 1, Growth: 2}},
		{"record: {every: {epochs: 2}}\n", Cadence{Epochs: 2}},
		{"keep: {by: primal}\n", each},
		{"paper: {key: mine, figure: 1}\n", each},
	} {
		f, err := Parse("x.yaml", []byte(spec+c.more), toy())
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.At("", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Problems[0].Record.Every; got != c.want {
			t.Errorf("with %q: cadence %+v, want %+v", c.more, got, c.want)
		}
	}
}

// TestDefaults checks the values of keys that a spec does not give.
func TestDefaults(t *testing.T) {
	s, runs := planned(t, "letters.yaml", "")
	p := s.Problems[0]
	if s.Kind != "own" || p.Record.Every.Passes != 1 || p.Record.Metrics != nil || !slices.Equal(p.Seeds, []uint64{1}) {
		t.Errorf("kind %q, record %+v, seeds %v", s.Kind, p.Record, p.Seeds)
	}
	noun, ok := toy().Solver(runs[0].Solver)
	if !ok {
		t.Fatal("the catalogue does not have the solver of a run")
	}
	got, err := noun.Decode(runs[0].Solver.Params)
	if err != nil {
		t.Fatal(err)
	}
	if eg := got.(*toyEG); eg.Eta != 0.5 || eg.Order != "random" {
		t.Errorf("settings %+v, want the defaults", eg)
	}
	s, _ = planned(t, "names.yaml", "")
	if p := s.Figure.Panels; len(p) != 2 || p[1].XScale != "log" || p[0].Title != "a" ||
		!slices.Equal(p[0].Y, Strings{"primal"}) {
		t.Errorf("the panels do not inherit the keys of the figure: %+v", p)
	}
	s, _ = planned(t, "theorem.yaml", "")
	if s.Claims[0].Line != 7 {
		t.Errorf("line of the claim: %d", s.Claims[0].Line)
	}
}

// TestScales checks the scales that a file offers.
func TestScales(t *testing.T) {
	if got := load(t, "fig06.yaml").Scales(); !slices.Equal(got, []string{"smoke", "quick", "paper"}) {
		t.Errorf("scales of a paper's experiment: %v", got)
	}
	if got := load(t, "letters.yaml").Scales(); !slices.Equal(got, []string{"own"}) {
		t.Errorf("scales of a user's own experiment: %v", got)
	}
	_, err := load(t, "fig06.yaml").At("papr", nil)
	if want := `fig06.yaml: no scale "papr", did you mean "paper"?; accepted: smoke, quick, paper`; err == nil ||
		err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// TestCanonical checks the canonical text of a run, from which its key is computed, and which settings change this
// text.
func TestCanonical(t *testing.T) {
	_, runs := planned(t, "fig06.yaml", "smoke")
	want := `{"convention":"eg","dataset":{"name":"digits"},"model":{"loss":"log","name":"multiclass"},` +
		`"record":{"every":{"passes":1},"metrics":["primal","dual","validation_error"]},"seed":1,` +
		`"solver":{"name":"eg"},"stop":{"gap":0.000001,"passes":30},"value":1000}`
	if got := string(runs[0].Canonical()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// These do not change the runs: titles, claims, figures, and settings written with their default value.
	_, same := planned(t, "fig06.yaml", "smoke", "title=other", "claims=null", "solvers.eg.eta=5e-1",
		"figure.yscale=linear")
	_, other := planned(t, "fig06.yaml", "smoke", "solvers.eg.eta=0.4")
	_, zero := planned(t, "fig06.yaml", "smoke", "dataset.validation=0") // not the default, which is 500
	if !strings.Contains(string(zero[0].Canonical()), `"params":{"validation":0}`) {
		t.Errorf("a setting of 0 is missing in %s", zero[0].Canonical())
	}
	for i := range runs {
		if string(runs[i].Canonical()) != string(same[i].Canonical()) {
			t.Errorf("run %d changed with titles, claims or figures", i)
		}
		if string(runs[i].Canonical()) == string(other[i].Canonical()) {
			t.Errorf("run %d did not change with eta", i)
		}
	}
}

// TestSeedsOfASolver checks that a solver's own seeds multiply the runs of that solver only, and that Reseed replaces
// all seeds.
func TestSeedsOfASolver(t *testing.T) {
	const many = "  - {as: many, name: eg, eta: 0.5, seeds: [3, 4, 5]}\n"
	f := parsed(t, strings.Replace(base, "solvers:\n", "solvers:\n"+many, 1))
	s, _ := planOf(t, f, "smoke")
	count := func() map[string][]uint64 {
		runs, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		seeds := map[string][]uint64{}
		for _, r := range runs {
			if as := r.Solver.As; !slices.Contains(seeds[as], r.Seed) {
				seeds[as] = append(seeds[as], r.Seed)
			}
		}
		return seeds
	}
	for as, seeds := range count() {
		want := []uint64{1}
		if as == "many" {
			want = []uint64{3, 4, 5}
		}
		if !slices.Equal(seeds, want) {
			t.Errorf("seeds of %s = %v, want %v", as, seeds, want)
		}
	}
	s.Reseed(7)
	for as, seeds := range count() {
		if !slices.Equal(seeds, []uint64{7}) {
			t.Errorf("seeds of %s after Reseed(7) = %v, want 7", as, seeds)
		}
	}
}
