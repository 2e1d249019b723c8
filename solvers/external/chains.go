package external

import (
	"fmt"
	"io"
	"slices"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// chainProblem is a problem whose examples are sequences with a label at each position, in the form that other programs
// need: for each position t a row x_t of F features and one of k labels. The method write computes the rows from the
// feature maps. In w, the weight of feature f with label y is w[f·k + y]. The weight of the transition from y' to y is
// w[F·k + y'·k + y] (models.Chain).
type chainProblem struct {
	problem  *models.Risk
	labels   int     // number of labels, k
	features int     // number of features, F
	scale    float64 // s in the comment of Program: the label loss of a wrong label, or the temperature of the log loss
	format   chainFormat
}

// chainFormat describes the file formats of a program for sequences: the data file, with one line for each position,
// and the file of weights.
type chainFormat struct {
	label   func(line []byte, label, example int) []byte         // begins a line of data with its label
	feature func(line []byte, feature int, value float64) []byte // appends a feature and its value to a line of data
	between string                                               // text after the lines of each sequence
	// reads the program's weights v from in, and writes them into w
	read func(c *chainProblem, w []float64, in io.Reader) error
}

// newChainProblem returns p as a chainProblem, or an error if the examples of p are not sequences. The text of the
// error continues a sentence that begins with the solver's name.
func newChainProblem(p *models.Risk, format chainFormat) (*chainProblem, error) {
	if err := plainLoss(p.Loss); err != nil {
		return nil, err
	}
	c := &chainProblem{problem: p, format: format}
	var occurs []bool
	for i := range p.Examples {
		e := &p.Examples[i]
		chain, ok := e.Features.(models.Chain)
		if !ok {
			return nil, fmt.Errorf("needs labelled sequences, such as those of model chain; example %d is no such sequence", i)
		}
		positions, labels := chain.Chain()
		if i == 0 {
			c.labels, occurs = labels, make([]bool, labels)
		}
		if labels != c.labels {
			return nil, fmt.Errorf("needs the same number of labels in all examples; example %d has %d, the first has %d", i,
				labels, c.labels)
		}
		s := p.Loss.Temp
		if s == 0 {
			s = p.Loss.Margin * hammingLoss(e, positions, labels)
		}
		if !(s > 0) || i > 0 && s != c.scale {
			return nil, fmt.Errorf("needs the label loss s·(number of wrong labels) with the same s > 0 for all examples; "+
				"the label loss of example %d is different", i)
		}
		c.scale = s
		for t := range positions {
			occurs[e.Truth[t]-t*labels] = true
		}
	}
	if y := slices.Index(occurs, false); y >= 0 {
		return nil, fmt.Errorf("needs an example of each label, because the program counts only the labels that occur; "+
			"label %d of %d does not occur", y+1, c.labels)
	}
	c.features = (p.Dim - c.labels*c.labels) / c.labels
	return c, nil
}

// hammingLoss returns s if the label loss is s·(number of wrong labels), and 0 for any other loss.
func hammingLoss(e *models.Example, positions, labels int) float64 {
	if e.ZeroOne > 0 || labels < 2 || len(e.Cost) != positions*labels {
		return 0
	}
	s := e.Cost[(e.Truth[0]+1)%labels]
	for at, v := range e.Cost {
		want := s
		if at == e.Truth[at/labels] {
			want = 0
		}
		if v != want {
			return 0
		}
	}
	return s
}

// values returns the values of the variables, such as {C}, that the commands of Program may contain.
func (c *chainProblem) values(eps float64) map[string]string {
	return values(c.problem, c.features, c.scale, eps)
}

// write writes the data file: a line for each position of each sequence.
func (c *chainProblem) write(out io.Writer) error {
	var row models.Sparse
	var line []byte
	var mu []float64
	for i := range c.problem.Examples {
		e := &c.problem.Examples[i]
		positions, _ := e.Features.(models.Chain).Chain()
		mu = append(mu[:0], make([]float64, e.Features.Parts())...)
		for t := range positions {
			mu[t*c.labels] = 1
			e.Features.(models.SparseMap).Adjoint(&row, mu)
			mu[t*c.labels] = 0
			line = c.format.label(line[:0], e.Truth[t]-t*c.labels, i)
			for j, at := range row.Index {
				if int(at)%c.labels != 0 || int(at) >= c.features*c.labels {
					return fmt.Errorf("the score of label 0 at position %d of example %d uses the weight with index %d: want "+
						"an index that is a multiple of %d and below %d", t, i, at, c.labels, c.features*c.labels)
				}
				line = c.format.feature(line, int(at)/c.labels, row.Value[j])
			}
			if _, err := out.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		if _, err := io.WriteString(out, c.format.between); err != nil {
			return err
		}
	}
	return nil
}

// read reads the program's weights v, and sets w to s·v, where s is the scale (see Program).
func (c *chainProblem) read(w []float64, in io.Reader) error {
	clear(w)
	err := c.format.read(c, w, in)
	dualspace.Scale(w, c.scale)
	return err
}
