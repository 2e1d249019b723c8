package catalogue

import (
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	check "github.com/gaplab/gaplab/internal/settings"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/solvers"
)

// TestAutoTakesTheProblem checks that the solver that auto selects supports the problem. It tries every listed model
// that has a rule, each loss of the model, and every kind of data that the model supports. For a model without a rule,
// the error must name the model.
func TestAutoTakesTheProblem(t *testing.T) {
	known := []string{"binary", "multiclass", "kernel", "chain", "chain-kernel", "word-classifier", "deptree", "cfg",
		"hmm", "bayes-net", "inference", "collective", "nonlocal"}
	list := Solvers()
	for _, e := range Models() {
		losses := e.Losses
		if len(losses) == 0 {
			losses = []string{""}
		}
		built := 0
		for _, loss := range losses {
			choice, err := Auto(e.Name, loss)
			if err != nil {
				if slices.Contains(known, e.Name) || !strings.Contains(err.Error(), e.Name) {
					t.Errorf("%s, %s: error = %v, want none, or one that names the model", e.Name, loss, err)
				}
				continue
			}
			i := slices.IndexFunc(list, func(s solvers.Entry) bool { return s.Name == choice.Solver })
			if i < 0 || choice.Why == "" {
				t.Fatalf("%s, %s: choice %+v: want a listed solver and a reason", e.Name, loss, choice)
			}
			solver := list[i].New()
			text, err := yaml.Marshal(choice.Settings)
			if err == nil {
				err = yaml.Unmarshal(text, solver)
			}
			if err == nil {
				err = check.Check(solver)
			}
			if err != nil {
				t.Fatalf("%s, %s: settings %v of %s: %v", e.Name, loss, choice.Settings, choice.Solver, err)
			}
			for _, d := range examples.All(t) {
				task, err := e.New().Build(d.Train, d.Validation)
				if err != nil {
					continue
				}
				built++
				kind, _ := models.LossNamed(loss)
				if err := solvers.Missing(solver, task.Objective(kind, 0.1)); err != nil {
					t.Errorf("%s, %s, %s: solver %s does not support the problem: %v", e.Name, loss, d.Name, choice.Solver, err)
				}
			}
		}
		if _, extends := e.New().(models.Extender); built == 0 && !extends && slices.Contains(known, e.Name) {
			t.Errorf("%s supports no data of examples.All, want at least one data set", e.Name)
		}
	}
	for _, c := range [][2]string{{"mine", "hinge"}, {"chain", "perceptron"}} {
		if choice, err := Auto(c[0], c[1]); err == nil {
			t.Errorf("%s: choice %+v, want an error", c, choice)
		}
	}
}
