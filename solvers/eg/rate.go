package eg

import (
	"math"
	"math/rand/v2"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// firstRate returns the initial rate η_ini by the rule of Collins et al. 2008, section 7. It makes online passes over a
// random tenth of the data, at the constant rates 1, 1/2, 1/4, and so on. It returns the largest rate at which at least
// 95 % of the updates improve the dual, up to rounding. An update of an example with only one labelling, such as a
// sentence with one parse, does not change the dual. The sample has fewer examples than the data. So the passes use a
// larger λ, with the same C = λn as for the whole data. peak is the start score (see Solver.StartScore).
func firstRate(p *models.Risk, env solvers.Env, peak float64) float64 {
	n := len(p.Examples)
	m := max(1, n/10)
	sample := *p
	sample.Lambda = p.Lambda * float64(n) / float64(m)
	sample.Examples = make([]models.Example, m)
	for k, i := range rand.New(rand.NewPCG(env.Seed, dualspace.StreamEGRate)).Perm(n)[:m] {
		sample.Examples[k] = p.Examples[i]
	}
	const smallest = 1.0 / (1 << 30)
	for eta := 1.0; ; eta /= 2 {
		st := newEGState(&sample, solvers.Env{}, peak, eta)
		tol := egTol * (1 + math.Abs(st.dual()))
		improved := 0
		for i := range sample.Examples {
			v := st.egVisit
			st.direction(v, i)
			st.try(v, i, eta)
			if v.change >= -tol {
				improved++
			}
			st.accept(v, i)
		}
		if 100*improved >= 95*m || eta <= smallest {
			return eta
		}
	}
}
