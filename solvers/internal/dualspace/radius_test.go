package dualspace

import (
	"math"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestRadiusOfClasses checks RadiusSq for multiclass models. There, ψ(y) has x at the weights of the true class and −x
// at the weights of class y, so R² = 2 max |x|².
func TestRadiusOfClasses(t *testing.T) {
	rows := &datasets.Labelled{X: datasets.Rows{N: 3, Dim: 2, Value: []float64{1, 2, 3, -1, 0, 0.5}}, Y: []int{0, 2, 1},
		Classes: []string{"a", "b", "c"}}
	task, err := multiclass.Model{}.Build(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := RadiusSq(task.Objective(models.LogLoss(), 1).(*models.Risk)); math.Abs(got-20) > 1e-12 {
		t.Errorf("R² = %v, want 2·(3² + 1²) = 20", got)
	}
}
