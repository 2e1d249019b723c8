package nonlocal

import (
	"math"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// measured returns a function for the field Energies.Of, which gives each sequence its energy: the sum of the hinges of
// the measurements. The weights c of the measurements are the parameters ψ.
func measured(list []Measurement, smoothed bool) func(psi []float64) func(*models.Example) energy.Parametric {
	rows, offsets := make([]models.Sparse, len(list)), make([]float64, len(list))
	for j, m := range list {
		rows[j], offsets[j] = m.Row, m.B
	}
	return func(psi []float64) func(*models.Example) energy.Parametric {
		hinges := hinges{energy.Linear{Weights: psi, Offsets: offsets, Rows: rows, Smoothed: smoothed}}
		return byLength(func(l, k int) energy.Parametric {
			e, err := energy.NewTotals(k, l, hinges)
			if err != nil {
				panic(err.Error()) // cannot happen: the function sequences has checked the base
			}
			return e
		})
	}
}

// byLength returns a function that creates one energy for each length of sequences and reuses it.
func byLength(of func(l, k int) energy.Parametric) func(*models.Example) energy.Parametric {
	made := map[int]energy.Parametric{}
	return func(e *models.Example) energy.Parametric {
		l, k := shape(e)
		if made[l] == nil {
			made[l] = of(l, k)
		}
		return made[l]
	}
}

// hinges is energy.Linear with a bound of the Lipschitz constant that is cheap to compute, since the constant changes
// with the weights during training.
type hinges struct{ energy.Linear }

var _ energy.Smooth = hinges{}

// Lipschitz implements energy.Smooth. It returns the largest row sum of the non-negative matrix Σ_j c_j |a_j||a_j|ᵀ,
// where energy.Linear defines a_j and c_j. It is an upper bound of the largest eigenvalue of this matrix, and so of Σ_j
// c_j a_j a_jᵀ.
func (h hinges) Lipschitz() float64 {
	if !h.Smoothed {
		return math.Inf(1)
	}
	sums := make([]float64, h.Leading())
	var most float64
	for j, c := range h.Weights {
		if c <= 0 {
			continue
		}
		var size float64
		for _, a := range h.Rows[j].Value {
			size += math.Abs(a)
		}
		for i, r := range h.Rows[j].Index {
			sums[r] += c * size * math.Abs(h.Rows[j].Value[i])
			most = max(most, sums[r])
		}
	}
	return most
}
