package external

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// sparseKernel returns a problem of LIBSVM with rows that are sparse, dense and empty, and a zero that is stored. Rows
// 0 and 3 are equal.
func sparseKernel() *kernelProblem {
	return &kernelProblem{kernel: models.Kernel{Name: "polynomial", Gamma: 0.5, Coef: 3, Degree: 4, Bias: 4}, scale: 6,
		format: "libsvm", problem: &models.Risk{Lambda: 0.5, Examples: []models.Example{{Truth: models.Vertex{1}},
			{Truth: models.Vertex{0}}, {Truth: models.Vertex{0}}, {Truth: models.Vertex{1}}}},
		rows: []models.Row{{Index: []int32{1, 7}, Value: []float64{0.5, -2}}, {Value: []float64{1, 0, 3}}, {},
			{Index: []int32{1, 4, 7}, Value: []float64{0.5, 0, -2}}}}
}

// TestKernelFile checks the data file of sparse and dense rows, and the variables of such a problem.
func TestKernelFile(t *testing.T) {
	k := sparseKernel()
	var out strings.Builder
	const want = "1 2:0.5 8:-2\n-1 1:1 3:3\n-1\n1 2:0.5 8:-2\n"
	if err := k.write(&out); err != nil || out.String() != want {
		t.Errorf("the data file is %q (%v), want %q", out.String(), err, want)
	}
	values := k.values(0.25)
	for name, want := range map[string]string{"features": "8", "gamma": "0.5", "coef": "3", "degree": "4", "eps": "0.25",
		"n": "4", "lambda": "1.5"} {
		if values[name] != want {
			t.Errorf("{%s} is %q, want %q", name, values[name], want)
		}
	}
	k.rows = k.rows[1:2]
	if got := k.values(1)["features"]; got != "3" {
		t.Errorf("{features} of a dense row is %s, want 3", got)
	}
}

// TestKernelModel checks that the support vectors of a file are found among sparse and dense rows, in any order and
// with zeros, that equal rows share one coefficient, and the errors for each setting of the kernel that differs.
func TestKernelModel(t *testing.T) {
	const file = "svm_type c_svc\nkernel_type polynomial\ndegree 4\ngamma 0.5\ncoef0 3\nnr_class 2\ntotal_sv 4\nrho 2\n" +
		"label -1 1\nnr_sv 2 2\nSV\n0.25 \n1 1:1 2:0 3:3 \n-2 2:0.50000000001 8:-2 \n-1 2:0.5 5:0 8:-2\n"
	k := sparseKernel()
	w := make([]float64, 10)
	// the first label is −1, so a = (3, −1, −0.25, 0) and b = 2; the weights are ∓½ s a, and ∓½ s b/bias
	want := []float64{-9, 9, 3, -3, 0.75, -0.75, 0, 0, -1.5, 1.5}
	if err := k.read(w, strings.NewReader(file)); err != nil || !slices.Equal(w, want) {
		t.Errorf("the weights are %v (%v), want %v", w, err, want)
	}
	for _, c := range []struct{ old, new, says string }{
		{"degree 4", "degree 3", `degree is "3": want 4`}, {"gamma 0.5", "gamma 0.50001", `gamma is "0.50001": want 0.5`},
		{"coef0 3", "coef0 0", `coef0 is "0": want 3`}, {"coef0 3", "coef0 x", `coef0 is "x": want 3`},
		{"rho 2", "rho", `rho is "": want a finite number`}, {"total_sv 4", "total_sv -1", `total_sv is "-1"`},
		{"1 1:1", "1 2:1", "line 13: the support vector is not a row"},
	} {
		if err := k.read(w, strings.NewReader(strings.Replace(file, c.old, c.new, 1))); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q for %q: the error is %v, want %q", c.new, c.old, err, c.says)
		}
	}
}

