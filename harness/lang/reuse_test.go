package lang

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// canonicals returns the labels and the canonical text of each run of a file at a scale.
func canonicals(t *testing.T, f *File, scale string, set ...string) string {
	_, runs := planOf(t, f, scale, set...)
	var list strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&list, "%s %s\n", show(r), r.Canonical())
	}
	return list.String()
}

// TestFileIsNotChanged checks that the plan of a file at a scale is the same before and after the file was used with
// other scales and with --set, and that a parser that trusts specs makes the same plan.
func TestFileIsNotChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads specs hundreds of times")
	}
	const change = "{problems: {large: {dataset: {train: 50}}}}"
	texts := []string{base, twoProblems, stages, strings.Replace(twoProblems, change,
		"{problems: {small: null, third: {dataset: {name: mnist}}}}\n  quick: {problems: null, dataset: {name: digits}}", 1)}
	files, err := filepath.Glob("testdata/good/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, strings.Replace(string(text), "seeds: [1, 2, 3], folds: 10", "folds: 2", 1))
	}
	for _, text := range texts {
		if strings.Contains(text, "third: {dataset") {
			text = strings.Replace(text, ", series: [{of: eg}, {of: other}]", "", 1)
		}
		want := map[string]string{}
		for _, scale := range parsed(t, text).Scales() {
			want[scale] = canonicals(t, parsed(t, text), scale)
		}
		f := parsed(t, text)
		for _, item := range []string{"seeds=[4, 5]", "dataset.name=digits", "dataset.seed=3", "stop.passes=1", "title=x",
			"solvers.0.name=lbfgs", "solvers.0.C=7", "problems.large.dataset.train=9", "regularisation.C=2", "claims=null"} {
			for scale := range want {
				if s, err := f.At(scale, []string{item}); err == nil {
					s.Reseed(8)
				}
			}
		}
		trusting, err := toyParser(t).Trusting().Parse("b.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for scale := range want {
			if diff := cmp.Diff(want[scale], canonicals(t, f, scale)); diff != "" {
				t.Errorf("%s\nat scale %s after other uses (-want +got):\n%s", text, scale, diff)
			}
			if diff := cmp.Diff(want[scale], canonicals(t, trusting, scale)); diff != "" {
				t.Errorf("%s\nat scale %s without schemas (-want +got):\n%s", text, scale, diff)
			}
		}
	}
}

// TestScaleOfProblems checks the plan if a scale removes all problems or adds the first ones.
func TestScaleOfProblems(t *testing.T) {
	f := parsed(t, base+"  quick: {problems: {a: {seeds: [3]}, b: {seeds: [4]}}}\n")
	for scale, want := range map[string]string{"smoke": "<nil> 1", "quick": "a 3, b 4", "paper": "<nil> 1"} {
		_, runs := planOf(t, f, scale)
		var got []string
		for _, r := range runs {
			got = append(got, fmt.Sprint(r.Labels["problem"], " ", r.Seed))
		}
		if got = slices.Compact(got); strings.Join(got, ", ") != want {
			t.Errorf("problems and seeds at scale %s: %q, want %s", scale, got, want)
		}
	}
	f = parsed(t, "problems: {a: {seeds: [3]}, b: {seeds: [4]}}\n"+strings.Replace(base, "{stop: {passes: 3}}",
		"{problems: null}", 1))
	if _, runs := planOf(t, f, "smoke"); runs[0].Labels["problem"] != nil || len(runs) != 6 {
		t.Errorf("%d runs, the first with the labels %s; want 6 without a problem", len(runs), show(runs[0]))
	}
}

// TestScalesOfAFile checks which scales a file offers, and which names of scales At accepts.
func TestScalesOfAFile(t *testing.T) {
	for scales, want := range map[string]string{
		"": "[own]", "scales: {}": "[paper]", "scales: {quick: {title: x}}": "[quick paper]",
		"scales: {paper: {title: x}}":              "[paper]",
		"scales: {quick: {title: x}, smoke: null}": "[smoke quick paper]",
	} {
		f := parsed(t, strings.Replace(base, "scales:\n  smoke: {stop: {passes: 3}}\n", scales+"\n", 1))
		if got := fmt.Sprint(f.Scales()); got != want {
			t.Errorf("%q: scales %s, want %s", scales, got, want)
		}
		for _, scale := range []string{"", "smoke", "quick", "paper", "own", "other"} {
			s, err := f.At(scale, []string{"seeds=[3]"})
			last := strings.Trim(want[strings.LastIndexAny(want, " [")+1:], "]")
			ok := scale == "" || scale != "other" && scales == "" || slices.Contains(f.Scales(), scale)
			if (err == nil) != ok {
				t.Errorf("%q: At(%q): error %v, want none: %v", scales, scale, err, ok)
			}
			if err == nil && (s.Scale != scale && s.Scale != last || s.Hash != f.Hash || s.File != "b.yaml" ||
				!slices.Equal(s.Overrides, []string{"seeds=[3]"})) {
				t.Errorf("%q: At(%q) has the scale %s, hash %s, overrides %q", scales, scale, s.Scale, s.Hash, s.Overrides)
			}
		}
	}
}

