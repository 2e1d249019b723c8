package qp

import (
	"fmt"
	"slices"
	"testing"
)

// BenchmarkSimplex measures the time of Solve up to a tolerance of 1e-8, with losses up to 100. About half of the
// columns end with α > 0. The benchmark measures solves from α = 0, and solves after the last tenth of the columns was
// added to the solution for the other columns.
func BenchmarkSimplex(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500} {
		s := randomSets(1, n, n)[1]
		const c = 1e4
		run := func(name string, first int) {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				q := NewSimplex(c)
				for k := range first {
					s.addTo(q, k)
				}
				q.Solve(1e-8)
				for k := first; k < n; k++ {
					s.addTo(q, k)
				}
				start, steps := slices.Clone(q.alpha), 0
				for b.Loop() {
					copy(q.alpha, start)
					q.face.forget()
					steps += q.Solve(1e-8)
				}
				nonzero := 0
				for _, a := range q.Alpha() {
					if a > 0 {
						nonzero++
					}
				}
				b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				b.ReportMetric(float64(nonzero), "nonzero")
			})
		}
		run("cold", 0)
		run("warm", n-n/10)
	}
}

// BenchmarkExchange measures the time of one exchange between two columns.
func BenchmarkExchange(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			q := randomSets(1, n, n)[1].simplex(1e4)
			for b.Loop() {
				if q.exchange(0, 1) == 0 {
					clear(q.alpha)
					q.refresh()
				}
			}
		})
	}
}
