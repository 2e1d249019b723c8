package harness

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestForeseeListed checks, for every built-in experiment, that its figures, tables and claims can be made from its
// runs at paper scale. The other scales have other sizes but nearly always the same columns, so they are checked only
// with -full.
func TestForeseeListed(t *testing.T) {
	if testing.Short() {
		t.Skip("this test plans all experiments, which takes seconds")
	}
	all, err := Experiments()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		for _, scale := range e.Scales() {
			if !*full && scale != lang.ScalePaper {
				continue
			}
			s := at(t, e, scale)
			if _, err := NewPlan(s, Options{}); err != nil {
				t.Errorf("NewPlan of %s at scale %s: error %v, want none", s.ID, scale, err)
			}
		}
	}
}

// foreseen is the beginning of a spec, up to the value of the key figure.
const foreseen = `apiVersion: gaplab/v1
id: my/own
dataset: {name: digits, train: 100, validation: 20}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers:
  - {name: eg, order: {grid: [random, cyclic]}, eta: 0.5, start: 10}
  - {name: lbfgs}
stop: {passes: 2}
figure: `

// claimed returns the rest of the spec foreseen: a figure, and a claim with the given assertion.
func claimed(assert string) string {
	return "{x: passes, y: primal, series: '{as}'}\nclaims: [{id: c1, says: so, assert: '" + assert + "'}]"
}

// chosen returns the rest of the spec foreseen: a figure that names the label chosen of the runs of eg, and a rule that
// begins with the given text.
func chosen(rule string) string {
	return "{x: passes, y: primal, where: as == \"eg\", series: '{chosen}'}\nchoose: " + rule + "over: order, by: primal}"
}

// inTable returns the rest of the spec foreseen: a figure, and a table of the runs of lbfgs with the given column.
func inTable(column string) string {
	return "{x: passes, y: primal, series: '{as}'}\ntable: {where: as == \"lbfgs\", rows: as, columns: [{name: " +
		column + "}]}"
}

