package modeltest

import (
	"slices"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkAllocations checks that calls do not allocate memory if they get a destination for their result.
func checkAllocations(t testing.TB, x *subject) {
	rng := x.rng(11)
	theta, mu, w := x.scores(rng, 1), make([]float64, x.parts), x.weights(rng)
	longest := slices.MaxFunc(x.all, func(a, b models.Vertex) int { return len(a) - len(b) })
	dst := make(models.Vertex, 0, len(longest))
	try := func(name string, call func()) {
		call() // may allocate memory that later calls reuse
		if n := testing.AllocsPerRun(20, call); n > 0 {
			t.Errorf("%s: %s allocates %v times per call: want 0", x.name, name, n)
		}
	}
	try("Score", func() { x.Features.Score(mu, w) })
	try("Max", func() { dst, _ = x.Max.Max(dst, theta) })
	if !x.scored {
		try("AddAdjoint", func() { x.Features.AddAdjoint(w, 1e-9, theta) })
	}
	if x.Exp != nil {
		try("LogSum", func() { x.Exp.LogSum(mu, theta) })
		try("LogSum without marginals", func() { x.Exp.LogSum(nil, theta) })
	}
	if x.Slack != nil && x.Cost != nil {
		try("MaxSlack", func() { dst, _ = x.Slack.MaxSlack(dst, theta, x.Cost, x.Truth) })
	}
	if x.Second != nil && len(x.all) > 1 {
		try("Second", func() { dst, _ = x.Second.Second(dst, theta, x.Truth) })
	}
	if g, ok := x.Features.(models.Gram); ok && !x.scored {
		try("NormSq", func() { g.NormSq(theta) })
	}
	if b, ok := x.Features.(models.Bilinear); ok {
		try("Product", func() { b.Product(theta, w) })
	}
	if s, ok := x.Features.(models.SparseMap); ok {
		sparse := &models.Sparse{}
		try("Dot", func() { s.Dot(w, x.Truth) })
		if !x.scored {
			try("Adjoint", func() { s.Adjoint(sparse, theta) })
			try("Add", func() { s.Add(w, 1e-9, x.Truth) })
		}
	}
}

// checkConcurrent checks that several goroutines that use the examples concurrently get exactly the same results as a
// single goroutine. Data races that do not change results are found by the race detector.
func checkConcurrent(t testing.TB, subjects []*subject) {
	var want [][]float64
	for _, x := range subjects {
		want = append(want, x.digest())
	}
	var wg sync.WaitGroup
	got := make([][][]float64, 4)
	for g := range got {
		got[g] = make([][]float64, len(subjects))
		wg.Go(func() {
			for i := range subjects {
				at := (i + g) % len(subjects) // each goroutine begins with a different example
				got[g][at] = subjects[at].digest()
			}
		})
	}
	wg.Wait()
	for g := range got {
		for i, x := range subjects {
			if !slices.Equal(got[g][i], want[i]) {
				t.Errorf("%s: several goroutines at once get other results than one goroutine", x.name)
				return
			}
		}
	}
}

// digest returns all results of the feature map and the oracles of the example for a few scores, small and large.
func (x *subject) digest() []float64 {
	rng := x.rng(12)
	var out []float64
	vertex := func(y models.Vertex, v float64) {
		for _, r := range y {
			out = append(out, float64(r))
		}
		out = append(out, v)
	}
	for trial := range 4 {
		theta, w := x.score(x.weights(rng)), make([]float64, x.task.Dim())
		if trial == 3 && !weightsOf(x.task).Inexact {
			theta = x.scores(rng, 300)
		}
		vertex(x.Max.Max(nil, theta))
		if x.Exp != nil {
			mu := make([]float64, x.parts)
			out = append(out, x.Exp.LogSum(mu, theta))
			out = append(out, mu...)
		}
		if x.Slack != nil && x.Cost != nil {
			vertex(x.Slack.MaxSlack(nil, theta, x.Cost, x.Truth))
		}
		if x.Second != nil && len(x.all) > 1 {
			vertex(x.Second.Second(nil, theta, x.Truth))
		}
		if x.scored {
			continue
		}
		x.Features.AddAdjoint(w, 1, theta)
		out = append(out, w...)
		if g, ok := x.Features.(models.Gram); ok {
			out = append(out, g.NormSq(theta))
		}
		if s, ok := x.Features.(models.SparseMap); ok {
			sparse := &models.Sparse{}
			s.Adjoint(sparse, theta)
			out = append(append(out, sparse.Value...), s.Dot(w, x.Truth))
			s.Add(w, 1, x.Truth)
			out = append(out, w...)
		}
	}
	return out
}