// TestRowFile checks the data file of a problem of several rows: the rows of both layouts, rows without features, and
// the error for a later row with other weights than the first.
func TestRowFile(t *testing.T) {
	rows := []models.SparseMap{fixed{{1: 0.5, 2: -1}, {}}, fixed{{}, {}}, fixed{{0: 2}, {}}}
	for _, c := range []struct {
		r    *rowProblem
		want string
	}{
		{&rowProblem{signed: true, parts: 2, features: 3}, "1 2:-0.5 3:1\n-1\n1 1:-2\n"},
		{&rowProblem{parts: 1, features: 3}, "2 2:0.5 3:-1\n1\n2 1:2\n"},
	} {
		c.r.problem = &models.Risk{Weights: models.Weights{Dim: 3}, Examples: []models.Example{
			{Features: rows[0], Truth: models.Vertex{1}}, {Features: rows[1], Truth: models.Vertex{0}},
			{Features: rows[2], Truth: models.Vertex{1}}}}
		var out strings.Builder
		if err := c.r.write(&out); err != nil || out.String() != c.want {
			t.Errorf("signed %v: the data file is %q (%v), want %q", c.r.signed, out.String(), err, c.want)
		}
	}
	odd := &rowProblem{parts: 2, features: 2, problem: &models.Risk{Examples: []models.Example{
		{Features: fixed{{0: 1}, {1: 1}}, Truth: models.Vertex{0}}, {Features: fixed{{3: 1}, {4: 1}},
			Truth: models.Vertex{0}}}}}
	if err := odd.write(new(strings.Builder)); err == nil || !strings.Contains(err.Error(),
		"part 0 of example 1 uses the weight with index 3: want a multiple of 2") {
		t.Errorf("the error is %v, want one that names example 1 and index 3", err)
	}
}

// TestLayout checks that the layout of the weights is that of the first example with a feature.
func TestLayout(t *testing.T) {
	none, plus, own := fixed{{}, {}}, fixed{{0: -0.5, 2: 1}, {0: 0.5, 2: -1}}, fixed{{0: 2, 2: 3}, {1: 2, 3: 3}}
	for _, c := range []struct {
		about    string
		list     []fixed
		signed   bool
		features int
		says     string
	}{
		{"one vector", []fixed{plus, own}, true, 4, ""}, {"after a row without features", []fixed{none, none, plus}, true,
			4, ""}, {"a vector for each class", []fixed{own, plus}, false, 2, ""},
		{"after a row without features", []fixed{none, own}, false, 2, ""},
		{"equal signs", []fixed{{{0: 1}, {0: 1}}}, false, 0, "part 1 of example 0"},
		{"other factors", []fixed{none, {{0: 1}, {1: 2}}}, false, 0, "part 1 of example 1"},
		{"other weights", []fixed{{{0: 1, 2: 1}, {1: 1}}}, false, 0, "part 1 of example 0"},
		{"opposite, at other weights", []fixed{{{0: 1}, {1: -1}}}, false, 0, "part 1 of example 0"},
		{"no features", []fixed{none, none}, false, 0, "needs a non-zero feature"},
	} {
		r := &rowProblem{parts: 2, problem: &models.Risk{Weights: models.Weights{Dim: 4}}}
		for _, f := range c.list {
			r.problem.Examples = append(r.problem.Examples, models.Example{Features: f})
		}
		err := r.findLayout()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) ||
			err == nil && (r.signed != c.signed || r.features != c.features) {
			t.Errorf("%s: signed %v, %d features (%v); want %v, %d, %q", c.about, r.signed, r.features, err, c.signed,
				c.features, c.says)
		}
	}
}

// fixed is a feature map that has only adjoints: for each part, the weights that its score uses, with their factors.
type fixed []map[int32]float64

func (f fixed) Parts() int                             { return len(f) }
func (fixed) Score([]float64, []float64)               { panic("not used") }
func (fixed) AddAdjoint([]float64, float64, []float64) { panic("not used") }
func (fixed) Dot([]float64, models.Vertex) float64     { panic("not used") }
func (fixed) Add([]float64, float64, models.Vertex)    { panic("not used") }

func (f fixed) Adjoint(dst *models.Sparse, mu []float64) {
	sum := map[int32]float64{}
	for c, weights := range f {
		if c < len(mu) && mu[c] != 0 {
			for at, v := range weights {
				sum[at] += mu[c] * v
			}
		}
	}
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for at := range int32(8) {
		if sum[at] != 0 {
			dst.Index, dst.Value = append(dst.Index, at), append(dst.Value, sum[at])
		}
	}
}
