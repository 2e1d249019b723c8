package external

import (
	"errors"
	"fmt"
	"io"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// newRowProblem returns p as a rowProblem, or an error if the examples of p are not rows with one label each. The text
// of the error continues a sentence that begins with the solver's name.
func newRowProblem(p *models.Risk, format string) (*rowProblem, error) {
	r := &rowProblem{problem: p, parts: p.Examples[0].Features.Parts(), format: format}
	rescaled := format == "svm-multiclass" && p.Loss == models.Slack() // no other program has this loss
	if err := plainLoss(p.Loss); err != nil && !rescaled {
		return nil, err
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		if k := e.Features.Parts(); k != r.parts {
			return nil, fmt.Errorf("needs the same number of parts in all examples; example %d has %d parts, the first has %d",
				i, k, r.parts)
		}
		s := p.Loss.Temp
		switch {
		case rescaled:
			s = zeroOneLoss(e)
		case s == 0:
			s = p.Loss.Margin * zeroOneLoss(e)
		}
		if !(s > 0) || i > 0 && s != r.scale {
			return nil, fmt.Errorf("needs the label loss s·[y ≠ truth] with the same s > 0 for all examples; the label loss of "+
				"example %d is different", i)
		}
		r.scale = s
	}
	if err := r.findLayout(); err != nil {
		return nil, err
	}
	switch format {
	case "libsvm":
		return nil, errors.New("with weights: libsvm needs model kernel, because LIBSVM's model file contains support " +
			"vectors")
	case "svm-multiclass":
		if err := r.svmMulticlass(); err != nil {
			return nil, err
		}
		return r, r.countedClasses("svm-multiclass", "SVM-multiclass")
	case "liblinear":
		return r, r.liblinear()
	}
	return r, nil
}

// read reads the program's weights v, and sets w to s·v, where s is the scale (see Program).
func (r *rowProblem) read(w []float64, in io.Reader) error {
	var err error
	switch r.format {
	case "dense":
		err = readDense(w, in)
	case "svm-multiclass":
		err = r.readSVMMulticlass(w, in)
	default:
		err = r.readLIBLINEAR(w, in)
	}
	dualspace.Scale(w, r.scale)
	return err
}
