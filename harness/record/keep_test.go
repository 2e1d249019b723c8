package record

import (
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/models"
)

// TestKeeper checks that patience counts the rows since the best row, and that the weights are those of the best row.
func TestKeeper(t *testing.T) {
	k := keeper{rule: &lang.Keep{By: "f1", Best: "max", Patience: 2}, weights: true}
	for i, f1 := range []float64{0.5, 0.7, 0.6, 0.8, 0.8} {
		k.look(map[string]float64{"f1": f1}, []float64{float64(i)}, models.Counts{})
		if k.exhausted() {
			t.Errorf("exhausted after row %d, want only after the last row", i)
		}
	}
	k.look(map[string]float64{}, []float64{5}, models.Counts{}) // without the column, a row counts as not better
	if !k.exhausted() || k.final[0] != 3 {
		t.Errorf("exhausted %v, weights of row %v; want true, row 3", k.exhausted(), k.final)
	}
}