// TestReseedNamesTheSeed checks that Reseed is listed among the changes, after those of --set.
func TestReseedNamesTheSeed(t *testing.T) {
	s, _ := planOf(t, parsed(t, base), "", "title=x")
	if s.Reseed(9); !slices.Equal(s.Overrides, []string{"title=x", "seed=9"}) {
		t.Errorf("overrides %q", s.Overrides)
	}
}

// TestCountBeforeThePlan checks that the number of runs that is counted before the tree is checked equals the number of
// planned runs, for specs without equal runs, and that Plan counts the same.
func TestCountBeforeThePlan(t *testing.T) {
	parser := toyParser(t).Trusting()
	rapid.Check(t, func(t *rapid.T) {
		list := func(name string) string { return numbers(rapid.IntRange(1, 3).Draw(t, name)) }
		maybe := func(name, text string) string {
			if rapid.Bool().Draw(t, name) {
				return fmt.Sprintf(text, list(name))
			}
			return ""
		}
		key := rapid.SampledFrom([]string{"C", "lambda"}).Draw(t, "key")
		text := fmt.Sprintf(`apiVersion: gaplab/v1
id: my/grid
dataset: {name: digits, %s}
model: {name: multiclass, loss: log, %s}
regularisation: {convention: %s, %s: %s}
solvers:
  - {name: eg%s%s}
  - {name: sgd, as: other%s, eta0: {grid: %s}}
  - {name: lbfgs, path: {%s: {from: {grid: %s}, factor: 0.5, steps: 4}, until: {gap: 0.1}}}
stop: {passes: 3}
`, maybe("train", "train: {grid: %s}"),
			map[bool]string{true: "bias: {grid: [true, false]}"}[rapid.Bool().Draw(t, "bias")],
			map[string]string{"C": "svm-struct", "lambda": "lambda"}[key], key, list("values"),
			maybe("own seeds", ", seeds: %s"), maybe("own values", ", "+key+": {grid: %s}"),
			maybe("own list", ", "+key+": %s"), list("eta0"), key, list("from"))
		switch rapid.IntRange(0, 2).Draw(t, "seeds") {
		case 0:
			text += "seeds: " + list("seeds") + "\nrepeat: {folds: 2, times: 3}\n"
		case 1:
			text += "repeat: {folds: 3, seeds: " + list("seeds") + "}\n"
		}
		if rapid.Bool().Draw(t, "problems") {
			text += "problems: {a: {stop: {passes: 2}}, b: {dataset: {validation: {grid: [1, 2]}}}}\n"
		}
		root := tree.Read(&tree.Faults{}, []byte(text))
		f, err := parser.Parse("grid.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.At("", nil)
		if err != nil {
			t.Fatal(err)
		}
		runs, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, p := range s.Problems {
			total += p.size(s.Repeat)
		}
		bare, problems := problemsOf(&tree.Faults{}, root)
		if got := planSize(bare, problems); got != len(runs) || total != len(runs) {
			t.Errorf("%s\ncounted %d in the tree and %d in the spec, planned %d", text, got, total, len(runs))
		}
	})
}

// TestLargestPlan checks the largest accepted plan, for each way in which the number of runs can grow, and that one
// seed more is refused when the spec is read.
func TestLargestPlan(t *testing.T) {
	for more, runs := range map[string]int{
		"repeat: {folds: 500}": 500, "repeat: {times: 100, folds: 20}": 2000,
		"repeat: {times: 100}\nproblems: {a: {stop: {passes: 9}}, b: {stop: {passes: 8}}}": 200,
		"choose: {over: C, by: gap, folds: 499}":                                           500,
	} {
		for _, above := range []bool{false, true} {
			seeds := maxRuns / runs / 4
			if above {
				seeds++
			}
			text := strings.Replace(base, "{name: sgd, eta0: {grid: [1, 0.1]}}", "{name: sgd}", 1)
			_, err := toyParser(t).Trusting().Parse("b.yaml", []byte(text+more+"\nseeds: "+numbers(seeds)+"\n"))
			if (err != nil) != above || above && !strings.Contains(err.Error(), "more than 100000 runs") {
				t.Errorf("%s with %d seeds: error %v, want one: %v", more, seeds, err, above)
			}
		}
	}
}

// TestBaseOfARun checks which earlier run gives a run its weights: the one that agrees in all labels that both have,
// except those of problem, solver, model and regularisation.
func TestBaseOfARun(t *testing.T) {
	run := func(changes ...any) Run {
		r := Run{Labels: map[string]any{"problem": "first", "as": "eg", "solver": "eg", "model": "m", "loss": "log",
			"C": 1., "lambda": 2., "seed": 1., "dataset": "d", "fold": 1., "train": 5., "bias": true}}
		for i := 0; i < len(changes); i += 2 {
			r.Labels[changes[i].(string)] = changes[i+1]
			if changes[i+1] == nil {
				delete(r.Labels, changes[i].(string))
			}
		}
		return r
	}
	for name := range run().Labels {
		found := slices.Contains([]string{"problem", "as", "solver", "model", "loss", "C", "lambda", "seed"}, name)
		if base, err := baseOf([]Run{run()}, "first", run("problem", "second", name, "x")); (err == nil) != found ||
			found && base.Labels["train"] != 5. {
			t.Errorf("a run with another %s starts from %v, %v; want the run: %v", name, base, err, found)
		}
		if base, err := baseOf([]Run{run(name, nil), run("fold", 2.)}, "first", run("problem", "second")); (err == nil) !=
			(name != "problem") || err == nil && base.Labels["fold"] == 2. {
			t.Errorf("without the label %s: starts from %v, %v", name, base, err)
		}
	}
	list := []Run{run("seed", 1.), run("seed", 2.), run("seed", 3., "problem", "other"), run("seed", 2., "train", 6.)}
	for seed, want := range map[float64]*Run{1: &list[0], 2: &list[1], 3: nil} { // of two seeds, none is for all others
		if base, err := baseOf(list, "first", run("problem", "second", "seed", seed)); base != want ||
			(err == nil) != (want != nil) {
			t.Errorf("seed %g starts from %v, %v, want %v", seed, base, err, want)
		}
	}
	again := []Run{run(), run("C", 3.)}
	if _, err := baseOf(again, "first", run("problem", "second")); err == nil {
		t.Error("no error for two bases")
	}
}

// TestKeyOfTheBase checks that the key of a run contains the key of the run that it starts from, in which settings that
// equal their defaults are left out, so that a new setting of the base changes no key.
func TestKeyOfTheBase(t *testing.T) {
	_, runs := planOf(t, parsed(t, stages), "")
	for _, r := range runs[2:] {
		var whole map[string]json.RawMessage
		if err := json.Unmarshal(r.Canonical(), &whole); err != nil {
			t.Fatal(err)
		}
		if got, want := string(whole["from"]), string(r.Base.Canonical()); got != want {
			t.Errorf("the key contains the base %s, want %s", got, want)
		}
		if !reflect.DeepEqual(r.Resolved()["from"], r.Base.Resolved()) {
			t.Errorf("the resolved base is %v", r.Resolved()["from"])
		}
	}
}

// TestNamesOfReservedLabels checks that a grid over a setting with the name of another label has its whole path as the
// name of its label.
func TestNamesOfReservedLabels(t *testing.T) {
	axis := func(path ...string) []tree.Axis { return []tree.Axis{{Path: path}} }
	for _, name := range []string{"as", "solver", "dataset", "model", "loss", "C", "lambda", "seed", "fold", "repetition",
		"status", "scale", "problem"} {
		p := Problem{Solvers: []Solver{{axes: axis("solver", name)}}}
		if got, want := p.axisNames(), map[string]string{"solver." + name: "solver." + name}; !maps.Equal(got, want) {
			t.Errorf("names of labels %v, want %v", got, want)
		}
	}
	p := Problem{
		Datasets: []Dataset{{axes: slices.Concat(axis("dataset", "name"), axis("dataset", "x"), axis("dataset", "y"))},
			{axes: axis("dataset", "format")}},
		Models:  []Model{{axes: axis("model", "name")}, {axes: slices.Concat(axis("model", "loss"), axis("model", "x"))}},
		Solvers: []Solver{{axes: axis("solver", "z")}, {axes: axis("solver", "z")}, {axes: axis("solver", "name")}},
	}
	want := map[string]string{"dataset.name": "", "dataset.format": "", "model.name": "", "model.loss": "",
		"dataset.x": "dataset.x", "model.x": "model.x", "dataset.y": "y", "solver.z": "z", "solver.name": "name"}
	if diff := cmp.Diff(want, p.axisNames()); diff != "" {
		t.Errorf("names of labels (-want +got):\n%s", diff)
	}
}
