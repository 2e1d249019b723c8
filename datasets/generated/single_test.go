package generated

import (
	"context"
	"errors"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

func TestSingle(t *testing.T) {
	sums := map[string]bool{}
	for _, classes := range []int{2, 100} {
		set, err := Single{Classes: classes}.Load(context.Background(), datasets.Source{})
		if err != nil {
			t.Fatal(err)
		}
		datasettest.CheckSet(t, set)
		rows := set.Train.(*datasets.Labelled)
		if _, x := rows.X.Row(0); rows.Len() != 1 || len(x) != 1 || x[0] != 1 || rows.Y[0] != 0 {
			t.Errorf("%d classes: %d rows, the first %v of class %d: want x = (1) of class 0", classes, rows.Len(), x, rows.Y[0])
		}
		if n := len(rows.Classes); n != classes || rows.Classes[0] != "1" {
			t.Errorf("%d classes: there are %d, the first %q", classes, n, rows.Classes[0])
		}
		if !set.Synthetic || set.Validation != nil || sums[set.Checksum] {
			t.Errorf("%d classes: not marked as generated, or with validation data, or without a checksum of its own", classes)
		}
		sums[set.Checksum] = true
	}
}

func TestSingleSettings(t *testing.T) {
	for _, classes := range []int{-1, 0, 1, 1_000_001} {
		_, err := Single{Classes: classes}.Load(context.Background(), datasets.Source{})
		var setting *datasets.SettingError
		if !errors.As(err, &setting) || setting.Key != "classes" {
			t.Errorf("%d classes: the error is %v", classes, err)
		}
	}
}
