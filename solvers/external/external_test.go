package external_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
	"github.com/gaplab/gaplab/solvers/external"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// program returns the solver that runs the given command, with the default settings.
func program(command ...string) *external.Program {
	return &external.Program{Command: command, Data: "libsvm", Weights: "liblinear", Eps: 0.1}
}

// liblinear returns the installed program LIBLINEAR as a solver. It skips the test if LIBLINEAR is not installed.
func liblinear(t testing.TB, solverType string) *external.Program {
	t.Helper()
	if _, err := exec.LookPath("liblinear-train"); err != nil {
		t.Skip("liblinear-train is not installed (Debian's package liblinear-tools)")
	}
	x := program("liblinear-train", "-s", solverType, "-c", "{C}", "-e", "{eps}", "{data}", "{model}")
	x.Eps = 1e-8
	return x
}

// trained returns the last iterate of a run. The run must have two iterates: the start and the program's weights.
func trained(t testing.TB, x *external.Program, p *models.Risk) solvers.Iterate {
	t.Helper()
	var out []solvers.Iterate
	for it := range testbed.Iterates(t, solvers.Run(x, p, solvers.Env{Seed: 1})) {
		it.W = slices.Clone(it.W)
		out = append(out, it)
	}
	if len(out) != 2 || out[0].Epoch != 0 || out[1].Epoch != 1 || out[0].Stats != nil {
		t.Fatalf("the run yielded %v: want a start at epoch 0 without statistics, and an end at epoch 1", out)
	}
	if slices.ContainsFunc(out[0].W, func(v float64) bool { return v != 0 }) {
		t.Errorf("the run starts at w = %v: want 0", out[0].W)
	}
	return out[1]
}

// failure returns the error of a run that must fail after its start.
func failure(t testing.TB, x *external.Program, p *models.Risk) string {
	t.Helper()
	return failureIn(t, solvers.Env{}, x, p)
}

// failureIn returns the error of a run in env that must fail after its start.
func failureIn(t testing.TB, env solvers.Env, x *external.Program, p *models.Risk) string {
	t.Helper()
	yields := 0
	for _, err := range solvers.Run(x, p, env) {
		if yields++; err != nil {
			if yields != 2 || errors.Is(err, solvers.ErrUnsupported) {
				t.Errorf("yield %d has the error %v: want an error in yield 2, and not ErrUnsupported", yields, err)
			}
			return err.Error()
		}
	}
	t.Fatal("the run did not fail")
	return ""
}

// TestExternalFindsTheOptimum checks that the program's weights, multiplied by the scale s of Program, minimise the
// problem's objective, for each layout of the weights (see rowProblem) and several label losses. The reference is the
// optimum of EG. EG converges slowly for the hinge, so the tolerance for the hinge is rough.
func TestExternalFindsTheOptimum(t *testing.T) {
	const rough, fine = 1e-3, 1e-6
	for _, c := range []struct {
		name    string
		loss    string
		problem *models.Risk
		tol     float64
	}{
		{"multiclass", "hinge", noisyClasses(t, models.Hinge(), 3, 0.1, 1), rough},
		{"multiclass, label loss 100", "hinge", noisyClasses(t, models.Hinge(), 3, 0.001, 100), rough},
		{"multiclass, two classes", "hinge", noisyClasses(t, models.Hinge(), 2, 0.1, 1), rough},
		{"signed", "hinge", signed(t, models.Hinge(), 0.1, 1), rough},
		{"signed, label loss 100", "hinge", signed(t, models.Hinge(), 0.001, 100), rough},
		{"signed, log loss", "log", signed(t, models.LogLoss(), 0.1, 1), fine},
		{"signed, log loss of temperature 2", "log", signed(t, models.Loss{Temp: 2}, 0.1, 1), fine},
	} {
		p := c.problem
		dual := 0.0
		s := &eg.Solver{Eta: 0.5, Order: "cyclic", Rate: "adaptive"}
		for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{Seed: 1})) {
			if dual = it.Dual(); it.Epoch >= 1000 || p.Primal(it.W)-dual < 1e-7*dual {
				break
			}
		}
		it := trained(t, program(peerCommand(t, "train", c.loss, "{C}", "{data}", "{model}")...), p)
		value, start := p.Primal(it.W), p.Primal(make([]float64, p.Dim))
		if !(value >= dual*(1-1e-9) && value <= dual*(1+c.tol)) || value > 0.9*start {
			t.Errorf("%s: the objective is %v, want less than at 0, %v, and about the optimum, %v", c.name, value,
				start, dual)
		}
		if it.Stats != nil || it.Dual != nil {
			t.Errorf("%s: the iterate has statistics or a dual, want neither", c.name)
		}
	}
}

