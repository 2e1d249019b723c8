package external_test

import (
	"fmt"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/external"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// optimum returns the optimal w and the optimal dual value, from a run of the solver Decomposition.
func optimum(t testing.TB, p *models.Risk) (w []float64, dual float64) {
	t.Helper()
	s := coordinate.NewDecomposition()
	s.Tol = 1e-9
	for it := range testbed.Iterates(t, solvers.Run(s, p, solvers.Env{})) {
		w, dual = it.W, it.Dual()
	}
	return w, dual
}

// coefficients returns the coefficients a_j in a program's model that correspond to the weights w, for label loss s.
func coefficients(p *models.Risk, w []float64, s float64) []float64 {
	a := make([]float64, len(p.Examples))
	for j := range a {
		a[j] = (w[2*j+1] - w[2*j]) / s
	}
	return a
}

// TestKernelWeights checks that reading a model file of the optimum gives the optimal objective. It tests files with
// one coefficient for each example and, for both orders of the labels, files with support vectors. It also checks that
// the largest coefficient is C.
func TestKernelWeights(t *testing.T) {
	for _, s := range []float64{1, 7} {
		p := kernelled(t, s, 0)
		w, dual := optimum(t, p)
		a := coefficients(p, w, s)
		lines, most := []string{"{data}", "{model}"}, 0.0
		for _, v := range a {
			lines, most = append(lines, strconv.FormatFloat(v, 'g', -1, 64)), max(most, math.Abs(v))
		}
		if c := 2 / (p.Lambda * 30 * s); math.Abs(most-c) > 1e-12*c {
			t.Errorf("label loss %v: the largest coefficient is %v: want C = %v", s, most, c)
		}
		x := program(peerCommand(t, "write", lines...)...)
		x.Weights = "dense"
		if value := p.Primal(trained(t, x, p).W); !(value >= dual && value <= dual*(1+1e-6)) {
			t.Errorf("label loss %v: the objective of the coefficients read is %v: want the optimum, %v", s, value, dual)
		}

		p = kernelled(t, s, 2)
		w, dual = optimum(t, p)
		b := 2 * (w[61] - w[60]) / s
		for _, sign := range []float64{1, -1} {
			x = program(peerCommand(t, "write", append([]string{"{data}", "{model}"},
				libsvmModel(coefficients(p, w, s), b, sign)...)...)...)
			x.Weights = "libsvm"
			if value := p.Primal(trained(t, x, p).W); !(value >= dual && value <= dual*(1+1e-6)) {
				t.Errorf("label loss %v, sign %v: the objective of the support vectors read is %v: want the optimum, %v", s, sign,
					value, dual)
			}
		}
	}
}

// libsvmModel returns the lines of a LIBSVM model file for the function Σ_j a_j k(·, x_j) + b, where x_j are the rows
// that the function noisy returns. sign is the first label, 1 or −1, in the line "label". The last row occurs twice,
// and its two coefficients add up to the last entry of a.
func libsvmModel(a []float64, b, sign float64) []string {
	label := map[float64]string{1: "1 -1", -1: "-1 1"}[sign]
	lines := []string{"svm_type c_svc", "kernel_type rbf", "gamma 0.25000000001", "nr_class 2",
		fmt.Sprint("total_sv ", len(a)+1), "rho " + strconv.FormatFloat(-sign*b, 'g', -1, 64), "label " + label,
		"nr_sv 15 15", "SV"}
	rows := noisy(30, 6, 2)
	line := func(i int, v float64) {
		text := strconv.FormatFloat(sign*v, 'g', -1, 64)
		for j, x := range rows.X.Value[i*6 : i*6+6] {
			if x != 0 {
				text += fmt.Sprintf(" %d:%.8g", j+1, x)
			}
		}
		lines = append(lines, text+" ")
	}
	for i := range len(a) - 1 {
		line(i, a[i])
	}
	line(len(a)-1, a[len(a)-1]/4)
	line(len(a)-1, a[len(a)-1]*3/4)
	return lines
}

// TestReadLIBSVMRefuses checks the error for each fault of a LIBSVM model file.
func TestReadLIBSVMRefuses(t *testing.T) {
	p := kernelled(t, 1, 2)
	good := libsvmModel(make([]float64, 30), 0.5, 1)
	for _, c := range []struct {
		line       int // number of the line of the valid file that text replaces, from 1
		text, says string
	}{
		{1, "svm_type nu_svc", `line 9: in the header above, svm_type is "nu_svc": want c_svc (-s 0)`},
		{2, "kernel_type linear", `kernel_type is "linear": want rbf`},
		{3, "gamma 0.5", `gamma is "0.5": want 0.25`},
		{5, "total_sv 32", "the file ends at line 40, after 31 of 32 support vectors"},
		{5, "total_sv 30", "follows the 30 support vectors"},
		{5, "total_sv x", `total_sv is "x": want`},
		{6, "rho nan", `rho is "nan": want a finite number`},
		{7, "label 1 2", `label is "1 2": want 1 -1 or -1 1`},
		{9, "sv", `after a header without the line "SV"`},
		{10, "1 1:0.125", "line 10: the support vector is not a row of the data"},
		{10, "x 1:0.125", `line 10: "x": want a finite number`},
		{11, "1 0:1", `line 11: "0:1": want an index from 1 and a value`},
		{11, "1 1:", `line 11: "": want a finite number`},
		{12, "", "line 12: the line is empty"},
	} {
		lines := append([]string{"{data}", "{model}"}, good...)
		lines[c.line+1] = c.text
		x := program(peerCommand(t, "write", lines...)...)
		x.Weights = "libsvm"
		if text := failure(t, x, p); !strings.Contains(text, c.says) {
			t.Errorf("line %d, %q: the error is %s: want %q", c.line, c.text, text, c.says)
		}
	}
}

// TestKernelPrograms checks SVM-light and LIBSVM, if they are installed. SVM-light must find the optimum of the
// problem. LIBSVM must find the optimum up to the penalty on the bias, which LIBSVM leaves out.
func TestKernelPrograms(t *testing.T) {
	light := program("svm_learn", "-v", "0", "-b", "0", "-t", "2", "-g", "{gamma}", "-c", "{C}", "-e", "{eps}", "-a",
		"{model}", "{data}", "/dev/null")
	light.Weights = "dense"
	free := program("svm-train", "-q", "-t", "2", "-g", "{gamma}", "-c", "{C}", "-e", "{eps}", "{data}", "{model}")
	free.Weights = "libsvm"
	for _, c := range []struct {
		x    *external.Program
		bias float64
	}{{light, 0}, {free, 1}, {free, 10}} {
		t.Run(fmt.Sprint(c.x.Command[0], ", bias ", c.bias), func(t *testing.T) {
			if _, err := exec.LookPath(c.x.Command[0]); err != nil {
				t.Skip("not installed")
			}
			c.x.Eps = 1e-6
			for _, s := range []float64{1, 7} {
				p := kernelled(t, s, c.bias)
				_, dual := optimum(t, p)
				w := trained(t, c.x, p).W
				var last float64 // λ/2 times the squared weights of the bias: the last term of P, which LIBSVM leaves out
				if c.bias > 0 {
					last = p.Lambda * w[61] * w[61]
				}
				if value := p.Primal(w); !(value >= dual && value-last <= dual*(1+1e-5)) {
					t.Errorf("label loss %v: the objective is %v, including %v for the bias: want the optimum, %v", s, value, last,
						dual)
				}
			}
		})
	}
}
