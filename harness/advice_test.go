package harness

import (
	"strings"
	"testing"
)

// A run that is far from its optimum names the solver to take, unless that has run.
func TestAdvice(t *testing.T) {
	for solver, want := range map[string]bool{"eg, start: 0.001, eta: 1e-6": true, "dcd": false} {
		r := runIn(t, t.TempDir(), readSpec(t, `apiVersion: gaplab/v1
id: my/far
dataset: {name: digits, train: 60, validation: 0}
model: {name: multiclass, loss: hinge}
regularisation: {convention: lambda, lambda: 1e-3}
solvers: [{name: `+solver+`}]
stop: {passes: 2}
`))
		text := strings.Join(r.Set.Warnings, "\n")
		if got := strings.Contains(text, "try {name: auto}, here dcd: the hinge on classes"); got != want {
			t.Errorf("%s: %v: %s", solver, got, text)
		}
	}
}
