package modeltest

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkLengths checks that calls with slices of a wrong length panic with a message that begins with the package's
// name, and not with an index out of range.
func checkLengths(t testing.TB, x *subject) {
	theta, w := make([]float64, x.parts), make([]float64, x.task.Dim())
	for _, parts := range [][]float64{make([]float64, x.parts-1), make([]float64, x.parts+1)} {
		about := fmt.Sprintf("with %d part scores instead of %d", len(parts), x.parts)
		x.panics(t, "Score "+about, func() { x.Features.Score(parts, w) })
		if !x.scored {
			x.panics(t, "AddAdjoint "+about, func() { x.Features.AddAdjoint(w, 1, parts) })
		}
		if g, ok := x.Features.(models.Gram); ok {
			x.panics(t, "NormSq "+about, func() { g.NormSq(parts) })
		}
		if b, ok := x.Features.(models.Bilinear); ok {
			x.panics(t, "Product "+about, func() { b.Product(parts, w) })
		}
		if s, ok := x.Features.(models.SparseMap); ok {
			x.panics(t, "Adjoint "+about, func() { s.Adjoint(new(models.Sparse), parts) })
		}
		if x.Exp != nil {
			x.panics(t, fmt.Sprintf("LogSum with %d marginals and %d scores", len(parts), len(theta)),
				func() { x.Exp.LogSum(parts, theta) })
			x.tidy(t, "LogSum "+about, func() { x.Exp.LogSum(nil, parts) })
		}
		if x.Slack != nil {
			x.panics(t, fmt.Sprintf("MaxSlack with %d costs and %d scores", len(parts), len(theta)),
				func() { x.Slack.MaxSlack(nil, theta, parts, x.Truth) })
		}
		x.tidy(t, "Max "+about, func() { x.Max.Max(nil, parts) })
	}
	for _, weights := range [][]float64{w[:max(0, len(w)-1)], make([]float64, len(w)+1)} {
		if len(weights) == len(w) {
			continue // the task has no weights
		}
		about := fmt.Sprintf("with %d weights instead of %d", len(weights), len(w))
		x.panics(t, "Score "+about, func() { x.Features.Score(theta, weights) })
		if !x.scored {
			x.panics(t, "AddAdjoint "+about, func() { x.Features.AddAdjoint(weights, 1, theta) })
		}
		if b, ok := x.Features.(models.Bilinear); ok {
			x.panics(t, "Product "+about, func() { b.Product(theta, weights) })
		}
		if s, ok := x.Features.(models.SparseMap); ok {
			x.panics(t, "Dot "+about, func() { s.Dot(weights, x.Truth) })
			x.panics(t, "Add "+about, func() { s.Add(weights, 1, x.Truth) })
		}
	}
}

// panics checks that a call panics, with a message that begins with the name of its package.
func (x *subject) panics(t testing.TB, what string, call func()) {
	t.Helper()
	if x.tidy(t, what, call) == nil {
		t.Errorf("%s: %s did not panic", x.name, what)
	}
}

// tidy returns the value with which a call panics, or nil if it does not panic. It checks that the value is a message
// that begins with the name of the package. An oracle that does not know its number of parts may return normally.
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

// ownMessage matches messages of the form "package: description".
var ownMessage = regexp.MustCompile(`^[a-z][a-z0-9]*: .`)
