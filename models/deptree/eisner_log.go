package deptree

import (
	"math"

	"github.com/gaplab/gaplab/internal/scratch"
)

const negligible = -60 // log-ratio to the largest term of a sum, below which a term is omitted

// logSum returns log Z (see eisner) and, if mu is not nil, writes the marginals to mu. It changes the scores in a.
func (t *treeLogs) logSum(mu []float64, a *arcScores) float64 {
	n := a.nodes
	for _, m := range []*[]float64{&t.rRow, &t.rCol, &t.lRow, &t.lCol, &t.irRow, &t.ilCol} {
		*m = scratch.Grow(*m, n*n)
	}
	shift := a.shift() // smaller numbers have smaller rounding errors
	t.inside(a)
	if len(a.root) == 0 {
		if mu != nil {
			t.begin(n)
			t.pRCol[(n-1)*n] = 1
			t.outside(mu, a)
		}
		return shift + t.rRow[n-1]
	}
	for q := range n {
		a.root[q] += t.lRow[q]
	}
	ends := t.rCol[(n-1)*n:]
	z := shift + logSumPairs(a.root, ends)
	if mu != nil {
		t.begin(n)
		roots := t.pRRow // memory that is free until the method outside is called
		share(1, roots, t.pRCol[(n-1)*n:], a.root, ends)
		for q, p := range roots {
			mu[q*a.words] = p
			t.pLCol[q*n] = p
		}
		t.outside(mu, a)
	}
	return z
}

// inside fills the charts with logarithms.
func (t *treeLogs) inside(a *arcScores) {
	n := a.nodes
	for i := n - 1; i >= 0; i-- {
		t.rRow[i*n+i], t.rCol[i*n+i], t.lRow[i*n+i], t.lCol[i*n+i] = 0, 0, 0, 0
		r, l, ir := t.rRow[i*n:], t.lRow[i*n:], t.irRow[i*n:]
		for k := i + 1; k < n; k++ {
			rCol, lCol, ilCol := t.rCol[k*n:], t.lCol[k*n:], t.ilCol[k*n:]
			m := logSumPairs(r[i:k], lCol[i+1:])
			ir[k], ilCol[i] = m+a.score[k*n+i], m+a.score[i*n+k]
			r[k] = logSumPairs(ir[i+1:k+1], rCol[i+1:])
			l[k] = logSumPairs(l[i:k], ilCol[i:])
			rCol[i], lCol[i] = r[k], l[k]
		}
	}
}

// begin clears the probabilities for the outside pass.
func (t *treeLogs) begin(n int) {
	for _, m := range []*[]float64{&t.pRCol, &t.pLCol, &t.pILCol} {
		*m = scratch.Grow(*m, n*n)
		clear(*m)
	}
	for _, m := range []*[]float64{&t.pRRow, &t.pLRow, &t.pIRRow} {
		*m = scratch.Grow(*m, n)
		clear(*m)
	}
}

// outside distributes the probability of every span among the pairs of spans that can form it. It begins with the
// longest spans.
func (t *treeLogs) outside(mu []float64, a *arcScores) {
	n := a.nodes
	for i := range n {
		r, l, ir := t.rRow[i*n:], t.lRow[i*n:], t.irRow[i*n:]
		clear(t.pRRow)
		clear(t.pLRow)
		clear(t.pIRRow)
		for k := n - 1; k > i; k-- {
			rCol, lCol, ilCol := t.rCol[k*n:], t.lCol[k*n:], t.ilCol[k*n:]
			pRCol, pLCol, pILCol := t.pRCol[k*n:], t.pLCol[k*n:], t.pILCol[k*n:]
			share(t.pRRow[k]+pRCol[i], t.pIRRow[i+1:k+1], pRCol[i+1:], ir[i+1:], rCol[i+1:])
			share(t.pLRow[k]+pLCol[i], t.pLRow[i:k], pILCol[i:], l[i:], ilCol[i:])
			pIR, pIL := t.pIRRow[k], pILCol[i]
			share(pIR+pIL, t.pRRow[i:k], pLCol[i+1:], r[i:], lCol[i+1:])
			mu[a.part(i, k)] = pIR
			if i+a.first > 0 {
				mu[a.part(k, i)] = pIL
			}
		}
	}
}

// logSumPairs returns log Σ_j exp(a_j + b_j).
func logSumPairs(a, b []float64) float64 {
	top, z := sumPairs(a, b)
	if z == 1 || math.IsInf(top, -1) {
		return top
	}
	return top + math.Log(z)
}

// sumPairs returns top, the largest a_j + b_j, and Σ exp(a_j + b_j − top).
func sumPairs(a, b []float64) (top, z float64) {
	b = b[:len(a)]
	top = math.Inf(-1)
	for j, x := range a {
		top = max(top, x+b[j])
	}
	for j, x := range a {
		switch v := x + b[j] - top; {
		case v == 0:
			z++
		case v > negligible:
			z += math.Exp(v)
		}
	}
	return top, z
}

// share divides the probability p of a span among the pairs j of spans that can form it, whose log-weights are a_j +
// b_j. It adds the probability of pair j, p · exp(a_j + b_j) / Σ exp(a + b), to toA_j and to toB_j.
func share(p float64, toA, toB, a, b []float64) {
	if p == 0 {
		return
	}
	a, b, toB = a[:len(toA)], b[:len(toA)], toB[:len(toA)]
	top, z := sumPairs(a, b)
	p /= z
	for j, x := range a {
		v := x + b[j] - top
		if !(v > negligible) {
			continue
		}
		q := p
		if v != 0 {
			q *= math.Exp(v)
		}
		toA[j] += q
		toB[j] += q
	}
}
