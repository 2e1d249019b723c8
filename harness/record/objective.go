package record

import (
	"fmt"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
)

// Objective returns the objective of a run and its λ. If the objective has no regularisation, λ is 1.
func Objective(plan lang.Run, task *models.Task) (models.Objective, float64, error) {
	var loss models.Loss // zero for inference, which has no loss
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
