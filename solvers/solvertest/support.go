package solvertest

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// checkSupport checks that Missing is correct: a run on a problem that the solver supports works, and a run on any
// other problem gives ErrUnsupported.
func (s *suite) checkSupport(t testing.TB) {
	for _, c := range oddProblems(t) {
		err := solvers.Missing(s.solver, c.problem)
		if err == nil {
			s.runs(t, c.name, c.problem)
			continue
		}
		var u *solvers.Unsupported
		if !errors.As(err, &u) {
			t.Errorf("%s: Missing returned %q: want an *Unsupported", c.name, err)
		} else if slices.ContainsFunc(u.Lacks, func(lack string) bool { return len(strings.TrimSpace(lack)) < 10 }) {
			t.Errorf("%s: Missing returned %q: want an error with the reason", c.name, err)
		}
		s.refuses(t, c.name, c.problem, solvers.ErrUnsupported)
	}
}

// checkNonsense checks that a problem without an optimum gives an error and not NaN.
func (s *suite) checkNonsense(t testing.TB, _ []*problem) {
	base := logProblem(t)
	if !s.takes(base) {
		base.Loss = models.Hinge()
	}
	for _, c := range []struct {
		name   string
		change func(*models.Risk)
	}{
		{"λ = 0", func(p *models.Risk) { p.Lambda = 0 }},
		{"λ = −1", func(p *models.Risk) { p.Lambda = -1 }},
		{"λ = NaN", func(p *models.Risk) { p.Lambda = math.NaN() }},
		{"λ = +Inf", func(p *models.Risk) { p.Lambda = math.Inf(1) }},
		{"τ = −1", func(p *models.Risk) { p.Loss.Temp = -1 }},
		{"no examples", func(p *models.Risk) { p.Examples = nil }},
	} {
		p := *base
		c.change(&p)
		s.refuses(t, c.name, &p, nil)
	}
	s.refuses(t, "inference of no examples", &models.Inference{}, nil)
	s.refuses(t, "a generative model without distributions", &models.Generative{}, nil)
}

// refuses checks that Run yields one error and ends. If kind is not nil, the error must wrap it.
func (s *suite) refuses(t testing.TB, name string, p models.Objective, kind error) {
	t.Helper()
	yields := 0
	if v := recovered(func() {
		for _, err := range s.run(p) {
			yields++
			if err == nil || kind != nil && !errors.Is(err, kind) {
				t.Errorf("%s: yield %d of Run has the error %v: want an error that refuses this problem", name, yields, err)
				return
			}
			if yields > 1 {
				t.Errorf("%s: Run continues after an error", name)
				return
			}
		}
		if yields == 0 {
			t.Errorf("%s: Run yielded nothing: want an error", name)
		}
	}); v != nil {
		t.Errorf("%s: Run panicked: %v: want an error", name, v)
	}
}

// runs checks that the first yields of a run have no error and finite weights.
func (s *suite) runs(t testing.TB, name string, p models.Objective) {
	t.Helper()
	if v := recovered(func() {
		points, err := record(s.run(p), shown)
		if err != nil {
			t.Errorf("%s: Missing returned nil, but Run failed: %v", name, err)
		}
		if len(points) < 2 && !s.searchless {
			t.Errorf("%s: Missing returned nil, but Run yielded only %d times", name, len(points))
		}
		for _, x := range points {
			if !allFinite(x.w) {
				t.Errorf("%s: Missing returned nil, but W is not finite", name)
				break
			}
		}
	}); v != nil {
		t.Errorf("%s: Missing returned nil, but Run panicked: %v", name, v)
	}
}

// recovered calls a function, and returns the value of its panic, or nil.
func recovered(call func()) (v any) {
	defer func() { v = recover() }()
	call()
	return nil
}

// oddProblem is a problem that some solvers do not support.
type oddProblem struct {
	name    string
	problem models.Objective
}

// oddProblems returns problems that each lack something that some solvers need, and structured problems with each loss.
// A solver may support some of them and not others.
func oddProblems(t testing.TB) []oddProblem {
	t.Helper()
	log, hinge := models.LogLoss(), models.Hinge()
	var out []oddProblem
	add := func(name string, loss models.Loss, change func(*models.Example)) {
		p := build(t, denseTable(), loss, 0.1)
		p.Examples = slices.Clone(p.Examples)
		for i := range p.Examples {
			change(&p.Examples[i])
		}
		out = append(out, oddProblem{name, p})
	}
	nothing := func(*models.Example) {}
	zeroOne := func(e *models.Example) { e.ZeroOne, e.Cost = 1, nil }
	add("log loss", log, nothing)
	add("hinge", hinge, nothing)
	add("softmax margin", models.Loss{Temp: 1, Margin: 1}, nothing)
	add("slack rescaling", models.Loss{Slack: true}, nothing)
	add("slack rescaling without an oracle", models.Loss{Slack: true}, func(e *models.Example) { e.Slack = nil })
	add("log loss without marginals", log, func(e *models.Example) { e.Exp = nil })
	add("log loss without argmax", log, func(e *models.Example) { e.Max = nil })
	add("hinge without marginals", hinge, func(e *models.Example) { e.Exp = nil })
	add("hinge without argmax", hinge, func(e *models.Example) { e.Max = nil })
	add("log loss without second best", log, func(e *models.Example) { e.Second = nil })
	add("log loss, label loss over labellings", log, zeroOne)
	add("hinge, label loss over labellings", hinge, zeroOne)
	add("hinge, label loss over labellings, without second best", hinge,
		func(e *models.Example) { zeroOne(e); e.Second = nil })
	add("log loss, features with the basic methods only", log, func(e *models.Example) { e.Features = basic{e.Features} })
	add("hinge, features with the basic methods only", hinge, func(e *models.Example) { e.Features = basic{e.Features} })
	add("log loss, features without NormSq", log, func(e *models.Example) {
		e.Features = ungram{e.Features.(models.SparseMap)}
	})
	add("hinge, features without NormSq", hinge, func(e *models.Example) {
		e.Features = ungram{e.Features.(models.SparseMap)}
	})
	out = append(out, lastOnly(t))
	for _, p := range generatives(t) {
		out = append(out, oddProblem{"log-probabilities, " + p.name, p.objective})
		lacking := p.objective.Map(func(e *models.Example) { e.Max, e.Slack = nil, nil })
		out = append(out, oddProblem{"log-probabilities, " + p.name + ", without oracles", lacking})
	}
	out = append(out, oddProblem{"inference, chains with counts", chainsWith(t, counts)})
	for _, m := range structures() {
		task := m.task(t)
		for _, l := range []struct {
			name string
			loss models.Loss
		}{{"log loss", log}, {"hinge", hinge}, {"softmax margin", models.Loss{Temp: 1, Margin: 1}},
			{"slack rescaling", models.Loss{Slack: true}}} {
			out = append(out, oddProblem{m.name + ", " + l.name, task.Objective(l.loss, 0.1).(*models.Risk)})
		}
	}
	return out
}

// lastOnly returns a problem that lacks marginals in its last example only. It shows whether Missing examines all
// examples.
func lastOnly(t testing.TB) oddProblem {
	t.Helper()
	p := logProblem(t)
	p.Examples = slices.Clone(p.Examples)
	p.Examples[len(p.Examples)-1].Exp = nil
	return oddProblem{"log loss, the last example without marginals", p}
}

// basic is a feature map without its optional methods: only those of models.FeatureMap remain.
type basic struct{ models.FeatureMap }

// ungram is a feature map without the method NormSq: only the methods of models.SparseMap remain.
type ungram struct{ models.SparseMap }