// TestLIBLINEARAgreesWithItself checks that LIBLINEAR's solvers -s 3 and -s 4 find the same optimum for two classes.
// One weight vector u is equivalent to two vectors ±u/2, which have half the squared norm.
func TestLIBLINEARAgreesWithItself(t *testing.T) {
	one, two := liblinear(t, "3"), liblinear(t, "4")
	for _, s := range []float64{1, 100} {
		p, q := signed(t, models.Hinge(), 0.1/s, s), noisyClasses(t, models.Hinge(), 2, 0.2/s, s)
		v, w := p.Primal(trained(t, one, p).W), q.Primal(trained(t, two, q).W)
		if !(v <= w*(1+1e-6) && w <= v*(1+1e-6)) {
			t.Errorf("label loss %v: the objective is %v with one vector and %v with two, want equal values", s, v, w)
		}
	}
	for _, solverType := range []string{"0", "7"} {
		p := signed(t, models.LogLoss(), 0.1, 1)
		w := trained(t, liblinear(t, solverType), p).W
		if value, bound := p.Primal(w), p.Bound(w); !(value-bound <= 1e-6*value) {
			t.Errorf("-s %s: the objective is %v and the lower bound %v, want equal values", solverType, value, bound)
		}
	}
	p := signed(t, models.Hinge(), 0.1, 1)
	if text := failure(t, liblinear(t, "1"), p); !strings.Contains(text, "L2R_L2LOSS_SVC_DUAL") ||
		!strings.Contains(text, "-s 3") {
		t.Errorf("-s 1 (the squared hinge): the error is %s, want one with -s 3 and the name of this solver", text)
	}
}

