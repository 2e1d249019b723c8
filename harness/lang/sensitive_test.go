package lang

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// leaves calls visit with each field of a run, at any depth, that determines rows. It replaces nil pointers by pointers
// to zero values.
func leaves(v reflect.Value, name string, visit func(name string, v reflect.Value)) {
	without := []string{
		".Experiment", ".Scale", ".Labels", ".Dataset.Params", ".Dataset.Line", ".Model.Params", ".Model.Line", ".Base",
		// settings of a solver that a run has in its own fields, such as Stop
		".Solver.C", ".Solver.Lambda", ".Solver.Stop", ".Solver.Budget", ".Solver.Seeds",
		".Solver.Params", ".Solver.Line", ".Solver.Why", ".Choose.Group", ".Choose.Rule.Solver", ".Choose.Rule.Line",
		// fields that only the comparison of ended runs uses, which changes no rows; origin.PlanKey contains the number of
		// folds
		".Folds", ".Choose.Rule.Folds", ".Choose.Rule.OneSE", ".Choose.Final",
	}
	switch {
	case slices.Contains(without, name):
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		leaves(v.Elem(), name, visit)
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				leaves(v.Field(i), name+"."+f.Name, visit)
			}
		}
	default:
		visit(name, v)
	}
}

// TestKeysDependOnEverything checks that each field of a run that determines its rows changes its canonical form, and
// that no two of them change it in the same way. It also checks that the field Base changes the form.
func TestKeysDependOnEverything(t *testing.T) {
	changed := func(k int) (name, canonical string) {
		var r Run
		i := 0
		leaves(reflect.ValueOf(&r).Elem(), "", func(at string, v reflect.Value) {
			if at == ".Choose.Rule.At.Passes" {
				fill(v, 1) // the rule compares runs before they end, so that it determines rows
			}
			if i == k {
				name = at
				fill(v, 3)
			}
			i++
		})
		if k == i {
			name, r.Base = "Base", &Run{}
		}
		return name, string(r.Canonical())
	}
	_, none := changed(-1)
	seen := map[string]string{none: "no field"}
	for k := 0; ; k++ {
		name, canonical := changed(k)
		if name == "" {
			break
		}
		if before, ok := seen[canonical]; ok && name != "Base" {
			t.Errorf("a change of %s gives the same key as a change of %s: %s", name, before, canonical)
		}
		seen[canonical] = name
	}
	if len(seen) < 40 {
		t.Errorf("%d fields of a run, want at least 40: %q", len(seen), slices.Sorted(maps.Values(seen)))
	}
}

// TestKeysWithoutAChoice checks that a comparison of ended runs changes no key, because the runs have the same results
// without the rule.
func TestKeysWithoutAChoice(t *testing.T) {
	r := Run{C: 2, Labels: map[string]any{"C": 2.}}
	before := string(r.Canonical())
	rule := Choose{Over: Strings{"C"}, By: "gap", Best: "min", Per: []string{"seed"}, Folds: 3, OneSE: true}
	r.Choose = &Candidate{Rule: rule, Group: "g", Final: true}
	if after := string(r.Canonical()); after != before {
		t.Errorf("canonical form with a choice: %s, want %s", after, before)
	}
	r.Choose.Rule.At.Passes = 1
	if string(r.Canonical()) == before {
		t.Error("a comparison before the end does not change the canonical form")
	}
}

