package simplicial

import (
	"context"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/generative"
	"github.com/gaplab/gaplab/solvers"
)

// TestTrackingForgets checks a degenerate result. The noise of the data is chosen such that the losses agree with the
// tracking problem in the paper of Yu, Bertsekas and Rousu. Training for the ring distance with a uniform prior then
// gives a model that predicts, at every position of every sequence, the state with the same number as the symbol.
func TestTrackingForgets(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains to the end")
	}
	set, err := generated.Tracking{Train: 100, Validation: 100, Length: 50, States: 10, Observations: 7, P: 0.5, Q: 0.65,
		Seed: 1}.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	// The two values of η from which rsd/expT chooses with this prior.
	for _, eta := range []float64{0.03, 0.3} {
		forgets(t, set, eta)
	}
}

// forgets checks for one η that the trained model predicts the state with the number of the symbol.
func forgets(t *testing.T, set *datasets.Set, eta float64) {
	t.Helper()
	task, err := generative.HMM{LabelLoss: "ring", Eta: eta, Prior: "uniform"}.Build(set.Train, set.Validation)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(models.Hinge(), 0).(*models.Generative)
	_, _, w := rsdRunIn(t, solvers.Env{Seed: 1}, New(), p, 1e-3, 600, nil)
	d := set.Validation.(*datasets.Sequences)
	var scores []float64
	for i := range task.Validation {
		e := &task.Validation[i]
		scores = models.Resize(scores, e.Features.Parts())
		e.Features.Score(scores, w)
		y, _ := e.Max.Max(nil, scores)
		for j := range 50 {
			if symbol, _ := d.X.Row(d.Start[i] + j); y[j]-10*j != int(symbol[0]) {
				t.Fatalf("η = %g, sequence %d, position %d: predicted state %d for symbol %d, want the same number",
					eta, i, j, y[j]-10*j, symbol[0])
			}
		}
	}
}
