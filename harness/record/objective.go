package record

import (
	"fmt"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
)

// Objective returns what a run optimises, and its λ, which is 1 if nothing is regularised.
func Objective(plan lang.Run, task *models.Task) (models.Objective, float64, error) {
	var loss models.Loss // stays zero for a model without a loss: inference
	if plan.Model.Loss != "" {
		var known bool
		if loss, known = models.LossNamed(plan.Model.Loss); !known {
			return nil, 0, fmt.Errorf("no loss %q", plan.Model.Loss)
		}
	}
	lambda := 1.0
	if plan.Convention != "" {
		lambda = plan.Convention.Lambda(plan.C, len(task.Train))
	}
	return task.Objective(loss, lambda), lambda, nil
}