// TestAssign checks what --set does to a tree.
func TestAssign(t *testing.T) {
	const dataset, stop = "dataset: {name: digits, train: 5, seed: 2}", "stop: {passes: 3}"
	const eg, ab, last = "{name: eg, eta: 1}", "{as: a.b, name: eg}", "{as: c, name: sgd, steps: [1, 2]}"
	for _, c := range []struct{ set, old, new string }{ // old: a piece of the tree, which the new piece replaces
		{"stop.passes=4", stop, "stop: {passes: 4}"},
		{"stop={gap: 1}", stop, "stop: {gap: 1}"},
		{"stop.passes=null", stop, "stop: {}"},
		{"budget.passes=9", stop, stop + "\nbudget: {passes: 9}"},
		{"dataset.name=mnist", dataset, "dataset: {name: mnist}"},
		{"dataset.format=libsvm", dataset, "dataset: {format: libsvm}"},
		{"dataset.name=digits", dataset, dataset},
		{"dataset.train=6", dataset, "dataset: {name: digits, train: 6, seed: 2}"},
		{"solvers.0.eta=2", eg, "{name: eg, eta: 2}"},
		{"solvers.eg.name=x", eg, "{name: x, eta: 1}"},
		{"solvers.a.b.eta.x=2", ab, "{as: a.b, name: eg, eta: {x: 2}}"},
		{"solvers.c.steps.1=7", last, "{as: c, name: sgd, steps: [1, 7]}"},
		{"solvers.c={name: y}", last, "{name: y}"},
	} {
		before := dataset + "\n" + stop + "\nsolvers: [" + eg + ", " + ab + ", " + last + "]\n"
		root, after := node(t, before), node(t, strings.Replace(before, c.old, c.new, 1))
		var faults tree.Faults
		Assign(&faults, root, c.set, -1)
		if got, want := tree.Value(root), tree.Value(after); !reflect.DeepEqual(got, want) || len(faults.List) > 0 {
			t.Errorf("--set %s: %v, %v; want %v", c.set, got, faults.Err(), want)
		}
	}
}

// TestGroupsOfAChoice checks that two runs compete if and only if they agree in all labels of the rule's key "per" or,
// without it, in all labels except the one that varies.
func TestGroupsOfAChoice(t *testing.T) {
	const text = `apiVersion: gaplab/v1
id: my/choice
title: A choice
dataset: {name: digits, seed: {grid: [1, 2]}}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [1, 10]}
seeds: [1, 2]
solvers: [{name: eg}, {as: s, name: sgd, eta0: {grid: [0.1, 1]}}]
stop: {passes: 5}
choose: [{solver: s, over: eta0, by: gap, at: {passes: 1}}]
`
	for _, per := range [][]string{nil, {"C"}, {"C", "seed"}, {"solver"}} {
		var set []string
		if per != nil {
			set = []string{"choose.0.per=[" + strings.Join(per, ", ") + "]"}
		}
		_, runs := planOf(t, parsed(t, text), "own", set...)
		competing := 0
		for _, a := range runs {
			if (a.Choose != nil) != (a.Solver.As == "s") {
				t.Errorf("%s competes: %v", show(a), a.Choose != nil)
			}
			for _, b := range runs {
				if a.Choose == nil || b.Choose == nil {
					continue
				}
				want := show(a, "eta0") == show(b, "eta0")
				if per != nil {
					want = !slices.ContainsFunc(per, func(name string) bool { return a.Labels[name] != b.Labels[name] })
				}
				if got := a.Choose.Group == b.Choose.Group; got != want {
					t.Errorf("per %q: %s and %s compete: %v, want %v", per, show(a), show(b), got, want)
				}
				competing++
			}
		}
		if competing != 16*16 {
			t.Errorf("per %q: %d pairs of competing runs, want 256", per, competing)
		}
	}
}

// TestOwnValuesOfASolver checks, in each convention, that a solver's own values of C or λ replace the experiment's
// values for this solver only.
func TestOwnValuesOfASolver(t *testing.T) {
	for _, convention := range []Convention{ConventionEG, ConventionSVMStruct, ConventionLambda} {
		p := Problem{Regularisation: Regularisation{Convention: convention, C: Values{1, 2}, Lambda: Values{3, 4}}}
		own := Solver{C: Values{5}, Lambda: Values{6, 7}}
		want, wantOwn := []float64{1, 2}, []float64{5}
		if convention == ConventionLambda {
			want, wantOwn = []float64{3, 4}, []float64{6, 7}
		}
		if got := p.values(own); !slices.Equal(got, wantOwn) {
			t.Errorf("convention %s: values of a solver with its own = %v, want %v", convention, got, wantOwn)
		}
		if got := p.values(Solver{}); !slices.Equal(got, want) {
			t.Errorf("convention %s: values of a solver without its own = %v, want %v", convention, got, want)
		}
	}
}
