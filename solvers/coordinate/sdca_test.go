package coordinate_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/coordinate"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

// sdcaSubjects returns the settings of sdca: a visit is a call.
func sdcaSubjects() []solvertest.Subject {
	promises := func(more ...solvertest.Option) []solvertest.Option {
		return append([]solvertest.Option{
			solvertest.MonotoneDual(),
			solvertest.Accuracy(1e-6, 1, 2000), // there is no hinge
			solvertest.CallsPerEpoch(func(n int) (int, int) { return n, n }),
		}, more...)
	}
	return []solvertest.Subject{
		solvertest.With("random", &coordinate.SDCA{Order: "random", Begin: "truth"}, promises(solvertest.Random())...),
		solvertest.With("permutation, uniform start", &coordinate.SDCA{Order: "permutation", Begin: "uniform"},
			promises(solvertest.Random())...),
		solvertest.With("cyclic", &coordinate.SDCA{Order: "cyclic", Begin: "truth"}, promises(solvertest.Deterministic())...),
	}
}

// TestSDCANeeds checks which problems SDCA refuses, and its reasons.
func TestSDCANeeds(t *testing.T) {
	one := func(change func(*models.Risk)) *models.Risk {
		p := &models.Risk{Weights: models.Weights{Dim: 1}, Lambda: 1, Loss: models.LogLoss(), Examples: []models.Example{{}}}
		change(p)
		return p
	}
	sdca := &coordinate.SDCA{Order: "random", Begin: "truth"}
	for _, c := range []struct {
		solver  *coordinate.SDCA
		problem *models.Risk
		says    string
		kind    error
	}{
		{sdca, one(func(p *models.Risk) { p.Loss = models.Hinge() }), "takes smooth losses", solvers.ErrUnsupported},
		{sdca, one(func(p *models.Risk) { p.Loss = models.Slack() }), "slack", solvers.ErrUnsupported},
		{sdca, one(func(p *models.Risk) { p.Norm = func(dst, w []float64) {} }), "kernel", solvers.ErrUnsupported},
		{sdca, one(func(p *models.Risk) { p.Loss.Margin, p.Examples[0].ZeroOne = 1, 1 }), "0/1", solvers.ErrUnsupported},
		{sdca, one(func(p *models.Risk) {}), "exp-oracle", solvers.ErrUnsupported},
		{sdca, one(func(p *models.Risk) { p.Lambda = 0 }), "lambda is 0", nil},
		{&coordinate.SDCA{Begin: "truth"}, one(func(p *models.Risk) {}), `order is ""; accepted: random`, nil},
		{&coordinate.SDCA{Order: "cyclic", Begin: "zero"}, one(func(p *models.Risk) {}), `start is "zero"; accepted: truth`,
			nil},
	} {
		err := solvers.Missing(c.solver, c.problem)
		if err == nil || !strings.Contains(err.Error(), c.says) || errors.Is(err, solvers.ErrUnsupported) != (c.kind != nil) {
			t.Errorf("%+v says %v: want it to mention %q, and unsupported: %v", *c.solver, err, c.says, c.kind != nil)
		}
	}
}

func TestSDCAConformance(t *testing.T) { solvertest.Each(t, sdcaSubjects()...) }
