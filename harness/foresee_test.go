package harness

import (
	"strings"
	"testing"
)

// Every listed experiment can fill its figures and tables at every scale.
func TestForeseeListed(t *testing.T) {
	all, err := Experiments()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		for _, scale := range e.Scales() {
			s, err := e.At(scale, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := Foresee(s); err != nil {
				t.Errorf("%s at %s: %v", s.ID, scale, err)
			}
		}
	}
}

// What no result could mend is said before anything runs, with its line and key.
func TestForeseeFaults(t *testing.T) {
	for _, c := range []struct{ name, figure, want string }{
		{"label of no run", `{x: passes, y: primal, series: "C={CC}"}`,
			`own.yaml:10: figure.series.0.label: the run as=lbfgs: label "C={CC}": no label {CC}, did you mean "C"?; there are`},
		{"label that one solver lacks", `{x: passes, y: primal, series: "{order}"}`,
			`own.yaml:10: figure.series.0.label: the run as=lbfgs: label "{order}": no label {order}`},
		{"filter of a label of no run", `{x: passes, y: primal, where: Cc == 1}`,
			`own.yaml:10: figure.where: unknown name "Cc", did you mean "C"?; there are`},
		{"filter that no run passes", `{x: passes, y: primal, where: C == 7}`,
			`own.yaml:10: figure.where: no curve passes the filter; there are as=eg, order=random; `},
		{"series of no run", `{x: passes, y: primal, where: C == 1, series: [{of: eg}, {where: as == "e"}]}`,
			`own.yaml:10: figure.series.1.where: no curve passes the filter`},
		{"filter of results", `{x: passes, y: primal, where: final.primal < -1, series: "C={C}"}`, ""},
		{"label of the runs that pass", `{x: passes, y: primal, where: as == "eg", series: "{order}"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := specParser()
			if err != nil {
				t.Fatal(err)
			}
			f, err := r.Parse("own.yaml", []byte(`apiVersion: gaplab/v1
id: my/own
dataset: {name: digits, train: 100, validation: 20}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers:
  - {name: eg, order: {grid: [random, cyclic]}, eta: 0.5, start: 10}
  - {name: lbfgs}
stop: {passes: 2}
figure: `+c.figure+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := f.At("", nil)
			if err != nil {
				t.Fatal(err)
			}
			err = Foresee(s)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
