package nonlocal

import (
	"math"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
)

// measured gives each sequence the hinges of the measurements, whose weights c are ψ.
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
				panic(err.Error()) // sequences has checked
			}
			return e
		})
	}
}

// byLength keeps one energy for the sequences of each length.
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

// hinges are those of energy.Linear with a Lipschitz constant that is cheap, as weights that are being learned change
// all the time.
type hinges struct{ energy.Linear }

var _ energy.Smooth = hinges{}

// Lipschitz bounds the largest eigenvalue of the non-negative matrix Σ_j c_j |a_j||a_j|ᵀ, and so that of Σ_j c_j a_j
// a_jᵀ, by its largest sum of a row.
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
