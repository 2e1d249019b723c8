package external

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/models"
)

// kernelProblem is a problem of two classes with a kernel k (the model named kernel with the setting basis: 0), in the
// form that other programs need: rows x_i with labels y_i = ±1. The programs compute a function v = Σ_j a_j k(·, x_j),
// and LIBSVM also a number b (the bias). v and b minimise
//
//	½|v|² + C Σ_i max(0, 1 − y_i (v(x_i) + b)).
//
// gaplab's model has a function v_c for each class c and, if it has a bias, also a weight b_c: θ_c = v_c + bias·b_c.
// Among all weights with θ_1 − θ_0 = s·(v + b), where s is the label loss, the weights of least norm have v_1 = −v_0 =
// ½ s·v and bias·b_1 = −bias·b_0 = ½ s·b. Then the model's objective is
//
//	P = λ s²/2 (½|v|² + C Σ_i max(0, 1 − y_i (v(x_i) + b)) + ½ b²/bias²),   C = 2/(λ n s).
//
// Without a bias, b = 0, and P is the objective of the program (SVM-light with -b 0) times the factor λ s²/2. LIBSVM
// does not penalise b: its objective P' is P without the last term. Let (v', b') be the optimum of P'. Then
//
//	min P' ≤ min P ≤ P(v', b') = min P' + λ s² b'²/(4 bias²).
//
// The larger the model's bias, the closer the two problems are. gaplab evaluates P at LIBSVM's solution. This value is
// at least min P, and exceeds min P by at most λ s² b'²/(4 bias²).
type kernelProblem struct {
	problem *models.Risk
	kernel  models.Kernel
	rows    []models.Row // the rows x_i of the examples
	scale   float64      // s, the label loss
	format  string       // format of the weights: dense or libsvm
}

// newKernelProblem returns p as a kernelProblem, or an error if p is not a problem of two classes with a kernel. The
// text of the error continues a sentence that begins with the solver's name.
func newKernelProblem(p *models.Risk, format string) (*kernelProblem, error) {
	k := &kernelProblem{problem: p, format: format, rows: make([]models.Row, len(p.Examples))}
	if format != "dense" && format != "libsvm" {
		return nil, fmt.Errorf("with weights: %s supports no kernel; accepted: weights: dense, weights: libsvm", format)
	}
	if p.Loss != models.Hinge() {
		return nil, errors.New("supports only the hinge loss with a kernel")
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		f, ok := e.Features.(models.KernelMap)
		if !ok {
			return nil, fmt.Errorf("supports only the kernels of model kernel with basis: 0; example %d has other features", i)
		}
		if parts := f.Parts(); parts != 2 {
			return nil, fmt.Errorf("supports only 2 classes with a kernel; example %d has %d classes", i, parts)
		}
		s := zeroOneLoss(e)
		if !(s > 0) || i > 0 && s != k.scale {
			return nil, fmt.Errorf("needs the label loss s·[y ≠ truth] with the same s > 0 for all examples; the label loss of "+
				"example %d is different", i)
		}
		k.scale = s
		k.rows[i], k.kernel = f.Input()
	}
	switch biased := format == "libsvm"; {
	case biased && k.kernel.Bias == 0:
		return nil, errors.New(`with weights: libsvm needs a model with a bias, because LIBSVM has a bias: set the setting ` +
			`"bias" of model kernel`)
	case !biased && k.kernel.Bias > 0:
		return nil, errors.New("with weights: dense needs a kernel without a bias, because the file contains only a " +
			"coefficient for each example")
	}
	return k, nil
}

// values returns the values of the variables, such as {C}, that the commands of Program may contain.
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

// label returns the label of example i in the data file, which encodes its class: −1 or +1.
func (k *kernelProblem) label(i int) int { return 2*k.problem.Examples[i].Truth[0] - 1 }

// write writes a line "label index:value ..." for each example. Indices begin at 1, values are exact, and zeros are
// left out.
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

// feature returns the index (from 0) of the feature to which the value x.Value[t] belongs.
func feature(x models.Row, t int) int {
	if x.Index == nil {
		return t
	}
	return int(x.Index[t])
}
