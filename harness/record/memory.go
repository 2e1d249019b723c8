package record

import (
	"fmt"

	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// fits returns an error if a solver needs more memory for an objective than this process can get.
func fits(s solvers.Solver, o models.Objective) error {
	least, there := s.Needs().Memory.Bytes(o), machine.Available()
	if least <= float64(there.Bytes) {
		return nil
	}
	of := ""
	if p, ok := o.(*models.Risk); ok {
		of = fmt.Sprintf(" for %d weights and %d examples", p.Dim, p.N())
	}
	return fmt.Errorf("it needs at least %s of memory%s, and %s leaves %s; take fewer features or classes, or a solver "+
		"that stores fewer vectors", machine.Size(least), of, there.By, machine.Size(float64(there.Bytes)))
}
