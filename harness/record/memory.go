package record

import (
	"fmt"

	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// room is an error if a solver cannot run on an objective in the memory that there is.
func room(s solvers.Solver, o models.Objective) error {
	least, there := s.Needs().Memory.Bytes(o), machine.Available()
	if least <= float64(there.Bytes) {
		return nil
	}
	of := ""
	if p, ok := o.(*models.Risk); ok {
		of = fmt.Sprintf(" for %d weights and %d examples", p.Dim, p.N())
	}
	return fmt.Errorf("it needs at least %s of memory%s, and %s leaves %s; accepted: fewer features or classes, or a "+
		"solver that holds fewer vectors", machine.Size(least), of, there.By, machine.Size(float64(there.Bytes)))
}
