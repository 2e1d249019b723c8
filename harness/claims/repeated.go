package claims

import (
	"fmt"

	"github.com/gaplab/gaplab/harness/expr"
)

// repeated judges an assertion about times in each of n repetitions of its runs. holds is whether it holds for the
// medians. If all repetitions agree with the medians, repeated returns "", otherwise a text that says in how many
// repetitions the assertion holds.
//
// This is a test of the median at a known level, without an assumption on the distribution of times. Consider the
// statement that a quantity, such as the ratio of two times, exceeds a threshold. If the true median of the quantity is
// at the threshold, each of n independent repetitions is above it with probability 1/2, so all are on the same side
// with probability 2·2⁻ⁿ: 6 % for n = 5, and 25 % for n = 3. The range of n repetitions is thus an interval for the
// median of confidence 1 − 2·2⁻ⁿ, and "all agree" means that the interval does not contain the threshold. Repetition k
// of all runs was made in one turn, so a ratio is taken between times of the same turn.
func repeated(on expr.Evidence, assert string, holds bool, n int) (string, error) {
	if n == 1 {
		return "", nil
	}
	count := 0
	for k := range n {
		h, err := expr.NewEvaluation(on.OfRepetition(k)).Assert(assert)
		if err != nil {
			return "", err
		}
		if h {
			count++
		}
	}
	if holds && count == n || !holds && count == 0 {
		return "", nil
	}
	medians := "fails"
	if holds {
		medians = "holds"
	}
	return fmt.Sprintf("the times do not decide it: it holds in %d of %d repetitions, and %s for the medians", count, n,
		medians), nil
}
