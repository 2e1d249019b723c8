package collective

import (
	"strconv"
	"testing"
	"time"

	"github.com/gaplab/gaplab/inference/energy"
)

// BenchmarkBetheIteration measures an iteration of Bethe projections: one oracle call and one gradient of the energy.
// The metric x/read is the time of an iteration divided by the time to read l·k² numbers from memory. This is about the
// number of edge marginals for l steps and k cells.
func BenchmarkBetheIteration(b *testing.B) {
	for _, side := range []int{5, 10, 15} {
		for _, edges := range []string{edgesTied, edgesUntied} {
			b.Run(edges+"/"+strconv.Itoa(side*side*side*side), func(b *testing.B) {
				task, err := Model{Edges: edges}.Build(counted(b, migration(side)), nil)
				if err != nil {
					b.Fatal(err)
				}
				e := &task.Train[0]
				p := &energy.Problem{Theta: make([]float64, e.Features.Parts()), Oracle: e.Exp, Energy: e.Energy}
				e.Features.Score(p.Theta, nil)
				const calls = 20
				inference := energy.Damped{Rho: 0.5, MaxCalls: calls}
				energy.Solve(p, inference) // the first call allocates the working memory
				b.ReportAllocs()
				for b.Loop() {
					energy.Solve(p, inference)
				}
				iteration := float64(b.Elapsed().Nanoseconds()) / float64(b.N*calls)
				b.ReportMetric(iteration, "ns/iteration")
				b.ReportMetric(iteration/read(20*side*side*side*side), "x/read")
			})
		}
	}
}

// read returns the time in nanoseconds of a sum over n numbers, the minimum of 10 runs.
func read(n int) float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	least := time.Hour
	for range 10 {
		start := time.Now()
		var lanes [4]float64
		for i := 0; i+4 <= n; i += 4 {
			for c, x := range v[i : i+4] {
				lanes[c] += x
			}
		}
		if took := time.Since(start); lanes[0] > 0 {
			least = min(least, took)
		}
	}
	return float64(least.Nanoseconds())
}
