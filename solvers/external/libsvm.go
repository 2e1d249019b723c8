package external

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// readLIBSVM reads a model file of LIBSVM (Chang and Lin 2011). It reads the coefficients a_j of the examples (see
// kernelProblem) into a, and returns the bias b. The file contains lines of keys, the line "SV", and a line "a_j
// index:value ..." for each support vector, with the coefficient and the row. LIBSVM predicts the first label of the
// key "label" if Σ_j a_j k(x_j, x) − rho > 0.
//
// The file does not contain the numbers of the examples. readLIBSVM finds the example of a support vector by comparing
// rows, to the 8 digits that LIBSVM prints. Equal rows are the same function k(·, x_j), so their coefficients are added
// up.
func (k *kernelProblem) readLIBSVM(a []float64, in io.Reader) (b float64, err error) {
	lines := newLineReader(in)
	sign, rho, vectors, err := k.libsvmHeader(lines)
	if err != nil {
		return 0, err
	}
	examples := k.rowsByKey()
	for v := range vectors {
		if !lines.next() {
			return 0, lines.short(fmt.Sprintf("%d of %d support vectors", v, vectors))
		}
		fields := strings.Fields(lines.text)
		if len(fields) == 0 {
			return 0, lines.fault("the line is empty: want a support vector")
		}
		coefficient, err := lines.number(fields[0])
		if err != nil {
			return 0, err
		}
		key, err := lines.rowKey(fields[1:])
		if err != nil {
			return 0, err
		}
		j, known := examples[key]
		if !known {
			return 0, lines.fault("the support vector is not a row of the data")
		}
		a[j] += sign * coefficient
	}
	return -sign * rho, lines.end(fmt.Sprintf("%d support vectors", vectors))
}

// libsvmHeader reads the header up to the line "SV". It returns the sign of the first label of the key "label", rho,
// and the number of support vectors.
func (k *kernelProblem) libsvmHeader(lines *lineReader) (sign, rho float64, vectors int, err error) {
	header := map[string]string{}
	for lines.next() {
		key, value, _ := strings.Cut(strings.TrimSpace(lines.text), " ")
		if key == "SV" {
			return k.libsvmValues(lines, header)
		}
		header[key] = strings.TrimSpace(value)
	}
	return 0, 0, 0, lines.short("a header without the line \"SV\"")
}

// libsvmValues checks the keys of the header, and returns the values that readLIBSVM needs.
func (k *kernelProblem) libsvmValues(lines *lineReader, header map[string]string) (sign, rho float64, vectors int,
	err error) {
	wrong := func(key, want string) error {
		return lines.fault("in the header above, %s is %q: want %s", key, header[key], want)
	}
	if header["svm_type"] != "c_svc" {
		return 0, 0, 0, wrong("svm_type", "c_svc (-s 0)")
	}
	if header["kernel_type"] != k.kernel.Name {
		return 0, 0, 0, wrong("kernel_type", k.kernel.Name)
	}
	for _, number := range []struct {
		key  string
		want float64
	}{{"degree", float64(k.kernel.Degree)}, {"gamma", k.kernel.Gamma}, {"coef0", k.kernel.Coef}} {
		text, given := header[number.key] // the header has only the keys of its own kernel
		v, err := strconv.ParseFloat(text, 64)
		if given && !(err == nil && math.Abs(v-number.want) <= 1e-6*math.Abs(number.want)) {
			return 0, 0, 0, wrong(number.key, exact(number.want))
		}
	}
	switch header["label"] {
	case "1 -1":
		sign = 1
	case "-1 1":
		sign = -1
	default:
		return 0, 0, 0, wrong("label", "1 -1 or -1 1")
	}
	if vectors, err = strconv.Atoi(header["total_sv"]); err != nil || vectors < 0 {
		return 0, 0, 0, wrong("total_sv", "a number of support vectors")
	}
	rho, err = strconv.ParseFloat(header["rho"], 64)
	if err != nil || math.IsNaN(rho) || math.IsInf(rho, 0) {
		return 0, 0, 0, wrong("rho", "a finite number")
	}
	return sign, rho, vectors, nil
}

// rowsByKey maps the key of each row (see appendKey) to the index of the first example with that row.
func (k *kernelProblem) rowsByKey() map[string]int {
	out := make(map[string]int, len(k.rows))
	for i, x := range slices.Backward(k.rows) {
		var key []byte
		for t, v := range x.Value {
			if v != 0 {
				key = appendKey(key, feature(x, t)+1, v)
			}
		}
		out[string(key)] = i
	}
	return out
}

// rowKey parses the row "index:value ..." of a support vector, and returns its key (see appendKey).
func (l *lineReader) rowKey(fields []string) (string, error) {
	var key []byte
	for _, field := range fields {
		index, value, _ := strings.Cut(field, ":")
		j, err := strconv.Atoi(index)
		if err != nil || j < 1 {
			return "", l.fault("%q: want an index from 1 and a value", field)
		}
		v, err := l.number(value)
		if err != nil {
			return "", err
		}
		if v != 0 {
			key = appendKey(key, j, v)
		}
	}
	return string(key), nil
}

// appendKey appends a feature to the key of a row: the index, and the value rounded to 8 digits. Rows with equal keys
// count as equal.
func appendKey(key []byte, index int, value float64) []byte {
	key = binary.AppendUvarint(key, uint64(index))
	key = strconv.AppendFloat(key, value, 'e', 7, 64)
	return append(key, ' ')
}

// read reads the coefficients a_j and the number b of the program. It sets the weights of each example j for the two
// classes to −½ s a_j and ½ s a_j, where s is the scale, and the weights of a bias to −½ s b/bias and ½ s b/bias (see
// kernelProblem).
func (k *kernelProblem) read(w []float64, in io.Reader) error {
	n := len(k.rows)
	a := make([]float64, n)
	b := 0.0
	var err error
	if k.format == "dense" {
		err = readDense(a, in)
	} else {
		b, err = k.readLIBSVM(a, bufio.NewReader(in))
	}
	if err != nil {
		return err
	}
	set := func(at int, v float64) { w[2*at], w[2*at+1] = -k.scale/2*v, k.scale/2*v }
	for j, v := range a {
		set(j, v)
	}
	if k.kernel.Bias > 0 {
		set(n, b/k.kernel.Bias)
	}
	return nil
}
