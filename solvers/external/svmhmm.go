package external

import (
	"fmt"
	"io"
	"strconv"
)

// svmHMM returns the format of SVM-HMM: labels from 1, qid: with the number of the sequence, and features from 1 with
// their values. The weights are one vector in a model file, after lines with "# " and the name of a number. With labels
// and features from 1, the transition from y' to y has the index y'·k + y, and feature f with label y has the index k²
// + k + 1 + y·F + f. Here F is the number of features up to the last one that occurs.
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
		return lines.fault("number of classes %s: want %d", header["number of classes"], k)
	case err != nil || features < 1 || features > c.features:
		return lines.fault("number of emission features %s: want at most the %d of the data",
			header["number of emission features"], c.features)
	case header["kernel type"] != "0" || header["HMM order of transitions"] != "1" ||
		header["HMM order of emissions"] != "0":
		return lines.fault("want the linear kernel, transitions of order 1 and emissions of order 0")
	}
	first := k*k + k + 2 + features // of the features
	want := fmt.Sprintf("a transition, %d to %d, or a feature, %d to %d", k+1, k+k*k, first, first+features*k-1)
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
