package external

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/gaplab/gaplab/models"
)

// rowProblem is a problem whose examples are rows x_i with a label each, as other programs see it. The rows are taken
// from the feature maps, so that it needs no data set, in one of two layouts of the weights:
//
//	signed:   2 parts share the weights, θ_1 = −θ_0 = ½ w·x; part 1 is the label +1 (model binary)
//	unsigned: each of k parts has its own, θ_c = Σ_j x_j w[j·k + c]; part c is the label c + 1 (model multiclass)
type rowProblem struct {
	problem  *models.Risk
	signed   bool
	parts    int
	features int
	scale    float64 // s of Program: label losses, or the temperature of the log loss
	format   string  // of the weights: liblinear, dense or svm-multiclass
}

// newRowProblem recognises a problem. Its errors continue a sentence that begins with the solver's name.
func newRowProblem(p *models.Risk, format string) (*rowProblem, error) {
	r := &rowProblem{problem: p, parts: p.Examples[0].Features.Parts(), format: format}
	rescaled := format == "svm-multiclass" && p.Loss == models.Slack() // which that program has
	if err := plainLoss(p.Loss); err != nil && !rescaled {
		return nil, err
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		if k := e.Features.Parts(); k != r.parts {
			return nil, fmt.Errorf("needs labellings that are one part of as many for all examples; example %d has %d parts, "+
				"the first %d", i, k, r.parts)
		}
		s := p.Loss.Temp
		switch {
		case rescaled:
			s = zeroOneLoss(e)
		case s == 0:
			s = p.Loss.Margin * zeroOneLoss(e)
		}
		if !(s > 0) || i > 0 && s != r.scale {
			return nil, fmt.Errorf("needs the same label loss s·[y ≠ truth], s > 0, for all examples; that of example %d "+
				"differs", i)
		}
		r.scale = s
	}
	if err := r.findLayout(); err != nil {
		return nil, err
	}
	switch format {
	case "libsvm":
		return nil, errors.New("with weights libsvm takes model kernel: LIBSVM has support vectors")
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

// plainLoss refuses losses that are neither the hinge nor the log loss.
func plainLoss(l models.Loss) error {
	if l.Slack || !(l.Temp == 0 && l.Margin > 0) && !(l.Temp > 0 && l.Margin == 0) {
		return fmt.Errorf("takes the hinge and the log loss; this one has temperature %v and margin %v, slack rescaling %v",
			l.Temp, l.Margin, l.Slack)
	}
	return nil
}

// zeroOneLoss returns s if the label loss is s·[y ≠ truth], and 0 for any other loss.
func zeroOneLoss(e *models.Example) float64 {
	if e.ZeroOne > 0 {
		return e.ZeroOne
	}
	truth := e.Truth[0]
	if len(e.Cost) != e.Features.Parts() || e.Cost[truth] != 0 {
		return 0
	}
	s := e.Cost[(truth+1)%len(e.Cost)]
	for c, v := range e.Cost {
		if c != truth && v != s {
			return 0
		}
	}
	return s
}

// findLayout looks at which weights the parts of the first row that is not zero touch.
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
				return fmt.Errorf("needs weights as models binary and multiclass have them; part %d of example %d has others", c, i)
			}
		}
		return nil
	}
	return errors.New("needs a feature that is not zero; all examples are")
}

// block reports whether part c touches the weights j·k + c where part 0 touches j·k, with the same values.
func (r *rowProblem) block(first, part models.Sparse, c int) bool {
	if r.problem.Dim%r.parts != 0 || !slices.Equal(first.Value, part.Value) {
		return false
	}
	return slices.EqualFunc(first.Index, part.Index, func(a, b int32) bool {
		return int(a)%r.parts == 0 && int(b) == int(a)+c
	})
}

func opposite(v, w []float64) bool {
	return slices.EqualFunc(v, w, func(a, b float64) bool { return a == -b })
}

// adjointOf returns Aᵀ1_c.
func adjointOf(features models.SparseMap, c int) (out models.Sparse) {
	mu := make([]float64, features.Parts())
	mu[c] = 1
	features.Adjoint(&out, mu)
	return out
}

func (r *rowProblem) values(eps float64) map[string]string {
	return values(r.problem, r.features, r.scale, eps)
}

// values returns the variables of a command that depend on the problem.
func values(p *models.Risk, features int, scale, eps float64) map[string]string {
	n := float64(len(p.Examples))
	lambda := p.Lambda * scale
	return map[string]string{
		"C": exact(1 / (lambda * n)), "Cn": exact(1 / lambda), "c2": exact(lambda * n / 2), "lambda": exact(lambda),
		"n": exact(n), "features": strconv.Itoa(features), "eps": exact(eps),
	}
}

// exact returns the shortest decimal that parses to the same number.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// label returns how a part is written: +1 and −1, or 1 to k.
func (r *rowProblem) label(part int) int {
	if r.signed {
		return 2*part - 1
	}
	return part + 1
}

// write writes a line "label index:value ..." per example, indices from 1, values exact, zeros left out. The
// row is Aᵀ(1_1 − 1_0) where signed, else Aᵀ1_0. A model whose part 1 is its class −1 has row and label both negated:
// the same w.
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
				return fmt.Errorf("part 0 of example %d touches weight %d: want a multiple of %d, as in the first example", i, at,
					stride)
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

// writeFile creates a file and has a function write it.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	buffered := bufio.NewWriterSize(f, 1<<16)
	if err := write(buffered); err != nil {
		return err
	}
	return errors.Join(buffered.Flush(), f.Close())
}
