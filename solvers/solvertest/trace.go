package solvertest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/solvers"
)

// Trace returns a hash of all bits of the solver's iterates in short runs on typical problems: the weights or scores,
// the epoch, the primal, the dual and the statistics except times. The iterates are the first ten, and then the first
// of each epoch. The hash also depends on where the runs end, and on whether the solver certifies this end. If the
// solver supports no problem, the hash is empty.
func Trace(t testing.TB, solver solvers.Solver) string {
	t.Helper()
	s := &suite{solver: solver, smooth: 1e-6, other: 1e-6, epochs: 2000, high: math.Inf(1)}
	sum := sha256.New()
	add := func(list ...float64) {
		for _, x := range list {
			if math.IsNaN(x) {
				x = math.NaN() // one of many bit patterns
			}
			sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	c, ok := solver.(solvers.Certifier)
	if ok && c.Certifies() {
		add(1)
	}
	all := slices.Concat(s.problems(t), s.generatives(t), s.inferences(t))
	if len(all) == 0 {
		return ""
	}
	for _, p := range typical(all) {
		yields, epoch := 0, 0
		for it, err := range s.run(p.objective) {
			if err != nil {
				add(math.Inf(1))
				break
			}
			yields++
			if q := pointOf(it); yields <= 10 || q.epoch > epoch {
				epoch = q.epoch
				add(q.w...)
				add(q.scores...)
				add(float64(q.epoch), q.primal, q.dual)
				for k, name := range q.names {
					if !strings.HasSuffix(name, "seconds") {
						sum.Write([]byte(name))
						add(q.values[k])
					}
				}
			}
			if epoch >= 12 {
				break
			}
		}
		add(float64(yields))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
