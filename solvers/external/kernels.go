package external

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/models"
)

// kernelProblem is a problem of two classes with a kernel k (model kernel, basis 0), as other programs see it: rows x_i
// with labels y_i = ±1, of which they find a function v = Σ_j a_j k(·, x_j), and perhaps a number b, that minimise
//
//	½|v|² + C Σ_i max(0, 1 − y_i (v(x_i) + b)).
//
// Ours has a function for each class, and where there is a bias a weight: θ_c = v_c + bias·b_c. With θ_1 − θ_0 =
// s·(v + b), s the label loss, its norm is least where v_1 = −v_0 = ½ s·v and bias·b_1 = −bias·b_0 = ½ s·b, and there
//
//	P = λ s²/2 (½|v|² + C Σ_i max(0, 1 − y_i (v(x_i) + b)) + ½ b²/bias²),   C = 2/(λ n s).
//
// Without a bias, b = 0, that is the program's objective (SVM-light with -b 0). LIBSVM's b is free: its objective P'
// is P without the last term, and with its optimum (v', b')
//
//	min P' ≤ min P ≤ P(v', b') = min P' + λ s² b'²/(4 bias²).
//
// The larger the bias, the more nearly the two are one problem. P is what gaplab evaluates: of it LIBSVM cannot have
// less than the least, and may have that last term more.
type kernelProblem struct {
	problem *models.Risk
	kernel  models.Kernel
	rows    []models.Row
	scale   float64 // s
	format  string  // of the weights: dense or libsvm
}

// newKernelProblem recognises a problem. Its errors continue a sentence that begins with the solver's name.
func newKernelProblem(p *models.Risk, format string) (*kernelProblem, error) {
	k := &kernelProblem{problem: p, format: format, rows: make([]models.Row, len(p.Examples))}
	if format != "dense" && format != "libsvm" {
		return nil, fmt.Errorf("takes a kernel with weights dense or libsvm, and not %s", format)
	}
	if p.Loss != models.Hinge() {
		return nil, errors.New("takes a kernel with the hinge only")
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		f, ok := e.Features.(models.KernelMap)
		if !ok {
			return nil, fmt.Errorf("takes a kernel as model kernel has it, with basis 0; example %d has another", i)
		}
		if parts := f.Parts(); parts != 2 {
			return nil, fmt.Errorf("takes a kernel with 2 classes; example %d has %d", i, parts)
		}
		s := zeroOneLoss(e)
		if !(s > 0) || i > 0 && s != k.scale {
			return nil, fmt.Errorf("needs the same label loss s·[y ≠ truth], s > 0, for all examples; that of example %d "+
				"differs", i)
		}
		k.scale = s
		k.rows[i], k.kernel = f.Input()
	}
	switch biased := format == "libsvm"; {
	case biased && k.kernel.Bias == 0:
		return nil, errors.New("with weights libsvm needs a bias of model kernel, as LIBSVM has one")
	case !biased && k.kernel.Bias > 0:
		return nil, errors.New("with weights dense takes a kernel without a bias, as a coefficient for each example is " +
			"all that is read")
	}
	return k, nil
}

func (k *kernelProblem) values(eps float64) map[string]string {
	features := 0
	for _, x := range k.rows {
		features = max(features, len(x.Value))
		for _, j := range x.Index {
			features = max(features, int(j)+1)
		}
	}
	out := values(k.problem, features, k.scale/2, eps)
	out["gamma"], out["coef"] = exact(k.kernel.Gamma), exact(k.kernel.Coef)
	out["degree"] = strconv.Itoa(k.kernel.Degree)
	return out
}

// label returns how an example's class is written: −1 or +1.
func (k *kernelProblem) label(i int) int { return 2*k.problem.Examples[i].Truth[0] - 1 }

// write writes a line "label index:value ..." per example, indices from 1, values exact, zeros left out.
func (k *kernelProblem) write(out io.Writer) error {
	var line []byte
	for i, x := range k.rows {
		line = strconv.AppendInt(line[:0], int64(k.label(i)), 10)
		for t, v := range x.Value {
			if v == 0 {
				continue
			}
			line = appendFeature(line, feature(x, t), v)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// feature returns the feature of value t, numbered from 0.
func feature(x models.Row, t int) int {
	if x.Index == nil {
		return t
	}
	return int(x.Index[t])
}
