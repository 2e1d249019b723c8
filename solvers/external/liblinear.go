package external

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// crammerSinger is LIBLINEAR's name of the solver for the hinge loss with several classes (-s 4).
const crammerSinger = "MCSVM_CS"

// liblinear returns an error if no solver of LIBLINEAR minimises the objective, or if a class has no example.
func (r *rowProblem) liblinear() error {
	if !r.signed && r.problem.Loss.Smooth() {
		return errors.New("with weights: liblinear supports the log loss only for model binary, because LIBLINEAR trains " +
			"each class against the rest")
	}
	return r.countedClasses("liblinear", "LIBLINEAR")
}

// solverTypes returns LIBLINEAR's names of its solvers that minimise the objective, and the option that selects them,
// such as "-s 3".
func (r *rowProblem) solverTypes() (names []string, option string) {
	switch {
	case !r.signed:
		return []string{crammerSinger}, "-s 4"
	case r.problem.Loss.Smooth():
		return []string{"L2R_LR", "L2R_LR_DUAL"}, "-s 0 or -s 7"
	}
	return []string{"L2R_L1LOSS_SVC_DUAL"}, "-s 3"
}

// readLIBLINEAR reads a model file of LIBLINEAR: lines of keys, the line "w", and a row of weights for each feature.
// Each class has a column. Except with the solver of Crammer and Singer, files of two classes have only one column. If
// the score by this column is positive, LIBLINEAR predicts the class that the key "label" names first. The key
// nr_feature has the number of the last feature that occurs in the data. Features with larger numbers have weight 0.
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

// headerLine is the value of a key in the header of a model file, and the number of the key's line.
type headerLine struct {
	value string
	line  int // from 1; 0 if the key is missing
}

// readHeader reads the keys and their values up to the line "w".
func readHeader(lines *lineReader) (map[string]headerLine, error) {
	keys := []string{"solver_type", "nr_class", "label", "nr_feature", "bias"}
	header := map[string]headerLine{}
	for lines.next() {
		key, value, _ := strings.Cut(strings.TrimSpace(lines.text), " ")
		if key == "w" {
			for _, k := range keys {
				if header[k].line == 0 {
					return nil, lines.fault("the weights begin before the key %s", k)
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
	return nil, lines.short("a header without the line \"w\"")
}

// columns checks the header of a model file (see readLIBLINEAR). It returns the part (class) to which each column of
// weights belongs, and the number of rows. If r.signed, column has one entry instead: the sign, 1 or −1, of the only
// column of weights.
func (r *rowProblem) columns(header map[string]headerLine) (column []int, features int, err error) {
	fault := func(key, format string, args ...any) error {
		return fmt.Errorf("line %d: %s %s: %s", header[key].line, key, header[key].value, fmt.Sprintf(format, args...))
	}
	if types, option := r.solverTypes(); !slices.Contains(types, header["solver_type"].value) {
		return nil, 0, fault("solver_type", "this solver has another objective: want %s (%s)", strings.Join(types, " or "),
			option)
	}
	if k, err := strconv.Atoi(header["nr_class"].value); err != nil || k != r.parts {
		return nil, 0, fault("nr_class", "want %d", r.parts)
	}
	if features, err = strconv.Atoi(header["nr_feature"].value); err != nil || features < 0 || features > r.features {
		return nil, 0, fault("nr_feature", "want at most the %d features of the data", r.features)
	}
	if bias, err := strconv.ParseFloat(header["bias"].value, 64); err != nil || bias >= 0 {
		return nil, 0, fault("bias", "want -1 for no bias, because the objective has none: leave out -B")
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
