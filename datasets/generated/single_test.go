package generated

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

func TestSingle(t *testing.T) {
	for _, classes := range []int{2, 100} {
		rows, _ := sample[*datasets.Labelled](t, Single{Classes: classes})
		if _, x := rows.X.Row(0); rows.Len() != 1 || len(x) != 1 || x[0] != 1 || rows.Y[0] != 0 {
			t.Errorf("%d classes: %d rows, the first is %v with class %d; want x = (1) with class 0", classes, rows.Len(), x,
				rows.Y[0])
		}
		if n := len(rows.Classes); n != classes || rows.Classes[0] != "1" {
			t.Errorf("setting classes: %d, but the data have %d classes, the first named %q; want the name 1",
				classes, n, rows.Classes[0])
		}
	}
}
