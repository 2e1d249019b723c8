package external

import (
	"fmt"
	"io"
	"strconv"
)

// svmHMM returns the format of SVM-HMM. A line contains a label, "qid:" with the number of the sequence, and features
// with their values. Labels, sequences and features are numbered from 1. The model file contains a header of lines
// "value # name", and then the weights as one vector. In this vector, the transition from label y' to label y has the
// index y'·k + y, and feature f with label y has the index k² + k + 1 + y·F + f, where k is the number of labels. F is
// the number of the last feature that occurs.
func svmHMM() chainFormat {
	return chainFormat{
		label: func(line []byte, label, example int) []byte {
			line = strconv.AppendInt(line, int64(label)+1, 10)
			return strconv.AppendInt(append(line, " qid:"...), int64(example)+1, 10)
		},
		feature: appendFeature,
		read:    (*chainProblem).readSVMHMM,
	}
}

// readSVMHMM reads a model file of SVM-HMM into w.
func (c *chainProblem) readSVMHMM(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	header, err := lines.header()
	if err != nil {
		return err
	}
	k := c.labels
	features, err := strconv.Atoi(header["number of emission features"])
	switch {
	case header["number of classes"] != strconv.Itoa(k):
		return lines.fault("in the header above, the number of classes is %q: want %d", header["number of classes"], k)
	case err != nil || features < 1 || features > c.features:
		return lines.fault("in the header above, the number of emission features is %q: want at most %d, "+
			"the number in the data", header["number of emission features"], c.features)
	case header["kernel type"] != "0" || header["HMM order of transitions"] != "1" ||
		header["HMM order of emissions"] != "0":
		return lines.fault("the header above has another kernel or order: want the linear kernel, transitions of order 1 " +
			"and emissions of order 0")
	}
	first := k*k + k + 2 + features // index of feature 1 with label 1
	want := fmt.Sprintf("the index of a transition (%d to %d) or of a feature (%d to %d)",
		k+1, k+k*k, first, first+features*k-1)
	return lines.vector(want, func(index int, v float64) bool {
		switch at := index - first; {
		case at >= 0 && at < features*k:
			w[at%features*k+at/features] = v
		case index > k && index <= k+k*k:
			w[c.features*k+index-k-1] = v
		default:
			return false
		}
		return true
	})
}
