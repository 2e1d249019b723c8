package external_test

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/solvers"
)

// printed runs a program that prints the given variables and fails, and returns the numbers that it printed.
func printed(t *testing.T, p *models.Risk, data, weights string, names ...string) map[string]float64 {
	t.Helper()
	echo := "echo"
	for _, name := range names {
		echo += fmt.Sprintf(" %s={%s}", name, name)
	}
	x := program("sh", "-c", echo+"; exit 1", "{data}", "{model}")
	x.Data, x.Weights, x.Eps = data, weights, 0.125
	out := map[string]float64{}
	for _, field := range strings.Fields(failure(t, x, p)) {
		if name, value, ok := strings.Cut(field, "="); ok {
			v, err := strconv.ParseFloat(value, 64)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = v
		}
	}
	return out
}

// TestExternalVariables checks the values of all variables in a command, for each form of a problem: the factor s of
// the label loss (with the margin of the loss), or the temperature, enters C = 1/(λ n s) and the others, except that
// SVM-multiclass has the label loss 100 itself, and that the C of a kernel is 2/(λ n s).
func TestExternalVariables(t *testing.T) {
	tripled := func(p *models.Risk) *models.Risk {
		for i := range p.Examples {
			for j := range p.Examples[i].Cost {
				p.Examples[i].Cost[j] *= 3
			}
		}
		return p
	}
	polynomial := &kernel.Model{Kernel: "polynomial", Gamma: 0.5, Coef: 3, Degree: 4, LossScale: 7, Cache: 1}
	task, err := polynomial.Build(noisy(30, 6, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	wide := models.Loss{Margin: 2}
	for _, c := range []struct {
		about, data, weights string
		p                    *models.Risk
		n, features, s       float64
	}{
		{"classes", "libsvm", "liblinear", noisyClasses(t, models.Hinge(), 3, 0.1, 7), 30, 6, 7},
		{"classes with a margin", "libsvm", "liblinear", noisyClasses(t, wide, 3, 0.1, 7), 30, 6, 14},
		{"classes with a temperature", "libsvm", "dense", noisyClasses(t, models.Loss{Temp: 5}, 3, 0.1, 7), 30, 6, 5},
		{"two classes with one vector", "libsvm", "liblinear", signed(t, models.Hinge(), 0.1, 7), 30, 6, 7},
		{"two classes with a temperature", "libsvm", "liblinear", signed(t, models.Loss{Temp: 5}, 0.1, 7), 30, 6, 5},
		{"SVM-multiclass", "libsvm", "svm-multiclass", noisyClasses(t, models.Hinge(), 3, 0.1, 100), 30, 6, 1},
		{"SVM-multiclass with slack", "libsvm", "svm-multiclass", noisyClasses(t, models.Slack(), 3, 0.1, 100), 30, 6, 1},
		{"sequences", "svm-hmm", "liblinear", tripled(sequences(t, models.Hinge(), "tied")), 2, 4, 3},
		{"sequences with a margin", "svm-hmm", "liblinear", tripled(sequences(t, wide, "tied")), 2, 4, 6},
		{"sequences with a temperature", "crfsuite", "liblinear", tripled(sequences(t, models.Loss{Temp: 5}, "untied")), 2,
			4, 5},
		{"kernel", "libsvm", "dense", kernelled(t, 7, 0), 30, 6, 3.5},
		{"polynomial", "libsvm", "dense", task.Objective(models.Hinge(), 0.1).(*models.Risk), 30, 6, 3.5},
	} {
		names := []string{"C", "Cn", "c2", "lambda", "n", "features", "eps"}
		lambda := c.p.Lambda * c.s
		want := map[string]float64{"C": 1 / (lambda * c.n), "Cn": 1 / lambda, "c2": lambda * c.n / 2, "lambda": lambda,
			"n": c.n, "features": c.features, "eps": 0.125}
		if c.about == "polynomial" {
			names = append(names, "gamma", "coef", "degree")
			want["gamma"], want["coef"], want["degree"] = 0.5, 3, 4
		}
		got := printed(t, c.p, c.data, c.weights, names...)
		if len(got) != len(want) {
			t.Errorf("%s: the program printed %v, want %v", c.about, got, want)
		}
		for name, v := range want {
			if math.Abs(got[name]-v) > 1e-12*v {
				t.Errorf("%s: {%s} is %v, want %v", c.about, name, got[name], v)
			}
		}
	}
}

// TestVariablesOfKernels checks that a variable of kernels is refused in each command, if the problem has none.
func TestVariablesOfKernels(t *testing.T) {
	p := noisyClasses(t, models.Hinge(), 3, 0.1, 1)
	for _, v := range []string{"{gamma}", "{coef}", "{degree}"} {
		x := program(os.Args[0], "{data}", "{model}", "-x={C}"+v)
		y := program(os.Args[0], "{data}", "{model}")
		y.Overhead = []string{os.Args[0], "{data}", "{n}", v}
		for _, x := range []solvers.Solver{x, y} {
			if err := solvers.Missing(x, p); err == nil || !strings.Contains(err.Error(), "a command contains "+v+";") {
				t.Errorf("%s: the error is %v, want one that names it", v, err)
			}
		}
	}
	for _, data := range []string{"crfsuite", "svm-hmm"} {
		x := program(os.Args[0], "{data}", "{model}", "{gamma}")
		x.Data = data
		if err := solvers.Missing(x, sequences(t, models.Hinge(), "tied")); err == nil ||
			!strings.Contains(err.Error(), "a command contains {gamma};") {
			t.Errorf("%s: the error is %v, want one that names {gamma}", data, err)
		}
	}
}

// TestTimeElsewhere checks that the CPU time of a program is reported once, before the files are read, if it succeeds
// and if it fails, and that neither the command Dump nor the command Overhead is reported.
func TestTimeElsewhere(t *testing.T) {
	const work = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; "
	p := signed(t, models.Hinge(), 0.1, 1)
	for _, c := range []struct {
		end  string
		fail bool
	}{{"touch {model}", false}, {"exit 1", true}} {
		var seen []string
		var used time.Duration
		env := solvers.Env{Phase: func(name string) { seen = append(seen, "phase "+name) },
			Elsewhere: func(cpu time.Duration, _ int64) { seen, used = append(seen, "elsewhere"), cpu }}
		x := program("sh", "-c", work+c.end, "{data}", "{model}")
		x.Weights = "dense"
		x.Dump = []string{"sh", "-c", "printf '1\n2\n3\n4\n5\n6\n'", "{model}"}
		x.Overhead = []string{"sh", "-c", "exit 0", "{data}"}
		var last solvers.Iterate
		var failed error
		for it, err := range solvers.Run(x, p, env) {
			last, failed = it, err
		}
		const want = "phase files, phase , elsewhere, phase files, phase "
		if got := strings.Join(seen, ", "); got != want || used <= 0 || (failed != nil) != c.fail {
			t.Errorf("%s: the run did %q, with %v of CPU time, error %v; want %q", c.end, got, used, failed, want)
		}
		if !c.fail && (fmt.Sprint(last.W) != "[1 2 3 4 5 6]" || last.Epoch != 1) {
			t.Errorf("the weights are %v, want those that the command Dump prints", last.W)
		}
	}
}
