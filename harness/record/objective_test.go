package record

import (
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
)

// TestObjectiveLambda checks the λ of a run: that of its convention, or 1 if it has no regularisation. A loss that does
// not exist is an error.
func TestObjectiveLambda(t *testing.T) {
	task := &models.Task{Train: make([]models.Example, 4), Unknowns: models.Weights{}}
	for _, c := range []struct {
		plan lang.Run
		want float64
		ok   bool
	}{
		{lang.Run{Convention: lang.ConventionLambda, C: 0.25, Model: lang.Model{Loss: "log"}}, 0.25, true},
		{lang.Run{Convention: lang.ConventionEG, C: 2, Model: lang.Model{Loss: "log"}},
			lang.ConventionEG.Lambda(2, 4), true},
		{lang.Run{C: 2, Model: lang.Model{Loss: "log"}}, 1, true},
		{lang.Run{C: 2, Model: lang.Model{Loss: "none"}}, 0, false},
	} {
		if _, got, err := Objective(c.plan, task); got != c.want || (err == nil) != c.ok {
			t.Errorf("%+v: λ = %v, error %v; want %v, an error: %v", c.plan, got, err, c.want, !c.ok)
		}
	}
}