// TestForeseeFaults checks that NewPlan returns an error for a figure, table or claim that no result could satisfy. The
// error must contain the line and the key.
func TestForeseeFaults(t *testing.T) {
	for _, c := range []struct{ name, figure, want string }{
		{"label of no run", `{x: passes, y: primal, series: "C={CC}"}`,
			`own.yaml:10: figure.series.0.label: the run as=lbfgs: legend "C={CC}": the run has no label {CC}`},
		{"label that one solver lacks", `{x: passes, y: primal, series: "{order}"}`,
			`own.yaml:10: figure.series.0.label: the run as=lbfgs: legend "{order}": the run has no label {order}`},
		{"labels that depend on the number of examples", `{x: lambda, y: final.primal / n, series: "λ={lambda} n={n} {as}"}`,
			""},
		{"filters of labels whose values are not known before", "{x: passes, y: primal, series: '{as}', " +
			"where: lambda < 1}\ntable: {where: 'n > 3 && status == \"done\"', rows: as, columns: [final.primal]}", ""},
		{"filter of a label of no run", `{x: passes, y: primal, where: Cc == 1}`,
			`own.yaml:10: figure.where: unknown name "Cc", did you mean "C"?; accepted:`},
		{"filter that no run passes", `{x: passes, y: primal, where: C == 7}`,
			`own.yaml:10: figure.where: no curve satisfies the filter; the curves are as=eg, order=random; `},
		{"series of no run", `{x: passes, y: primal, where: C == 1, series: [{of: eg}, {where: as == "e"}]}`,
			`own.yaml:10: figure.series.1.where: no curve satisfies the filter`},
		{"column of no run", `{x: pases, y: primal, series: "{as}"}`,
			`own.yaml:10: figure.x: unknown name "pases", did you mean "passes"?; accepted:`},
		{"place in an expression", `{x: passes, y: primal / opt_lo - 1, series: "{as}"}`,
			`own.yaml:10: figure.y: unknown name "opt_lo", did you mean "opt_low"?; accepted:`},
		{"caret", `{x: passes, y: primal / opt_lo - 1, series: "{as}"}`, "\n | primal / opt_lo - 1\n | .........^"},
		{"column of another solver", `{x: passes, y: primal, series: [{of: lbfgs, y: eta_mean, label: a}]}`,
			`own.yaml:10: figure.series.0.y: unknown name "eta_mean"; accepted:`},
		{"last value of no column", `{x: n, y: final.gapp, series: "{as}"}`,
			`own.yaml:10: figure.y: no run has the column "gapp", did you mean "gap"?; accepted:`},
		{"setting in a bound", `{x: passes, y: gap, bound: start / x + eta, series: "{as}"}`, ""},
		{"bound of nothing", `{x: passes, y: gap, bound: startt / x, series: "{as}"}`,
			`own.yaml:10: figure.bound: unknown name "startt", did you mean "start"?; accepted:`},
		{"metric that is not recorded", "{x: passes, y: validation_error, series: '{as}'}\nrecord: {metrics: [primal]}",
			"own.yaml:10: figure.y: record.metrics leaves out validation_error; add it there, or write metrics: all"},
		{"row of a table", "{x: passes, y: primal, series: '{as}'}\ntable: {rows: ass, columns: [final.primal]}",
			`own.yaml:11: table.rows: unknown name "ass", did you mean "as"?; accepted:`},
		{"column of a table", "{x: passes, y: primal, series: '{as}'}\ntable: {rows: as, columns: [final.prinal]}",
			`own.yaml:11: table.columns.0.name: no run has the column "prinal", did you mean "primal"?; accepted:`},
		{"column filtered by a label of no run of the table", inTable(`final.primal, where: order == "cyclic"`),
			`own.yaml:11: table.columns.0.where: unknown name "order"`},
		{"column of the runs that the table leaves out", inTable(`final.eta_mean`),
			"own.yaml:11: table.columns.0.name"},
		{"filter of a column, with a label of the runs of the table alone", "{x: passes, y: primal, series: '{as}'}\n" +
			`table: {where: as == "eg", rows: order, columns: [{name: final.eta_mean, where: order == "cyclic"}]}`, ""},
		{"filter of a column that a run of the table passes", inTable(`final.primal, where: as == "lbfgs"`), ""},
		{"filter of a table that no run passes", "{x: passes, y: primal, series: '{as}'}\n" +
			"table: {where: C == 7, rows: as, columns: [final.primal]}", "own.yaml:11: table.where: no"},
		{"column in a claim", claimed(`final(curve({as: "eg"}), "prmal") < 1`),
			`own.yaml:11: claims.0.assert: no run has the column "prmal", did you mean "primal"?; accepted:`},
		{"label in a claim", claimed(`final(curve({az: "eg"}), "primal") < 1`),
			`own.yaml:11: claims.0.assert: no run has the label "az", did you mean "as"?; accepted:`},
		{"column of another experiment", claimed(`final(curve({az: "eg"}, experiment("eg/fig06")), "luck") < 1`), ""},
		{"filter of results", `{x: passes, y: primal, where: final.primal < -1, series: "C={C}"}`, ""},
		{"whether a run was chosen, of runs compared before their end", chosen("{solver: eg, at: {passes: 1}, "), ""},
		{"whether a run was chosen, of runs compared at their end", chosen("{solver: eg, "),
			"the run has no label {chosen}"},
		{"label of the runs that pass", `{x: passes, y: primal, where: as == "eg", series: "{order}"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := specParser()
			if err != nil {
				t.Fatal(err)
			}
			f, err := r.Parse("own.yaml", []byte(foreseen+c.figure+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			s := at(t, &Experiment{f}, "")
			_, err = NewPlan(s, Options{})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error of NewPlan:\n%v\nwant %s", err, c.want)
			}
		})
	}
}

// TestForeseeAllFaults checks that the error of NewPlan contains the faults of figure, table and claims together: none
// hides another.
func TestForeseeAllFaults(t *testing.T) {
	parts := []struct{ good, bad, want string }{
		{"{x: passes, y: primal}\n", "{x: passes, y: prmal}\n", "spec.yaml:10: figure.y:"},
		{"table: {rows: as, columns: [final.primal]}\n", "table: {rows: as, columns: [final.prmal]}\n",
			"spec.yaml:11: table.columns.0.name:"},
		{"claims: [{id: c1, says: so, assert: 'final(series[0], \"primal\") < 9'}]\n",
			"claims: [{id: c1, says: so, assert: 'final(series[0], \"prmal\") < 9'}]\n", "spec.yaml:12: claims.0.assert:"},
	}
	for wrong := range 1 << len(parts) { // each subset of the parts has a fault
		text := foreseen
		for i, p := range parts {
			if wrong>>i&1 == 1 {
				text += p.bad
			} else {
				text += p.good
			}
		}
		_, err := NewPlan(at(t, fileOf(t, text), ""), Options{})
		for i, p := range parts {
			want := wrong>>i&1 == 1
			if got := err != nil && strings.Contains(err.Error(), p.want); got != want {
				t.Errorf("error of NewPlan for\n%s\nis %v; it names %s: %v, want %v", text, err, p.want, got, want)
			}
		}
	}
}

// TestForeseeScales checks that a claim is checked at its scales, or at every scale if it names none.
func TestForeseeScales(t *testing.T) {
	all := []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper}
	for scales, refused := range map[string][]string{
		"": all, ", because: b, scales: [quick]": {lang.ScaleQuick}, ", because: b, scales: [paper]": {lang.ScalePaper},
		", because: b, scales: [smoke, paper]": {lang.ScaleSmoke, lang.ScalePaper},
	} {
		for _, wrong := range []string{`assert: 'final(series[0], "prmal") < 1'`,
			`assert: len(series) > 0, measure: 'final(series[0], "prmal")'`} {
			e := fileOf(t, foreseen+"{x: passes, y: primal, series: '{as}'}\nscales: {smoke: {stop: {passes: 1}}, quick: {}, "+
				"paper: {}}\nclaims: [{id: c1, says: so, "+wrong+scales+"}]\n")
			for _, scale := range all {
				_, err := NewPlan(at(t, e, scale), Options{})
				if want := slices.Contains(refused, scale); (err != nil) != want ||
					want && !strings.Contains(err.Error(), `no run has the column "prmal"`) {
					t.Errorf("claim with %s%s at scale %s: error %v, want an error about the column: %v", wrong, scales, scale, err,
						want)
				}
			}
		}
	}
}
