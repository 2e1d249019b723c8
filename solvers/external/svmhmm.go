package external

import (
	"io"
	"strconv"
	"strings"
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
		feature: func(line []byte, feature int, value float64) []byte {
			line = strconv.AppendInt(append(line, ' '), int64(feature)+1, 10)
			return strconv.AppendFloat(append(line, ':'), value, 'g', -1, 64)
		},
		read: (*chainProblem).readSVMHMM,
	}
}

func (c *chainProblem) readSVMHMM(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	header := map[string]int{}
	for lines.next() {
		value, name, named := strings.Cut(lines.text, "# ")
		if !named {
			if len(header) == 0 {
				continue // the version
			}
			break
		}
		if n, err := strconv.Atoi(strings.TrimSpace(value)); err == nil {
			header[strings.TrimSpace(name)] = n
		}
	}
	k, features := c.labels, header["number of emission features"]
	switch {
	case header["number of classes"] != k:
		return lines.fault("number of classes %d: want %d", header["number of classes"], k)
	case features < 1 || features > c.features:
		return lines.fault("number of emission features %d: want at most the %d of the data", features, c.features)
	case header["kernel type"] != 0 || header["HMM order of transitions"] != 1 || header["HMM order of emissions"] != 0:
		return lines.fault("want the linear kernel, transitions of order 1 and emissions of order 0")
	}
	first := k*k + k + 2 + features // of the features
	fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(lines.text), "#"))
	if len(fields) == 0 {
		return lines.fault("want one vector of weights")
	}
	factor, err := lines.number(fields[0])
	if err != nil {
		return err
	}
	for _, field := range fields[1:] {
		key, value, _ := strings.Cut(field, ":")
		index, err := strconv.Atoi(key)
		if err != nil {
			return lines.fault("%q: want an index and a weight", field)
		}
		v, err := lines.number(value)
		if err != nil {
			return err
		}
		switch at := index - first; {
		case at >= 0 && at < features*k:
			w[at%features*k+at/features] = factor * v
		case index > k && index <= k+k*k:
			w[c.features*k+index-k-1] = factor * v
		default:
			return lines.fault("%q: want a transition, %d to %d, or a feature, %d to %d", field, k+1, k+k*k, first,
				first+features*k-1)
		}
	}
	return lines.end("vector of weights")
}
