package solvers_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/kernel"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// asking is a solver for tests that has the given needs but computes nothing.
type asking struct {
	needs solvers.Needs
	check error
	Rate  float64 `yaml:"rate" jsonschema:"minimum=0"`
}

func (a *asking) Needs() solvers.Needs         { return a.needs }
func (a *asking) Check(models.Objective) error { return a.check }

func (a *asking) Train(p *models.Risk, _ solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return solvers.Checked(a, p, func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{}, nil) })
}

// TestMissing checks each need of a solver: Missing must report the need if only the last example of a problem does not
// meet it.
func TestMissing(t *testing.T) {
	rows := testbed.OverlappingClasses(12, 3, 4)
	classes := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows)
	problem := func(loss models.Loss, change func(*models.Example)) *models.Risk {
		last := 0
		p := classes.Objective(loss, 0.1).Map(func(*models.Example) { last++ }).(*models.Risk)
		if change != nil {
			change(&p.Examples[last-1])
		}
		return p
	}
	hinge, log, slack := models.Hinge(), models.LogLoss(), models.Slack()
	tied := testbed.TaskOf(t, chain.Model{Edges: "tied"}, testbed.ShortSequences(3, 3, 1, 3)).Objective(hinge, 1)
	expansion := testbed.TaskOf(t, kernel.Model{Kernel: "linear", LossScale: 1, Cache: 1}, rows).Objective(hinge, 1)
	started := problem(models.Hinge(), nil)
	started.Start = make([]float64, started.Dim)
	inexact := problem(models.Hinge(), nil)
	inexact.Inexact = true
	basic := func(e *models.Example) { e.Features = struct{ models.FeatureMap }{e.Features} }
	zeroOne := func(e *models.Example) { e.ZeroOne, e.Cost = 1, nil }
	noMax := func(e *models.Example) { e.Max = nil }
	noExp := func(e *models.Example) { e.Exp = nil }
	for _, c := range []struct {
		needs solvers.Needs
		p     models.Objective
		says  string // "" if Missing is to return nil
	}{
		{solvers.Needs{}, problem(hinge, basic), ""},
		{solvers.Needs{Losses: solvers.Hinge}, problem(log, nil), "supports the hinge (loss: hinge), not smooth losses"},
		{solvers.Needs{Losses: solvers.Smooth | solvers.Hinge}, problem(models.Loss{}, nil),
			"not hinges with a margin other than 1"},
		{solvers.Needs{Losses: solvers.Smooth}, problem(models.Loss{Temp: 0.1, Margin: 1}, nil), ""},
		{solvers.Needs{Oracles: solvers.Marginals}, problem(slack, nil), "not slack rescaling"},
		{solvers.Needs{Oracles: solvers.Marginals}, problem(log, noExp), "needs marginals; example 11 has no exp-oracle"},
		{solvers.Needs{Oracles: solvers.Marginals}, problem(log, noMax), ""},
		{solvers.Needs{Oracles: solvers.Marginals}, problem(hinge, noMax), "needs best labellings; example 11 has no"},
		{solvers.Needs{Oracles: solvers.Marginals}, problem(hinge, noExp), ""},
		{solvers.Needs{Oracles: solvers.Max}, problem(log, noMax), "example 11 has no max-oracle"},
		{solvers.Needs{Oracles: solvers.Exp}, problem(hinge, noExp), "example 11 has no exp-oracle"},
		{solvers.Needs{Oracles: solvers.Violation}, problem(hinge, func(e *models.Example) { zeroOne(e); e.Second = nil }),
			"needs the second-best labelling for a 0/1 loss over labellings; example 11"},
		{solvers.Needs{Oracles: solvers.Violation}, problem(slack, func(e *models.Example) { e.Slack = nil }),
			"needs an oracle for slack rescaling; example 11 has none: use the hinge"},
		{solvers.Needs{Oracles: solvers.Violation}, problem(slack, noMax), ""},
		{solvers.Needs{PartLoss: true}, problem(hinge, zeroOne), "example 11 has a 0/1 loss over labellings"},
		{solvers.Needs{PartLoss: true}, problem(log, zeroOne), ""},
		{solvers.Needs{Features: solvers.Norms}, problem(hinge, basic), "example 11 offer neither NormSq nor Adjoint"},
		{solvers.Needs{Features: solvers.Sparse}, problem(hinge, basic), "example 11 offer no Adjoint"},
		{solvers.Needs{Features: solvers.Isotropic}, problem(hinge, basic),
			"(models.Isotropic); the products of example 11 do"},
		{solvers.Needs{Features: solvers.Radius}, problem(hinge, basic), "needs a bound on |ψ|²"},
		{solvers.Needs{OnePart: true}, tied, "one of two or more parts; the labelling of example 1 has 5 of 18"},
		{solvers.Needs{Parts: 2}, problem(hinge, nil), "one of 2 parts; the labelling of example 0 has 1 of 4"},
		{solvers.Needs{Polytope: true}, tied, "edges: untied"},
		{solvers.Needs{Polytope: true}, problem(hinge, nil), ""},
		{solvers.Needs{}, expansion, "needs weights in an orthonormal basis, not a kernel expansion"},
		{solvers.Needs{Norm: true}, expansion, ""},
		{solvers.Needs{}, started, "does not support given start weights"},
		{solvers.Needs{Start: true}, started, ""},
		{solvers.Needs{}, inexact, "this model computes only a direction"},
		{solvers.Needs{Inexact: true}, inexact, ""},
		{solvers.Needs{}, &models.Generative{}, "Generative.Distributions is nil"},
	} {
		err := solvers.Missing(&asking{needs: c.needs}, c.p)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: Missing returns %v: want %q", c.needs, err, c.says)
		}
	}
}

// TestMissingListsAll checks that one error lists everything that a problem lacks, and the solvers that support the
// problem. A setting out of range and an error of the solver's own Check give other errors.
func TestMissingListsAll(t *testing.T) {
	p := testbed.TaskOf(t, multiclass.Model{LossScale: 1}, testbed.OverlappingClasses(12, 3, 4)).Objective(
		models.LogLoss(), 1)
	others := []solvers.Named{{Name: "first", Solver: &asking{}},
		{Name: "second", Solver: &asking{needs: solvers.Needs{Parts: 2}}},
		{Name: "third", Solver: &asking{check: solvers.Lacking("needs more")}}}
	var u *solvers.Unsupported
	err := solvers.Missing(&asking{needs: solvers.Needs{Losses: solvers.Hinge, Parts: 2}}, p, others...)
	if !errors.As(err, &u) || len(u.Lacks) != 2 || strings.Join(u.Instead, " ") != "first" ||
		!strings.HasSuffix(err.Error(), "; accepted: first") || !errors.Is(err, solvers.ErrUnsupported) {
		t.Errorf("Missing returns %v: want two missing needs, and first as the only accepted solver", err)
	}
	if err := solvers.Missing(&asking{check: solvers.Lacking("needs more")}, p); !errors.As(err, &u) ||
		strings.Join(u.Lacks, "") != "needs more" {
		t.Errorf("Missing returns %v for an error of Check, want the text of Check", err)
	}
	for says, s := range map[string]*asking{"rate is -1": {Rate: -1}, "not today": {check: errors.New("not today")}} {
		if err := solvers.Missing(s, p); err == nil || errors.Is(err, solvers.ErrUnsupported) ||
			!strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "solvers_test.asking: ") {
			t.Errorf("Missing returns %v: want %q", err, says)
		}
	}
}
