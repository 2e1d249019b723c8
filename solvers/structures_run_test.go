package solvers

import (
	"errors"
	"testing"

	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
)

// Three solvers that have little in common find the same optimum of the log loss on generated data.
func TestSolversAgree(t *testing.T) {
	for _, s := range structures(t, 20) {
		t.Run(s.name, func(t *testing.T) {
			p := s.task.Risk(models.LogLoss(), 0.1)
			zero := p.Primal(make([]float64, p.Dim))
			eg, bound := after(t, p, &EG{Eta: 0.5, Order: "random", Rate: "adaptive"}, 40)
			lbfgs, _ := after(t, p, &LBFGS{Memory: 10}, 60)
			sgd, _ := after(t, p, &SGD{Eta0: 0.1}, 60)
			for name, primal := range map[string]float64{"eg": eg, "lbfgs": lbfgs, "sgd": sgd} {
				if primal < bound-1e-9*zero || primal > bound+0.02*zero {
					t.Errorf("%s: the primal is %v: want a little above the bound %v; P(0) = %v", name, primal, bound, zero)
				}
			}
		})
	}
}

// after is the primal and the dual after so many epochs, or at the end if that comes before.
func after(t *testing.T, p *models.Risk, s Solver, epochs int) (primal, dual float64) {
	t.Helper()
	var at Iterate
	for it, err := range Run(s, p, Env{Seed: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		if at = it; it.Epoch == epochs {
			break
		}
	}
	if at.Dual != nil {
		dual = at.Dual()
	}
	return p.Primal(at.W), dual
}

// Missing says what of the structured models a solver cannot do, and accepts the rest.
func TestSupportOfStructures(t *testing.T) {
	const yes, no = true, false
	untied := build(t, chain.Model{Edges: "untied"}, generated.Words{Train: 5, MaxLetters: 5, Seed: 1})
	list := append(structures(t, 5), structured{name: "untied", task: untied})
	solvers := map[string]Solver{
		"eg":     &EG{Eta: 0.5, Order: "random", Rate: "adaptive"},
		"batch":  &EG{Eta: 0.5, Order: "batch", Rate: "adaptive"},
		"theory": &EG{Order: "random", Rate: "theory"},
		"sgd":    &SGD{Eta0: 1},
		"lbfgs":  &LBFGS{Memory: 10},
	}
	losses := map[string]models.Loss{"log": models.LogLoss(), "hinge": models.Hinge(),
		"softmax margin": {Temp: 1, Margin: 1}, "slack": {Slack: true}}
	for _, s := range list {
		for name, solver := range solvers {
			for loss, l := range losses {
				want := yes
				switch {
				// cfg has a 0/1 loss over trees
				case loss == "slack", name == "theory", name == "lbfgs" && !l.Smooth(), s.name == "cfg" && l.Margin > 0:
					want = no
				}
				p := s.task.Risk(l, 0.1)
				err := Missing(solver, p)
				if want == yes && err != nil || want == no && !errors.Is(err, ErrUnsupported) {
					t.Errorf("%s on %s with %s: Missing says %v", name, s.name, loss, err)
				}
				if err != nil {
					for _, got := range Run(solver, p, Env{Seed: 1}) {
						if !errors.Is(got, ErrUnsupported) {
							t.Errorf("%s on %s with %s: Supports refuses it, Run says %v", name, s.name, loss, got)
						}
						break
					}
				}
			}
		}
	}
}
