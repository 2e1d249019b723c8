package testbed

import (
	"math"

	"github.com/gaplab/gaplab/solvers"
)

// Stat is a statistic of an iterate, NaN if it has none of that name.
func Stat(it solvers.Iterate, name string) float64 {
	value := math.NaN()
	it.Stats(func(s string, v float64) {
		if s == name {
			value = v
		}
	})
	return value
}
