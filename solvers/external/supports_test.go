package external_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/internal/settings"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/external"
)

// TestExternalSettings checks the errors for invalid settings.
func TestExternalSettings(t *testing.T) {
	for _, c := range []struct {
		change func(*external.Program)
		want   string
	}{
		{func(x *external.Program) {}, ""},
		{func(x *external.Program) { x.Command = nil }, "command has 0 items"},
		{func(x *external.Program) { x.Command[0] = "" }, "name is empty"},
		{func(x *external.Program) { x.Command[0] = "train-{C}" }, "{C}"},
		{func(x *external.Program) { x.Command[1] = "{data} {c}" },
			"argument \"{data} {c}\" contains the unknown variable {c}; accepted: {data}, {model}, {C}, {Cn}, {c2}, " +
				"{lambda}, {n}, {features}, " +
				"{gamma}, {coef}, {degree}, {eps}"},
		{func(x *external.Program) { x.Command[1] = "data" }, "{data}"},
		{func(x *external.Program) { x.Command = x.Command[:2] }, "{model}"},
		{func(x *external.Program) { x.Command[2] = "--model={model} {print $1} {}" }, ""},
		{func(x *external.Program) { x.Overhead = []string{"a"} }, "overhead: no argument contains {data}"},
		{func(x *external.Program) { x.Overhead = []string{"a", "{data}", "{tol}"} },
			"overhead: argument \"{tol}\" contains the unknown variable {tol}"},
		{func(x *external.Program) { x.Data = "csv" }, "data is \"csv\"; accepted: libsvm, crfsuite, svm-hmm"},
		{func(x *external.Program) { x.Weights = "" }, "accepted: liblinear, dense, svm-multiclass, libsvm"},
		{func(x *external.Program) { x.Eps = 0 }, "eps is 0"},
	} {
		x := program("a", "{data}", "{model}")
		c.change(x)
		err := settings.Check(x)
		if err == nil {
			err = x.Validate()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("command %q, overhead %q: the error is %v: want %q", x.Command, x.Overhead, err, c.want)
		}
		if err != nil && solvers.Missing(x, noisyClasses(t, models.Hinge(), 2, 1, 1)) == nil {
			t.Errorf("command %q: Missing has no error", x.Command)
		}
	}
}

