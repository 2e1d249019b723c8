package models_test

import (
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/deptree"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// TestWork compares Work with a count by the definition: for each example and each weight, whether the adjoint of any
// single part changes the weight. Feature maps that are only dense have the same work, except that they have no row.
func TestWork(t *testing.T) {
	builders := map[string]models.Builder{"multiclass": multiclass.New(), "binary": multiclass.NewBinary(),
		"chain":   chain.New(),
		"deptree": deptree.New(), "cfg": cfg.New()}
	tried := map[string]int{}
	for _, data := range examples.All(t) {
		for name, b := range builders {
			task, err := b.Build(data.Train, data.Validation)
			if err != nil {
				continue // a model for other data
			}
			risk, err := task.Risk(models.Hinge(), 1)
			if err != nil {
				continue
			}
			tried[name]++
			var weights, parts float64
			for i := range risk.Examples {
				f := risk.Examples[i].Features
				parts += float64(f.Parts()) / float64(risk.N())
				weights += float64(touched(f, risk.Dim)) / float64(risk.N())
			}
			work, ok := risk.Work()
			want := models.Work{Flops: 2*weights + parts, Weights: 8 * weights, Input: work.Input}
			if !ok || !near(work.Flops, want.Flops) || !near(work.Weights, want.Weights) {
				t.Errorf("%s on %s: work %+v, %v, want %+v", name, data.Name, work, ok, want)
			}
			if name == "binary" {
				continue // the entries of its two parts cancel, so a dense map does not show the weights
			}
			for i := range risk.Examples {
				risk.Examples[i].Features = struct{ models.FeatureMap }{risk.Examples[i].Features}
			}
			if work, _ := risk.Work(); !near(work.Flops, want.Flops) || !near(work.Weights, want.Weights) || work.Input != 0 {
				t.Errorf("%s on %s with dense features: work %+v, want %+v without a row", name, data.Name, work, want)
			}
		}
	}
	for name := range builders {
		if tried[name] == 0 {
			t.Errorf("%s was tried on no data", name)
		}
	}
}

// TestMultiply checks the number of operations that Multiply returns: a multiplication and an addition for each number
// of the matrix, whose rows and columns are padded to a multiple of 8.
func TestMultiply(t *testing.T) {
	for _, c := range []struct{ size, times, want int }{
		{32, 1, 2 * 32 * 32}, {32, 3, 3 * 2 * 32 * 32}, {8, 1000, 1000 * 2 * 8 * 8}, {40, 2, 2 * 2 * 40 * 40},
		{1, 5, 5 * 2 * 8 * 8}, {9, 1, 2 * 16 * 16}, {32, 0, 0}, {0, 3, 0},
	} {
		if got := models.Multiply(c.size, c.times); got != float64(c.want) {
			t.Errorf("%d products with a matrix of %d rows: %v operations, want %d", c.times, c.size, got, c.want)
		}
	}
}

func near(a, b float64) bool { return a-b < 1e-9*b && b-a < 1e-9*b }

// touched returns the number of weights that the adjoint of at least one part changes.
func touched(f models.FeatureMap, dim int) int {
	seen := make([]bool, dim)
	for r := range f.Parts() {
		one, w := make([]float64, f.Parts()), make([]float64, dim)
		one[r] = 1
		f.AddAdjoint(w, 1, one)
		for j, v := range w {
			seen[j] = seen[j] || v != 0
		}
	}
	n := 0
	for _, s := range seen {
		if s {
			n++
		}
	}
	return n
}

// TestWorkOfRows checks the bytes of a row: 8 for each value, and 4 for the index of each value of a row with indices.
func TestWorkOfRows(t *testing.T) {
	for _, sparse := range []bool{false, true} {
		risk := examples.Risk(t, multiclass.New(), examples.Rows(6, 4, 3, sparse), models.Hinge(), 1)
		var bytes float64
		for i := range risk.Examples {
			row, _, _ := risk.Examples[i].Features.(models.RowMap).Row()
			bytes += float64(8*len(row.Value)+4*len(row.Index)) / float64(risk.N())
		}
		if work, ok := risk.Work(); !ok || !near(work.Input, bytes) {
			t.Errorf("sparse %v: work %+v, %v, want %v bytes of a row", sparse, work, ok, bytes)
		}
	}
	kernel := &models.Risk{Weights: models.Weights{Dim: 1, Norm: func(dst, v []float64) {}}}
	if _, ok := kernel.Work(); ok {
		t.Error("the work of a kernel expansion is known")
	}
}

// TestWorkOfMany checks that the work of more than 200 examples is the mean over 200 of them at even distances, and
// that there is no work without examples.
func TestWorkOfMany(t *testing.T) {
	for _, n := range []int{199, 200, 201, 399, 450} {
		risk := examples.Risk(t, multiclass.New(), examples.Rows(n, 9, 3, true), models.Hinge(), 1)
		sample := min(n, 200)
		var flops, bytes float64
		for k := range sample {
			row, _, _ := risk.Examples[k*n/sample].Features.(models.RowMap).Row()
			flops += float64(2*3*len(row.Value)+3) / float64(sample)
			bytes += float64(12*len(row.Value)) / float64(sample)
		}
		if work, ok := risk.Work(); !ok || !near(work.Flops, flops) || !near(work.Input, bytes) {
			t.Errorf("%d examples: work %+v, want %v operations and %v bytes", n, work, flops, bytes)
		}
	}
	if work, ok := (&models.Risk{Weights: models.Weights{Dim: 3}}).Work(); ok || work != (models.Work{}) {
		t.Errorf("work without examples = %+v, %v", work, ok)
	}
}
