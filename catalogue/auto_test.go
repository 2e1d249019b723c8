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

// TestAutoTakesTheProblem checks that the solver of the rule takes the problem, for every listed model that the rule
// knows, with each loss of the model, on every kind of data that the model takes. The error for any other model names
// that model.
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
					t.Errorf("%s, %s: no rule, or an error that does not name the model: %v", e.Name, loss, err)
				}
				continue
			}
			i := slices.IndexFunc(list, func(s solvers.Entry) bool { return s.Name == choice.Solver })
			if i < 0 || choice.Why == "" {
				t.Fatalf("%s, %s: %+v is not listed, or without a reason", e.Name, loss, choice)
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
					t.Errorf("%s, %s, %s: %s does not take it: %v", e.Name, loss, d.Name, choice.Solver, err)
				}
			}
		}
		if _, extends := e.New().(models.Extender); built == 0 && !extends && slices.Contains(known, e.Name) {
			t.Errorf("%s takes no data of examples.All", e.Name)
		}
	}
	for _, c := range [][2]string{{"mine", "hinge"}, {"chain", "perceptron"}} {
		if choice, err := Auto(c[0], c[1]); err == nil {
			t.Errorf("%s: %+v; want an error", c, choice)
		}
	}
}
