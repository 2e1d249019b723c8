package eg

import (
	"iter"
	"math"

	"github.com/gaplab/gaplab/solvers"
)

// egTheory is EG at the largest constant rate that theorems 1 and 2 of Collins et al. 2008 allow (section 5.1):
//
//	batch 1/(τ + nA),  online 1/(τ + A),   A = max_{i,y} |ψ_iy|²/C,  ψ_iy = A_iᵀ(1_{y_i} − 1_y),  C = λn
//
// where τ = 1 for the log loss and τ = 0 for the hinge. The function Q = −nD of the dual D is (τ + nA)-upper-bounded
// (lemmas 3 and 4), and Q as a function of the α_i of one example is (τ + A)-upper-bounded (lemma 7). The rate is
// recomputed when λ changes. The maximum in A is over all labellings y. egTheory supports only models whose labellings
// are one part. For these, α_i = μ_i, and the divergence of the theorems from the start α¹,
//
//	D[α‖α¹] = Σ_i Σ_y α_iy log(α_iy / α¹_iy),
//
// is a statistic of each iterate. At the end of a long run, it is approximately D[α*‖α¹] for the optimum α*.
type egTheory struct {
	solvers.Session
	state   *egState
	setRate func(eta float64)
	blocks  float64   // number of examples that move at once: n or 1
	widest  float64   // largest |ψ_iy|² of all examples and labellings
	first   []float64 // α¹, the distributions at the start
}

func newEGTheory(st *egState, e *Solver) *egTheory {
	t := &egTheory{state: st, blocks: 1, first: append([]float64(nil), st.mu...)}
	for i := range st.p.Examples {
		t.widest = max(t.widest, st.widestDifference(i))
	}
	if e.Order == "batch" {
		batch := newEGBatch(st, false)
		t.Session, t.blocks = batch, float64(len(st.p.Examples))
		t.setRate = func(eta float64) { batch.rate = eta }
		return t
	}
	t.Session = newEGOnline(st, e)
	t.setRate = func(eta float64) {
		for i := range st.eta {
			st.eta[i] = eta
		}
	}
	return t
}

// widestDifference returns the largest |ψ_iy|² over the labellings y of example i (see egTheory), which are one part
// each.
func (st *egState) widestDifference(i int) float64 {
	e := &st.p.Examples[i]
	v := st.diff[:e.Features.Parts()]
	clear(v)
	widest := 0.0
	for r := range v {
		if r == e.Truth[0] {
			continue
		}
		v[e.Truth[0]], v[r] = 1, -1
		widest = max(widest, st.adjoint.NormSq(e.Features, v))
		v[r] = 0
	}
	return widest
}

// Run implements Session.
func (t *egTheory) Run(lambda float64) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		a := t.widest / (lambda * float64(len(t.state.p.Examples)))
		t.setRate(min(egLargest, 1/(t.state.p.Loss.Temp+t.blocks*a)))
		for it, err := range t.Session.Run(lambda) {
			stats := it.Stats
			it.Stats = func(yield func(string, float64)) {
				stats(yield)
				yield("A", a)
				yield("divergence", t.divergence())
			}
			if !yield(it, err) {
				return
			}
		}
	}
}

// divergence returns D[α‖α¹] (see egTheory) of the present α from the start α¹.
func (t *egTheory) divergence() float64 {
	var sum float64
	for r, a := range t.state.mu {
		if a > 0 { // for a = 0, the term a log a is 0
			sum += a * math.Log(a/t.first[r])
		}
	}
	return sum
}
