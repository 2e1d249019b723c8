package eg

import (
	"errors"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/gradient"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// TestSupportOfStructures checks which structured models Missing accepts for a solver, and which it refuses.
func TestSupportOfStructures(t *testing.T) {
	const yes, no = true, false
	untied := testbed.Build(t, chain.Model{Edges: "untied"}, generated.Words{Train: 5, MaxLetters: 5, Seed: 1})
	list := append(testbed.Structures(t, 5), testbed.Structured{Name: "untied", Task: untied})
	methods := map[string]solvers.Solver{
		"eg":     &Solver{Eta: 0.5, Order: "random", Rate: "adaptive"},
		"batch":  &Solver{Eta: 0.5, Order: "batch", Rate: "adaptive"},
		"theory": &Solver{Order: "random", Rate: "theory"},
		"sgd":    &gradient.SGD{Eta0: 1},
		"lbfgs":  &gradient.LBFGS{Memory: 10},
	}
	losses := map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge(),
		"softmax margin": {Temp: 1, Margin: 1}, "slack": {Slack: true}}
	for _, s := range list {
		for name, solver := range methods {
			for loss, l := range losses {
				want := yes
				switch {
				// cfg has a 0/1 loss over trees
				case loss == "slack", name == "theory", name == "lbfgs" && !l.Smooth(), s.Name == "cfg" && l.Margin > 0:
					want = no
				}
				p := s.Task.Objective(l, 0.1).(*models.Risk)
				err := solvers.Missing(solver, p)
				if want == yes && err != nil || want == no && !errors.Is(err, solvers.ErrUnsupported) {
					t.Errorf("%s on %s with %s: Missing says %v", name, s.Name, loss, err)
				}
				if err != nil {
					for _, got := range solvers.Run(solver, p, solvers.Env{Seed: 1}) {
						if !errors.Is(got, solvers.ErrUnsupported) {
							t.Errorf("%s on %s with %s: Missing refuses it, Run says %v", name, s.Name, loss, got)
						}
						break
					}
				}
			}
		}
	}
}
