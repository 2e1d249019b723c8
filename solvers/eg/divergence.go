package eg

import (
	"iter"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
)

// egDivergence adds the column kl to the rows of a session: the mean Kullback-Leibler divergence of the α_i from the
// uniform distributions α_0,
//
//	KL(α‖α_0) = 1/n Σ_i [log|Y_i| − H(α_i)],   H(α_i) = log Z(s_i) − s_i·μ_i
//
// where |Y_i| is the number of labellings. The entropy is exact for every structure, since EG knows the scores s_i of
// its Gibbs distributions. A mixture of Gibbs distributions, such as the α of EGR, has no such scores, and only bounds
// of its entropy are known. A row costs one call of the exp-oracle for each example, while the clock is stopped.
type egDivergence struct {
	solvers.Session
	state     *egState
	logLabels float64   // Σ_i log|Y_i|
	mu        []float64 // working memory for the marginals of an example
}

func newEGDivergence(session solvers.Session, st *egState) *egDivergence {
	d := &egDivergence{Session: session, state: st}
	st.Scratch(&d.mu)
	zero := make([]float64, len(d.mu))
	for i := range st.examples {
		parts := st.Start[i+1] - st.Start[i]
		d.logLabels += st.examples[i].exp.LogSum(d.mu[:parts], zero[:parts])
	}
	return d
}

// Run implements Session.
func (d *egDivergence) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		for it, err := range d.Session.Run(lambda) {
			if stats := it.Stats; stats != nil {
				it.Stats = func(yield func(string, float64)) {
					stats(yield)
					yield("kl", d.value())
				}
			}
			if !yield(it, err) {
				return
			}
		}
	}
}

// value returns KL(α‖α_0) of the present α.
func (d *egDivergence) value() float64 {
	entropy := 0.0
	for i := range d.state.examples {
		s, mu := d.state.parts(i)
		entropy += d.state.examples[i].exp.LogSum(d.mu[:len(s)], s) - dualspace.Dot(s, mu)
	}
	return (d.logLabels - entropy) / float64(len(d.state.examples))
}
