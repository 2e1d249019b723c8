package external

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// svmMulticlassLoss is the label loss of a wrong class in SVM-multiclass.
const svmMulticlassLoss = 100

// svmMulticlass returns an error if the objective differs from the objective of SVM-multiclass (Joachims, Finley and Yu
// 2009),
//
//	½|v|² + Cn/n Σ_i ℓ_i(v),   ℓ_i(v) = 100 max(0, 1 − m_i) with -o 1,   max(0, 100 − m_i) with -o 2.
//
// These are slack rescaling and margin rescaling with the label loss 100. The comment of Program defines the margins
// m_i. For this objective, gaplab's w is the program's v, so svmMulticlass sets the scale to 1.
func (r *rowProblem) svmMulticlass() error {
	switch {
	case r.signed:
		return errors.New("with weights: svm-multiclass needs model multiclass, because SVM-multiclass has a weight " +
			"vector for each class")
	case r.problem.Loss.Smooth():
		return errors.New("with weights: svm-multiclass supports only the hinge loss and slack rescaling")
	case r.scale != svmMulticlassLoss:
		return fmt.Errorf("with weights: svm-multiclass needs the label loss of SVM-multiclass, %d, but the label loss "+
			"is %v: set loss_scale", svmMulticlassLoss, r.scale)
	}
	r.scale = 1
	return nil
}

// readSVMMulticlass reads a model file of SVM-multiclass. The file contains a line with the version, lines "value #
// name", and one vector, "factor qid:0 index:value ... #". Feature f of class c has the index c·F + f, where f begins
// at 1 and c at 0. F is the number of the last feature that occurs. The file leaves out weights that are 0.
func (r *rowProblem) readSVMMulticlass(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	header, err := lines.header()
	if err != nil {
		return err
	}
	features, err := strconv.Atoi(header["number of base features"])
	switch {
	case header["number of classes"] != strconv.Itoa(r.parts):
		return lines.fault("in the header above, the number of classes is %q: want %d", header["number of classes"], r.parts)
	case err != nil || features < 1 || features > r.features:
		return lines.fault("in the header above, the number of base features is %q: want at most %d, the number in the data",
			header["number of base features"], r.features)
	case header["loss function"] != "0" || header["kernel type"] != "0":
		return lines.fault("in the header above, the loss function is %q and the kernel type is %q: want 0 "+
			"(zero/one loss) and 0 (linear)", header["loss function"], header["kernel type"])
	}
	clear(w)
	want := fmt.Sprintf("an index, 1 to %d, and a weight", features*r.parts)
	return lines.vector(want, func(index int, v float64) bool {
		if index < 1 || index > features*r.parts {
			return false
		}
		class, feature := (index-1)/features, (index-1)%features
		w[feature*r.parts+class] = v
		return true
	})
}
