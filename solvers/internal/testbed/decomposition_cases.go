package testbed

import (
	"math"

	"github.com/gaplab/gaplab/solvers"
)

// Stat returns a statistic of an iterate, or NaN if it has none of that name.
func Stat(it solvers.Iterate, name string) float64 {
	value := math.NaN()
	it.Stats(func(s string, v float64) {
		if s == name {
			value = v
		}
	})
	return value
}
