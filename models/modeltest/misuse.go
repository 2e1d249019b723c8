package modeltest

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkLengths checks that slices of a wrong length cause a panic with a message that begins with the package's name,
// not an index out of range.
func checkLengths(t testing.TB, x *subject) {
	theta, w := make([]float64, x.parts), make([]float64, x.task.Dim())
	for _, parts := range [][]float64{make([]float64, x.parts-1), make([]float64, x.parts+1)} {
		about := fmt.Sprintf("%d part scores for %d", len(parts), x.parts)
		x.panics(t, "Score of "+about, func() { x.Features.Score(parts, w) })
		if !x.scored {
			x.panics(t, "AddAdjoint of "+about, func() { x.Features.AddAdjoint(w, 1, parts) })
		}
		if g, ok := x.Features.(models.Gram); ok {
			x.panics(t, "NormSq of "+about, func() { g.NormSq(parts) })
		}
		if b, ok := x.Features.(models.Bilinear); ok {
			x.panics(t, "Product of "+about, func() { b.Product(parts, w) })
		}
		if s, ok := x.Features.(models.SparseMap); ok {
			x.panics(t, "Adjoint of "+about, func() { s.Adjoint(new(models.Sparse), parts) })
		}
		if x.Exp != nil {
			x.panics(t, fmt.Sprintf("LogSum of %d marginals for %d scores", len(parts), len(theta)),
				func() { x.Exp.LogSum(parts, theta) })
			x.tidy(t, "LogSum of "+about, func() { x.Exp.LogSum(nil, parts) })
		}
		if x.Slack != nil {
			x.panics(t, fmt.Sprintf("MaxSlack of %d costs for %d scores", len(parts), len(theta)),
				func() { x.Slack.MaxSlack(nil, theta, parts, x.Truth) })
		}
		x.tidy(t, "Max of "+about, func() { x.Max.Max(nil, parts) })
	}
	for _, weights := range [][]float64{w[:max(0, len(w)-1)], make([]float64, len(w)+1)} {
		if len(weights) == len(w) {
			continue // the task has no weights
		}
		about := fmt.Sprintf("%d weights for %d", len(weights), len(w))
		x.panics(t, "Score of "+about, func() { x.Features.Score(theta, weights) })
		if !x.scored {
			x.panics(t, "AddAdjoint of "+about, func() { x.Features.AddAdjoint(weights, 1, theta) })
		}
		if b, ok := x.Features.(models.Bilinear); ok {
			x.panics(t, "Product of "+about, func() { b.Product(theta, weights) })
		}
		if s, ok := x.Features.(models.SparseMap); ok {
			x.panics(t, "Dot of "+about, func() { s.Dot(weights, x.Truth) })
			x.panics(t, "Add of "+about, func() { s.Add(weights, 1, x.Truth) })
		}
	}
}

// panics checks that a call panics with a message of its package.
func (x *subject) panics(t testing.TB, what string, call func()) {
	t.Helper()
	if x.tidy(t, what, call) == nil {
		t.Errorf("%s: %s did not panic", x.name, what)
	}
}

// tidy returns the value of the call's panic, nil if there is none, and checks that it is a message of its package. An
// oracle that does not know its number of parts need not panic.
func (x *subject) tidy(t testing.TB, what string, call func()) (v any) {
	t.Helper()
	defer func() {
		v = recover()
		if s, ok := v.(string); v != nil && (!ok || !ownMessage.MatchString(s)) {
			t.Errorf("%s: %s panicked with %v: want a message that begins with the package's name", x.name, what, v)
		}
	}()
	call()
	return nil
}

// ownMessage matches "package: what was wrong".
var ownMessage = regexp.MustCompile(`^[a-z][a-z0-9]*: .`)