// TestExternalFiles checks that the numbers in the data file are exact, that Env.Phase is called when the harness must
// stop its clock, and that no file remains after the run.
func TestExternalFiles(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	rows := &datasets.Labelled{
		X:       datasets.Rows{N: 3, Dim: 3, Value: []float64{0, 1.0 / 3, 0, -1e-300, 0, 2, 0, 0, 0}},
		Y:       []int{1, 0, 2},
		Classes: []string{"a", "b", "c"},
	}
	task, err := multiclass.Model{}.Build(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := task.Objective(models.Hinge(), 0.1).(*models.Risk)
	var phases []string
	env := solvers.Env{Phase: func(name string) { phases = append(phases, name) }}
	text := failureIn(t, env, program(peerCommand(t, "fail", "{data}", "{model}")...), p)
	for _, want := range []string{"exit status 3", "cannot train on data <nil>\n", "line 4999\n",
		"\n  2 2:0.3333333333333333\n  1 1:-1e-300 3:2\n  3"} {
		if !strings.Contains(text, want) {
			t.Errorf("the error lacks %q: %s", want, text)
		}
	}
	if strings.Contains(text, folder) || strings.Count(text, "\n") > 10 {
		t.Errorf("the error contains the path of the temporary folder, or more than the last 10 lines: %s", text)
	}
	if want := []string{"files", "", "files", ""}; !slices.Equal(phases, want) {
		t.Errorf("the phases are %q: want %q", phases, want)
	}

	rows.Y, rows.Classes = []int{0, 1, 0}, rows.Classes[:2]
	task, err = multiclass.Binary{LossScale: 1, Bias: 0.5}.Build(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	p = task.Objective(models.LogLoss(), 0.1).(*models.Risk)
	text = failure(t, program(peerCommand(t, "fail", "{data}", "{model}")...), p)
	if want := "\n  -1 2:0.3333333333333333 4:0.5\n  1 1:-1e-300 3:2 4:0.5\n  -1 4:0.5"; !strings.HasSuffix(text, want) {
		t.Errorf("the error does not end with %q: %s", want, text)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("files in the temporary folder after the run: %v (%v), want none", left, err)
	}
}

// TestExternalDense checks the format dense: one weight per line, in the order of w. The program writes the weights for
// the same problem with label loss 1 and λ = {lambda}, so gaplab must multiply them by the label loss, here 4. The test
// also checks that the command Overhead is timed in a separate run whose model file is not read.
func TestExternalDense(t *testing.T) {
	p := noisyClasses(t, models.Hinge(), 2, 0.25, 4)
	lines := []string{"{data}", "{model}", "{lambda}", "{n}", "{C}", "{eps}"}
	for j := range p.Dim - 4 {
		lines = append(lines, strconv.Itoa(j))
	}
	x := program(peerCommand(t, "write", lines...)...)
	x.Weights, x.Eps = "dense", 0.125
	x.Overhead = peerCommand(t, "write", "{data}", "{model}", "no weight")
	it := trained(t, x, p)
	want := []float64{4 * 1, 4 * 30, 4 / 30., 4 * 0.125}
	for j := range p.Dim - 4 {
		want = append(want, 4*float64(j))
	}
	if !slices.Equal(it.W, want) {
		t.Errorf("the weights are %v: want %v", it.W, want)
	}
	figures := map[string]float64{}
	it.Stats(func(name string, v float64) { figures[name] = v })
	if len(figures) != 2 || !(figures["overhead_seconds"] > 0) || !(figures["overhead_cpu_seconds"] > 0) {
		t.Errorf("the statistics are %v: want overhead_seconds and overhead_cpu_seconds > 0", figures)
	}
}

// TestExternalMemory checks that the reported memory is the memory of the program: at least the size of its arrays, and
// less than the memory of this process.
func TestExternalMemory(t *testing.T) {
	if machine.PeakOf(os.Getpid()) == 0 {
		t.Skip("this system does not report the memory of a process")
	}
	const ours, its = 200 << 20, 50 << 20
	held := make([]byte, ours)
	for i := 0; i < len(held); i += 1 << 10 {
		held[i] = 1
	}
	p := noisyClasses(t, models.Hinge(), 2, 0.25, 1)
	x := program(peerCommand(t, "hold", append([]string{"50", "{data}", "{model}"},
		strings.Fields(strings.Repeat("1 ", p.Dim))...)...)...)
	x.Weights = "dense"
	var peak int64
	env := solvers.Env{Elsewhere: func(_ time.Duration, bytes int64) { peak = bytes }}
	for range testbed.Iterates(t, solvers.Run(x, p, env)) {
	}
	runtime.KeepAlive(held)
	if peak < its || peak >= ours {
		t.Errorf("peak memory = %d bytes, want at least the program's %d and less than this process's %d", peak, its, ours)
	}
}

// TestExternalFailures checks that each kind of failure of a program gives an error that describes it.
func TestExternalFailures(t *testing.T) {
	p := noisyClasses(t, models.Hinge(), 2, 0.25, 1)
	silent := peerCommand(t, "nothing", "{data}", "{model}")
	if text := failure(t, program(silent...), p); !strings.Contains(text, "wrote no {model}") {
		t.Errorf("a program that does nothing: the error is %s, want one with %q", text, "wrote no {model}")
	}
	bad := program(peerCommand(t, "write", "{data}", "{model}", "solver_type MCSVM_CS", "nonsense 1")...)
	if text := failure(t, bad, p); !strings.Contains(text, `read as liblinear: line 2: key "nonsense"`) {
		t.Errorf("a bad model file: the error is %s, want one with line 2 and its key", text)
	}
	overhead := program(peerCommand(t, "write",
		append([]string{"{data}", "{model}"}, strings.Fields(strings.Repeat("1 ", p.Dim))...)...)...)
	overhead.Weights, overhead.Overhead = "dense", peerCommand(t, "fail", "{data}")
	if text := failure(t, overhead, p); !strings.Contains(text, "overhead: ") || !strings.Contains(text, "exit status 3") {
		t.Errorf("an overhead that fails: the error is %s, want one with the exit status", text)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := failure(t, program(text, "{data}", "{model}"), p); !strings.Contains(err, text) {
		t.Errorf("a file that is no program: the error is %s, want one with the path", err)
	}
}

// TestExternalBreak checks that no program runs if the caller breaks at the start.
func TestExternalBreak(t *testing.T) {
	p := noisyClasses(t, models.Hinge(), 2, 0.25, 1)
	env := solvers.Env{Phase: func(name string) { t.Errorf("Phase(%q) was called, want no call", name) }}
	for _, err := range solvers.Run(program(os.Args[0], "{data}", "{model}"), p, env) {
		if err != nil {
			t.Error(err)
		}
		break
	}
}