// TestExternalNeeds checks which problems each program can solve, and the errors for the problems that it cannot solve.
func TestExternalNeeds(t *testing.T) {
	change := func(p *models.Risk, f func(*models.Risk)) *models.Risk {
		f(p)
		return p
	}
	hinge := func(f func(*models.Risk)) *models.Risk { return change(noisyClasses(t, models.Hinge(), 3, 0.1, 1), f) }
	all := func(p *models.Risk, change func(*models.Example)) {
		for i := range p.Examples {
			change(&p.Examples[i])
		}
	}
	self := program(os.Args[0], "{data}", "{model}")
	dense := program(os.Args[0], "{data}", "{model}")
	dense.Weights = "dense"
	overhead := program(os.Args[0], "{data}", "{model}")
	overhead.Overhead = []string{"gaplab-no-such-program", "{data}"}
	multiclassFile, supportVectors := program(os.Args[0], "{data}", "{model}"), program(os.Args[0], "{data}", "{model}")
	multiclassFile.Weights, supportVectors.Weights = "svm-multiclass", "libsvm"
	withGamma := program(os.Args[0], "-g", "{gamma}", "{data}", "{model}")
	dump := program(os.Args[0], "{data}", "{model}")
	dump.Dump = []string{os.Args[0], "{model}", "{gamma}"}
	for _, c := range []struct {
		name    string
		solver  *external.Program
		problem *models.Risk
		want    string
	}{
		{"hinge", self, hinge(func(*models.Risk) {}), ""},
		{"0/1 loss over labellings", self,
			hinge(func(p *models.Risk) { all(p, func(e *models.Example) { e.Cost, e.ZeroOne = nil, 7 }) }), ""},
		{"signed", self, signed(t, models.Hinge(), 0.1, 1), ""},
		{"signed, log loss", self, signed(t, models.LogLoss(), 0.1, 1), ""},
		{"log loss", self, noisyClasses(t, models.LogLoss(), 3, 0.1, 1), "each class against the rest"},
		{"log loss, dense weights", dense, noisyClasses(t, models.LogLoss(), 3, 0.1, 1), ""},
		{"missing", program("gaplab-no-such-program", "{data}", "{model}"), hinge(func(*models.Risk) {}),
			"not installed: gaplab-no-such-program (searched for in PATH)"},
		{"missing path", program("/no/such/program", "{data}", "{model}"), hinge(func(*models.Risk) {}),
			"not installed: /no/such/program ("},
		{"missing overhead", overhead, hinge(func(*models.Risk) {}), "not installed: gaplab-no-such-program"},
		{"kernel", self, hinge(func(p *models.Risk) { p.Norm = func(dst, w []float64) { copy(dst, w) } }), "kernel"},
		{"kernel's gamma", withGamma, hinge(func(*models.Risk) {}),
			"needs a problem with a kernel, because a command contains {gamma}"},
		{"kernel's gamma in dump", dump, hinge(func(*models.Risk) {}),
			"needs a problem with a kernel, because a command contains {gamma}"},
		{"coefficients", dense, kernelled(t, 1, 0), ""},
		{"coefficients and a bias", dense, kernelled(t, 1, 2), "without a bias"},
		{"support vectors", supportVectors, kernelled(t, 7, 2), ""},
		{"support vectors without a bias", supportVectors, kernelled(t, 1, 0), "needs a model with a bias"},
		{"support vectors of no kernel", supportVectors, hinge(func(*models.Risk) {}), "needs model kernel"},
		{"kernel, weights of LIBLINEAR", self, kernelled(t, 1, 0), "liblinear supports no kernel"},
		{"kernel, log loss", dense, change(kernelled(t, 1, 0), func(p *models.Risk) { p.Loss = models.LogLoss() }),
			"supports only the hinge loss with a kernel"},
		{"kernel, uneven label loss", dense,
			change(kernelled(t, 1, 0), func(p *models.Risk) { p.Examples[3].Cost = []float64{0, 3} }), "example 3"},
		{"SVM-multiclass, slack rescaling", multiclassFile, noisyClasses(t, models.Slack(), 3, 0.1, 100), ""},
		{"SVM-multiclass, hinge", multiclassFile, noisyClasses(t, models.Hinge(), 3, 0.1, 100), ""},
		{"SVM-multiclass, label loss 1", multiclassFile, noisyClasses(t, models.Slack(), 3, 0.1, 1),
			"but the label loss is 1: set loss_scale"},
		{"SVM-multiclass, log loss", multiclassFile, noisyClasses(t, models.LogLoss(), 3, 0.1, 100), "slack rescaling"},
		{"SVM-multiclass, signed", multiclassFile, signed(t, models.Hinge(), 0.1, 100), "needs model multiclass"},
		{"SVM-multiclass, a class without examples", multiclassFile,
			change(noisyClasses(t, models.Slack(), 3, 0.1, 100), func(p *models.Risk) { p.Examples = p.Examples[:2] }),
			"because SVM-multiclass counts"},
		{"slack rescaling", self, hinge(func(p *models.Risk) { p.Loss.Slack = true }), "slack rescaling"},
		{"softmax margin", self, hinge(func(p *models.Risk) { p.Loss.Temp = 1 }), "temperature 1, margin 1"},
		{"no margin", self, hinge(func(p *models.Risk) { p.Loss.Margin = 0 }), "temperature 0, margin 0"},
		{"uneven label loss", self, hinge(func(p *models.Risk) { p.Examples[2].Cost = []float64{2, 1, 0} }), "example 2"},
		{"other label loss in one example", self, hinge(func(p *models.Risk) { p.Examples[2].Cost = []float64{2, 2, 0} }),
			"example 2"},
		{"label loss of the true class", self, hinge(func(p *models.Risk) { p.Examples[2].Cost = []float64{1, 1, 1} }),
			"example 2"},
		{"label loss of the last class", self, hinge(func(p *models.Risk) { p.Examples[3].Cost = []float64{0, 1, 2} }),
			"example 3"},
		{"short label loss", self, hinge(func(p *models.Risk) { p.Examples[3].Cost = []float64{0, 1} }), "example 3"},
		{"another 0/1 loss in one example", self, hinge(func(p *models.Risk) {
			all(p, func(e *models.Example) { e.Cost, e.ZeroOne = nil, 7 })
			p.Examples[4].ZeroOne = 8
		}), "example 4"},
		{"another number of classes", self, hinge(func(p *models.Risk) {
			p.Examples[5] = noisyClasses(t, models.Hinge(), 4, 0.1, 1).Examples[5]
		}), "example 5 has 4 parts, the first has 3"},
		{"SVM-multiclass, label loss of the last class", multiclassFile, change(noisyClasses(t, models.Slack(), 3, 0.1, 100),
			func(p *models.Risk) { p.Examples[3].Cost = []float64{0, 100, 200} }), "example 3"},
		{"a temperature and any label loss", dense, change(noisyClasses(t, models.LogLoss(), 3, 0.1, 1),
			func(p *models.Risk) { p.Examples[3].Cost = nil }), ""},
		{"kernel, three classes", dense, change(kernelled(t, 1, 0), func(p *models.Risk) {
			p.Examples[1].Features = threeClasses{p.Examples[1].Features.(models.KernelMap)}
		}), "example 1 has 3 classes"},
		{"kernel, other features", dense, change(kernelled(t, 1, 0), func(p *models.Risk) {
			p.Examples[2].Features = hinge(func(*models.Risk) {}).Examples[2].Features
		}), "example 2 has other features"},
		{"kernel, a margin of 2", dense, change(kernelled(t, 1, 0), func(p *models.Risk) { p.Loss.Margin = 2 }),
			"supports only the hinge loss with a kernel"},
		{"no label loss", self, hinge(func(p *models.Risk) { all(p, func(e *models.Example) { e.Cost = nil }) }),
			"example 0"},
		{"several parts", self, hinge(func(p *models.Risk) { p.Examples[1].Truth = models.Vertex{0, 1} }),
			"example 1 has 2 of 3 parts"},
		{"basic features", self, hinge(func(p *models.Risk) { p.Examples[1].Features = basic{p.Examples[1].Features} }),
			"Adjoint"},
		{"other weights", self, hinge(func(p *models.Risk) { p.Dim++ }), "part 0 of example 0"},
		{"shifted weights", self, hinge(func(p *models.Risk) {
			p.Dim += p.Examples[0].Features.Parts()
			all(p, func(e *models.Example) { e.Features = shifted{e.Features.(models.SparseMap)} })
		}), "part 0 of example 0"},
		{"no features", self, hinge(func(p *models.Risk) {
			all(p, func(e *models.Example) { e.Features = none{e.Features.(models.SparseMap)} })
		}), "needs a non-zero feature"},
		{"a class without examples", self, hinge(func(p *models.Risk) { p.Examples = p.Examples[:2] }), "class 3 of 3"},
		{"a class without examples, dense weights", dense, hinge(func(p *models.Risk) { p.Examples = p.Examples[:2] }),
			""},
	} {
		err := solvers.Missing(c.solver, c.problem)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: Missing returns %v, want nil", c.name, err)
			}
			continue
		}
		if !errors.Is(err, solvers.ErrUnsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Missing returns %v: want ErrUnsupported with %q", c.name, err, c.want)
		}
	}
}

// threeClasses is a feature map of a kernel with three classes, but without adjoints.
type threeClasses struct{ models.KernelMap }

func (threeClasses) Parts() int                                  { return 3 }
func (threeClasses) Adjoint(*models.Sparse, []float64)           { panic("not used") }
func (threeClasses) Dot([]float64, models.Vertex) float64        { panic("not used") }
func (threeClasses) Add(w []float64, c float64, y models.Vertex) { panic("not used") }

// Types of feature maps for the tests. The type basic has only the methods of models.FeatureMap. With the type shifted,
// no score depends on the first weight. With the type none, no score depends on any weight.
type (
	basic   struct{ models.FeatureMap }
	shifted struct{ models.SparseMap }
	none    struct{ models.SparseMap }
)

func (f shifted) Adjoint(dst *models.Sparse, mu []float64) {
	f.SparseMap.Adjoint(dst, mu)
	for t := range dst.Index {
		dst.Index[t]++
	}
}

func (none) Adjoint(dst *models.Sparse, _ []float64) { *dst = models.Sparse{} }
