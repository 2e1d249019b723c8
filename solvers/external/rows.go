package external

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/gaplab/gaplab/models"
)

// rowProblem is a problem whose examples are rows x_i with one label each, in the form that other programs need. The
// method write computes the rows from the feature maps, so it does not need the data set. The weights have one of two
// layouts:
//
//	signed:   2 parts share the weights, θ_1 = −θ_0 = ½ w·x; part 1: label +1 (model binary)
//	unsigned: each of k parts has its own weights, θ_c = Σ_j x_j w[j·k + c]; part c: label c + 1 (model multiclass)
type rowProblem struct {
	problem  *models.Risk
	signed   bool    // whether the layout of the weights is signed
	parts    int     // number of parts of each example, k
	features int     // number of features of a row
	scale    float64 // s in the comment of Program: the label loss, or the temperature of the log loss
	format   string  // format of the weights: liblinear, dense or svm-multiclass
}

// findLayout finds the layout of the weights (see rowProblem). It examines on which weights the scores of the first
// non-zero row's parts depend.
func (r *rowProblem) findLayout() error {
	for i := range r.problem.Examples {
		features := r.problem.Examples[i].Features.(models.SparseMap)
		first := adjointOf(features, 0)
		if len(first.Index) == 0 {
			continue
		}
		if second := adjointOf(features, 1); r.parts == 2 && slices.Equal(first.Index, second.Index) &&
			opposite(first.Value, second.Value) {
			r.signed, r.features = true, r.problem.Dim
			return nil
		}
		r.features = r.problem.Dim / r.parts
		for c := range r.parts {
			if !r.block(first, adjointOf(features, c), c) {
				return fmt.Errorf("needs the weights of model binary or multiclass; part %d of example %d has other weights", c, i)
			}
		}
		return nil
	}
	return errors.New("needs a non-zero feature; all features of all examples are zero")
}

// block reports whether the weights of part c have the unsigned layout of rowProblem with k parts. first and part are
// the rows of the feature map A for parts 0 and c of one example. In the unsigned layout, if part 0 depends on the
// weight j·k, then part c depends on the weight j·k + c with the same factor.
func (r *rowProblem) block(first, part models.Sparse, c int) bool {
	if r.problem.Dim%r.parts != 0 || !slices.Equal(first.Value, part.Value) {
		return false
	}
	return slices.EqualFunc(first.Index, part.Index, func(a, b int32) bool {
		return int(a)%r.parts == 0 && int(b) == int(a)+c
	})
}

// opposite reports whether v = −w.
func opposite(v, w []float64) bool {
	return slices.EqualFunc(v, w, func(a, b float64) bool { return a == -b })
}

// adjointOf returns Aᵀ1_c, the weights on which the score of part c depends, with their factors.
func adjointOf(features models.SparseMap, c int) (out models.Sparse) {
	mu := make([]float64, features.Parts())
	mu[c] = 1
	features.Adjoint(&out, mu)
	return out
}

// values returns the values of the variables, such as {C}, that the commands of Program may contain.
func (r *rowProblem) values(eps float64) map[string]string {
	return values(r.problem, r.features, r.scale, eps)
}

// label returns the label of a part (class) in the data file: −1 or +1 if r.signed, and otherwise 1 to k.
func (r *rowProblem) label(part int) int {
	if r.signed {
		return 2*part - 1
	}
	return part + 1
}

// write writes a line "label index:value ..." for each example. Indices begin at 1, values are exact, and zeros are
// left out. The row is Aᵀ(1_1 − 1_0) if r.signed, and otherwise Aᵀ1_0, where A is the feature map. If part 1 of a
// signed model is its class −1, then both the row and the label have the opposite sign, which gives the same w.
func (r *rowProblem) write(out io.Writer) error {
	mu := make([]float64, r.parts)
	stride := int32(r.parts)
	if mu[0] = 1; r.signed {
		mu[0], mu[1], stride = -1, 1, 1
	}
	var row models.Sparse
	var line []byte
	for i := range r.problem.Examples {
		e := &r.problem.Examples[i]
		line = strconv.AppendInt(line[:0], int64(r.label(e.Truth[0])), 10)
		e.Features.(models.SparseMap).Adjoint(&row, mu)
		for t, at := range row.Index {
			if at%stride != 0 {
				return fmt.Errorf("the score of part 0 of example %d uses the weight with index %d: want a multiple of %d, "+
					"as in the first example", i, at, stride)
			}
			line = strconv.AppendInt(append(line, ' '), int64(at/stride)+1, 10)
			line = strconv.AppendFloat(append(line, ':'), row.Value[t], 'g', -1, 64)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// countedClasses returns an error if a class has no example. Call countedClasses if the program counts only the classes
// that occur in the data. format is the setting "weights", and program is the program's name.
func (r *rowProblem) countedClasses(format, program string) error {
	occurs := make([]bool, r.parts)
	for i := range r.problem.Examples {
		occurs[r.problem.Examples[i].Truth[0]] = true
	}
	if c := slices.Index(occurs, false); c >= 0 {
		return fmt.Errorf("with weights: %s needs an example of each class, because %s counts only the classes that "+
			"occur, and class %d of %d does not occur", format, program, c+1, r.parts)
	}
	return nil
}
