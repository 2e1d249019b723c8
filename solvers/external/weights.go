package external

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// crammerSinger is LIBLINEAR's name of the hinge of several classes (-s 4).
const crammerSinger = "MCSVM_CS"

// liblinear reports whether LIBLINEAR has the objective, and would know of all classes.
func (r *rowProblem) liblinear() error {
	if !r.signed && r.problem.Loss.Smooth() {
		return errors.New("with weights liblinear has the log loss for model binary only: LIBLINEAR trains one class " +
			"against the rest")
	}
	return r.countedClasses("liblinear", "LIBLINEAR")
}

// countedClasses reports whether a program that counts the classes that occur would know of all.
func (r *rowProblem) countedClasses(format, program string) error {
	occurs := make([]bool, r.parts)
	for i := range r.problem.Examples {
		occurs[r.problem.Examples[i].Truth[0]] = true
	}
	if c := slices.Index(occurs, false); c >= 0 {
		return fmt.Errorf("with weights %s needs an example of each class, as %s counts those that occur; of class %d of %d "+
			"there is none", format, program, c+1, r.parts)
	}
	return nil
}

// solverTypes returns LIBLINEAR's names of the solvers that minimise the objective, and the option that selects them.
func (r *rowProblem) solverTypes() (names []string, option string) {
	switch {
	case !r.signed:
		return []string{crammerSinger}, "-s 4"
	case r.problem.Loss.Smooth():
		return []string{"L2R_LR", "L2R_LR_DUAL"}, "-s 0 or -s 7"
	}
	return []string{"L2R_L1LOSS_SVC_DUAL"}, "-s 3"
}

// read reads the program's v, and sets w to s·v.
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

// readLIBLINEAR reads a model file of LIBLINEAR: lines of keys, the line "w", and a row of weights per feature. Of two
// classes, but by Crammer and Singer, there is one column, positive for the class that "label" names first. Features
// after nr_feature, the last one that occurs in the data, have weights 0.
func (r *rowProblem) readLIBLINEAR(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	header, err := readHeader(lines)
	if err != nil {
		return err
	}
	column, features, err := r.columns(header)
	if err != nil {
		return err
	}
	clear(w)
	for j := range features {
		if !lines.next() {
			return lines.short(fmt.Sprintf("%d of %d rows of weights", j, features))
		}
		fields := strings.Fields(lines.text)
		if len(fields) != len(column) {
			return lines.fault("%d weights: want %d", len(fields), len(column))
		}
		for c, field := range fields {
			v, err := lines.number(field)
			if err != nil {
				return err
			}
			if r.signed {
				w[j] = float64(column[c]) * v
			} else {
				w[j*r.parts+column[c]] = v
			}
		}
	}
	return lines.end(fmt.Sprintf("%d rows of weights", features))
}

// headerLine is the value of a key, and its line.
type headerLine struct {
	value string
	line  int
}

// readHeader reads up to the line "w".
func readHeader(lines *lineReader) (map[string]headerLine, error) {
	keys := []string{"solver_type", "nr_class", "label", "nr_feature", "bias"}
	header := map[string]headerLine{}
	for lines.next() {
		key, value, _ := strings.Cut(strings.TrimSpace(lines.text), " ")
		if key == "w" {
			for _, k := range keys {
				if header[k].line == 0 {
					return nil, lines.fault("the weights begin, and there was no %s", k)
				}
			}
			return header, nil
		}
		if !slices.Contains(keys, key) {
			return nil, lines.fault("key %q: want %s, or w", key, strings.Join(keys, ", "))
		}
		if header[key].line > 0 {
			return nil, lines.fault("%s is given twice", key)
		}
		header[key] = headerLine{strings.TrimSpace(value), lines.at}
	}
	return nil, lines.short("a header without the line w")
}

// columns gives the number of rows, and for each column its part; where signed, the sign of the only one.
func (r *rowProblem) columns(header map[string]headerLine) (column []int, features int, err error) {
	fault := func(key, format string, args ...any) error {
		return fmt.Errorf("line %d: %s %s: %s", header[key].line, key, header[key].value, fmt.Sprintf(format, args...))
	}
	if types, option := r.solverTypes(); !slices.Contains(types, header["solver_type"].value) {
		return nil, 0, fault("solver_type", "that is another objective; want %s (%s)", strings.Join(types, " or "), option)
	}
	if k, err := strconv.Atoi(header["nr_class"].value); err != nil || k != r.parts {
		return nil, 0, fault("nr_class", "want %d", r.parts)
	}
	if features, err = strconv.Atoi(header["nr_feature"].value); err != nil || features < 0 || features > r.features {
		return nil, 0, fault("nr_feature", "want at most the %d features of the data", r.features)
	}
	if bias, err := strconv.ParseFloat(header["bias"].value, 64); err != nil || bias >= 0 {
		return nil, 0, fault("bias", "want -1, none: the objective has no bias (leave -B out)")
	}
	known := make([]string, r.parts)
	for part := range known {
		known[part] = strconv.Itoa(r.label(part))
	}
	for _, label := range strings.Fields(header["label"].value) {
		part := slices.Index(known, strings.TrimPrefix(label, "+"))
		if part < 0 || slices.Contains(column, part) {
			return nil, 0, fault("label", "want each of %s once", strings.Join(known, ", "))
		}
		column = append(column, part)
	}
	if len(column) != r.parts {
		return nil, 0, fault("label", "want each of %s once", strings.Join(known, ", "))
	}
	if r.signed {
		column = []int{r.label(column[0])}
	}
	return column, features, nil
}

// readDense reads one number a line, in the order of w.
func readDense(w []float64, in io.Reader) error {
	lines := newLineReader(in)
	for j := range w {
		if !lines.next() {
			return lines.short(fmt.Sprintf("%d of %d weights", j, len(w)))
		}
		v, err := lines.number(strings.TrimSpace(lines.text))
		if err != nil {
			return err
		}
		w[j] = v
	}
	return lines.end(fmt.Sprintf("%d weights", len(w)))
}

// lineReader counts lines.
type lineReader struct {
	scanner *bufio.Scanner
	text    string
	at      int // line number of text, from 1
}

func newLineReader(in io.Reader) *lineReader {
	s := bufio.NewScanner(in)
	s.Buffer(nil, 1<<24) // a row has as many weights as there are classes
	return &lineReader{scanner: s}
}

func (l *lineReader) next() bool {
	if !l.scanner.Scan() {
		return false
	}
	l.text = l.scanner.Text()
	l.at++
	return true
}

func (l *lineReader) fault(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", l.at, fmt.Sprintf(format, args...))
}

func (l *lineReader) number(field string) (float64, error) {
	v, err := strconv.ParseFloat(field, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, l.fault("%q: want a finite number", field)
	}
	return v, nil
}

// short returns the error of a file that ends, or cannot be read, after the given part.
func (l *lineReader) short(part string) error {
	if err := l.scanner.Err(); err != nil {
		return fmt.Errorf("after line %d: %w", l.at, err)
	}
	return fmt.Errorf("it ends at line %d, after %s", l.at, part)
}

// end refuses anything but blank lines after the given part.
func (l *lineReader) end(part string) error {
	for l.next() {
		if strings.TrimSpace(l.text) != "" {
			return l.fault("%q follows the %s", l.text, part)
		}
	}
	return l.scanner.Err()
}
