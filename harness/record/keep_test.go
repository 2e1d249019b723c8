package record

import (
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
)

// TestKeeper: patience counts rows without a better one; the weights are those of the best.
func TestKeeper(t *testing.T) {
	k := keeper{rule: &lang.Keep{By: "f1", Best: "max", Patience: 2}, weights: true}
	for i, f1 := range []float64{0.5, 0.7, 0.6, 0.8, 0.8} {
		k.look(map[string]float64{"f1": f1}, []float64{float64(i)}, models.Counts{})
		if k.exhausted() {
			t.Errorf("exhausted after row %d", i)
		}
	}
	k.look(map[string]float64{}, []float64{5}, models.Counts{}) // a row without the column is no better
	if !k.exhausted() || k.final[0] != 3 {
		t.Errorf("exhausted %v, weights of row %v; want those of row 3", k.exhausted(), k.final)
	}
}
