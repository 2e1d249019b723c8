package external

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// crfsuite returns the format of CRFsuite. A line contains a label and, after tabs, the attributes with their values.
// Here the name of an attribute is the number of a feature. An empty line follows each sequence. The weights are read
// from the output of "crfsuite dump", which contains two blocks of lines:
//
//	(1) 3 --> 5: 0.25     block "TRANSITIONS = {": the weight of the transition from label 3 to label 5
//	(0) 17 --> 5: -1.5    block "STATE_FEATURES = {": the weight of feature 17 with label 5
//
// Weights that are not printed are 0.
func crfsuite() chainFormat {
	return chainFormat{
		label: func(line []byte, label, _ int) []byte { return strconv.AppendInt(line, int64(label), 10) },
		feature: func(line []byte, feature int, value float64) []byte {
			line = strconv.AppendInt(append(line, '\t'), int64(feature), 10)
			if value == 1 {
				return line
			}
			return strconv.AppendFloat(append(line, ':'), value, 'g', -1, 64)
		},
		between: "\n",
		read:    (*chainProblem).readCRFsuite,
	}
}

// readCRFsuite reads the output of "crfsuite dump" into w.
func (c *chainProblem) readCRFsuite(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	block, blocks := "", 0
	for lines.next() {
		text := strings.TrimSpace(lines.text)
		switch name, opens := strings.CutSuffix(text, " = {"); {
		case opens:
			block = name
			if name == "TRANSITIONS" || name == "STATE_FEATURES" {
				blocks++
			}
		case text == "}":
			block = ""
		case block == "TRANSITIONS" || block == "STATE_FEATURES":
			of, label, v, err := crfsuiteWeight(text)
			if err != nil {
				return lines.fault("%q: want a line such as (0) 17 --> 5: -1.5", text)
			}
			at := of*c.labels + label
			most := c.features
			if block == "TRANSITIONS" {
				at, most = at+c.features*c.labels, c.labels
			}
			if of < 0 || of >= most || label < 0 || label >= c.labels {
				return lines.fault("%q: want a first number below %d and a label below %d", text, most, c.labels)
			}
			w[at] = v
		}
	}
	if err := lines.scanner.Err(); err != nil {
		return fmt.Errorf("after line %d: %w", lines.at, err)
	}
	if blocks != 2 {
		return errors.New("the blocks TRANSITIONS and STATE_FEATURES are not both in the file: want the output of " +
			"crfsuite dump (set dump: [crfsuite, dump, \"{model}\"])")
	}
	return nil
}

// crfsuiteWeight parses a line such as "(0) 17 --> 5: -1.5".
func crfsuiteWeight(text string) (of, label int, v float64, err error) {
	fields := strings.Fields(text)
	if len(fields) != 5 || fields[2] != "-->" {
		return 0, 0, 0, errors.New("want 5 fields, the third of which is -->")
	}
	of, err1 := strconv.Atoi(fields[1])
	label, err2 := strconv.Atoi(strings.TrimSuffix(fields[3], ":"))
	v, err3 := strconv.ParseFloat(fields[4], 64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		err3 = fmt.Errorf("the weight %s is not finite", fields[4])
	}
	return of, label, v, errors.Join(err1, err2, err3)
}
