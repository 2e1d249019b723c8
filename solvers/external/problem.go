package external

import (
	"fmt"
	"io"
	"strconv"

	"github.com/gaplab/gaplab/models"
)

// problem is an optimisation problem in the form that an external program needs.
type problem interface {
	values(eps float64) map[string]string // returns the values of the variables in commands, by name
	write(out io.Writer) error            // writes the data file
	read(w []float64, in io.Reader) error // reads the program's weights, converts them to gaplab's and writes these into w
}

// plainLoss returns an error if the loss is neither the hinge nor the log loss.
func plainLoss(l models.Loss) error {
	if l.Slack || !(l.Temp == 0 && l.Margin > 0) && !(l.Temp > 0 && l.Margin == 0) {
		return fmt.Errorf("supports the hinge and the log loss; this loss has temperature %v, margin %v, slack rescaling %v",
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

// values returns the values of the variables that the commands of Program may contain and that depend on the problem,
// such as {C}. scale is s in the comment of Program, and eps is the setting Eps.
func values(p *models.Risk, features int, scale, eps float64) map[string]string {
	n := float64(len(p.Examples))
	lambda := p.Lambda * scale
	return map[string]string{
		"C": exact(1 / (lambda * n)), "Cn": exact(1 / lambda), "c2": exact(lambda * n / 2), "lambda": exact(lambda),
		"n": exact(n), "features": strconv.Itoa(features), "eps": exact(eps),
	}
}
