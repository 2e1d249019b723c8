package external

import (
	"fmt"
	"io"
	"slices"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// chainProblem is a problem whose examples are sequences with a label at each position, as other programs see it: rows
// x_t of F features, and k labels. The rows are taken from the feature maps, whose weights are w[f·k + y] of feature f
// and label y, then w[F·k + y'·k + y] of the transition from y' to y (models.Chain).
type chainProblem struct {
	problem  *models.Risk
	labels   int     // k
	features int     // F
	scale    float64 // s of Program: the label loss of a wrong label, or the temperature of the log loss
	format   chainFormat
}

// chainFormat is how a program has its sequences, a line for each position, and its weights.
type chainFormat struct {
	label   func(line []byte, label, example int) []byte
	feature func(line []byte, feature int, value float64) []byte
	between string // after each sequence
	read    func(c *chainProblem, w []float64, in io.Reader) error
}

// newChainProblem recognises a problem. Its errors continue a sentence that begins with the solver's name.
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
			return nil, fmt.Errorf("needs labelled sequences, as model chain has them; example %d is none", i)
		}
		positions, labels := chain.Chain()
		if i == 0 {
			c.labels, occurs = labels, make([]bool, labels)
		}
		if labels != c.labels {
			return nil, fmt.Errorf("needs as many labels in all examples; example %d has %d, the first %d", i, labels, c.labels)
		}
		s := p.Loss.Temp
		if s == 0 {
			s = p.Loss.Margin * hammingLoss(e, positions, labels)
		}
		if !(s > 0) || i > 0 && s != c.scale {
			return nil, fmt.Errorf("needs the same label loss s·(number of wrong labels), s > 0, for all examples; that of "+
				"example %d differs", i)
		}
		c.scale = s
		for t := range positions {
			occurs[e.Truth[t]-t*labels] = true
		}
	}
	if y := slices.Index(occurs, false); y >= 0 {
		return nil, fmt.Errorf("needs an example of each label, as such programs count those that occur; of label %d of %d "+
			"there is none", y+1, c.labels)
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

func (c *chainProblem) values(eps float64) map[string]string {
	return values(c.problem, c.features, c.scale, eps)
}

// write writes a line for each position.
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
					return fmt.Errorf("label 0 at position %d of example %d touches weight %d: want a multiple of %d below %d", t, i,
						at, c.labels, c.features*c.labels)
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

// read reads the program's v, and sets w to s·v.
func (c *chainProblem) read(w []float64, in io.Reader) error {
	clear(w)
	err := c.format.read(c, w, in)
	dualspace.Scale(w, c.scale)
	return err
}
