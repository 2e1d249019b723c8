package solvers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/internal/settings"
	"github.com/gaplab/gaplab/models"
)

// Checker is an optional interface of solvers with requirements that Needs cannot express: on combinations of settings,
// or on the numbers in the examples. Where another solver could optimise the objective, Check returns Lacking's error.
type Checker interface {
	Check(models.Objective) error
}

// Named is a solver with its name, for Missing to recommend.
type Named struct {
	Name   string
	Solver Solver
}

// Missing returns nil if the solver takes the objective. Otherwise it returns an error for settings out of range, for a
// malformed objective (its Check), or an *Unsupported that lists all that the solver needs and the objective lacks, and
// which of the others would take it.
func Missing(s Solver, o models.Objective, others ...Named) error {
	if err := settings.Check(s); err != nil {
		return Fault(s, "%w", err)
	}
	if err := o.Check(); err != nil {
		return Fault(s, "%w", err)
	}
	u := &Unsupported{Solver: Name(s), Lacks: lacks(s, o)}
	if c, ok := s.(Checker); ok && len(u.Lacks) == 0 {
		var own *Unsupported
		if err := c.Check(o); errors.As(err, &own) {
			u.Lacks = own.Lacks
		} else if err != nil {
			return Fault(s, "%w", err)
		}
	}
	if len(u.Lacks) == 0 {
		return nil
	}
	for _, n := range others {
		if recommended(n.Solver, o) {
			u.Instead = append(u.Instead, n.Name)
		}
	}
	return u
}

// recommended reports whether a solver with its defaults would take an objective. Where a setting has no default, the
// solver's own Check is skipped, since the user has to choose the setting first.
func recommended(s Solver, o models.Objective) bool {
	c, checks := s.(Checker)
	return len(lacks(s, o)) == 0 && (!checks || settings.Check(s) != nil || c.Check(o) == nil)
}

// Name returns the name of a solver in messages: its type with its package.
func Name(s Solver) string { return strings.TrimPrefix(fmt.Sprintf("%T", s), "*") }

// lacks lists all that Needs asks for and the objective lacks.
func lacks(s Solver, o models.Objective) []string {
	needs := s.Needs()
	var c comparison
	switch o := o.(type) {
	case *models.Risk:
		if _, ok := s.(Trainer); !ok {
			return []string{finds(s) + ", and this objective is a regularised risk"}
		}
		c = comparison{needs: needs, loss: o.Loss, examples: o.Examples, start: o.Start != nil}
		c.ask(o.Norm == nil || needs.Norm, "needs weights in an orthonormal basis, not a kernel expansion")
		c.ask(!o.Inexact || needs.Inexact, "needs a function with its gradient, and this model gives only a direction")
	case *models.Generative:
		if _, ok := s.(Fitter); !ok {
			return []string{finds(s) + ", and the weights of this model are log-probabilities, with an objective of their own"}
		}
		c = comparison{needs: needs, loss: o.Loss, examples: o.Examples, start: o.Start != nil}
	case *models.Inference:
		if _, ok := s.(Inferrer); !ok {
			return []string{finds(s) + ", and this is inference, where there are no weights"}
		}
		c = comparison{needs: needs, examples: o.Examples, inference: true}
	}
	c.compare()
	return c.list
}

// finds describes what a solver computes.
func finds(s Solver) string {
	var list []string
	if _, ok := s.(Trainer); ok {
		list = append(list, "minimises a regularised risk")
	}
	if _, ok := s.(Fitter); ok {
		list = append(list, "fits log-probabilities")
	}
	if _, ok := s.(Inferrer); ok {
		list = append(list, "finds marginals")
	}
	if list == nil {
		return "does nothing that is known"
	}
	return strings.Join(list, " or ")
}

// comparison collects what is missing.
type comparison struct {
	needs     Needs
	loss      models.Loss
	examples  []models.Example
	start     bool
	inference bool
	list      []string
	checks    []check
}

// check is something that is asked of each example.
type check struct {
	ok   func(e *models.Example) bool
	says func(i int) string // what is missing, of the first example that lacks it
	at   int                // where it stands in the list
}

func (c *comparison) ask(ok bool, format string, args ...any) {
	if !ok {
		c.list = append(c.list, fmt.Sprintf(format, args...))
	}
}

// each asks something of all examples; look tests it. The format gets the index of the first example that fails.
func (c *comparison) each(wanted bool, ok func(e *models.Example) bool, format string) {
	if wanted {
		c.check(ok, func(i int) string { return fmt.Sprintf(format, i) })
	}
}

func (c *comparison) check(ok func(e *models.Example) bool, says func(i int) string) {
	c.checks = append(c.checks, check{ok, says, len(c.list)})
	c.list = append(c.list, "")
}

// look tests all questions in one pass over the examples and reports the first example that fails each.
func (c *comparison) look() {
	pending := slices.Clone(c.checks)
	for i := 0; i < len(c.examples) && len(pending) > 0; i++ {
		for k := 0; k < len(pending); k++ {
			if p := pending[k]; !p.ok(&c.examples[i]) {
				c.list[p.at] = p.says(i)
				pending = slices.Delete(pending, k, k+1)
				k--
			}
		}
	}
	c.list = slices.DeleteFunc(c.list, func(missing string) bool { return missing == "" })
}

func (c *comparison) compare() {
	n := c.needs
	c.ask(!c.start || n.Start, "begins at weights of its own, not at given ones")
	taken := true
	if !c.inference {
		kind := kindOf(c.loss)
		if n.Losses == 0 && n.Oracles&Marginals != 0 { // which slack rescaling does not have
			n.Losses = Smooth | Hinge | Perceptron
		}
		taken = n.Losses == 0 || n.Losses&kind != 0
		c.ask(taken, "takes %v, not %v", n.Losses, kind)
	}
	c.oracles(taken)
	c.each(n.PartLoss || n.Oracles&Marginals != 0,
		func(e *models.Example) bool { return e.ZeroOne == 0 || c.loss.Margin == 0 },
		"needs a label loss over parts; example %d has a 0/1 loss over labellings")
	c.each(n.Features&Norms != 0, func(e *models.Example) bool { return norms(e.Features) },
		"needs |Aᵀv|²; the features of example %d offer neither NormSq nor Adjoint")
	c.each(n.Features&Sparse != 0, func(e *models.Example) bool { return sparse(e.Features) },
		"needs sparse rows; the features of example %d offer no Adjoint")
	c.each(n.Features&Isotropic != 0, func(e *models.Example) bool { return isotropic(e.Features) },
		"needs features whose products do not depend on the class; those of example %d are not known to be so")
	c.each(n.Features&Radius != 0, radius,
		"needs a bound of |ψ|²; the features of example %d offer neither norms nor adjoints, or there is no max-oracle "+
			"for it")
	c.parts()
	c.each(n.Polytope, func(e *models.Example) bool { return e.Polytope != nil },
		"needs marginals that obey known equalities and no other constraint; example %d has none: trees and tied "+
			"transitions do not (classes do, and chains with edges: untied)")
	c.look()
}

// parts asks for labellings of one part.
func (c *comparison) parts() {
	n, want := c.needs.Parts, "two or more"
	if n > 0 {
		want = fmt.Sprint(n)
	} else if !c.needs.OnePart {
		return
	}
	c.check(func(e *models.Example) bool {
		parts := e.Features.Parts()
		return len(e.Truth) == 1 && parts >= 2 && (n == 0 || parts == n)
	}, func(i int) string {
		e := &c.examples[i]
		return fmt.Sprintf("needs labellings that are one of %s parts; that of example %d has %d of %d parts", want, i,
			len(e.Truth), e.Features.Parts())
	})
}

// oracles asks for the oracles that the solver calls. Those that the loss needs are asked for only if the solver takes
// the loss.
func (c *comparison) oracles(taken bool) {
	n, smooth := c.needs.Oracles, c.loss.Smooth() || c.inference
	either, violation := taken && n&Marginals != 0, taken && n&Violation != 0
	c.each(n&Exp != 0 || either && smooth, func(e *models.Example) bool { return e.Exp != nil },
		"needs marginals; example %d has no exp-oracle")
	c.each(n&Max != 0 || either && !smooth || violation, func(e *models.Example) bool {
		return e.Max != nil || n&Max == 0 && violation && c.loss.Slack && e.ZeroOne == 0
	}, "needs best labellings; example %d has no max-oracle")
	c.each(violation, func(e *models.Example) bool { return e.ZeroOne == 0 || e.Second != nil },
		"needs the second-best labelling for a 0/1 loss over labellings; example %d has no oracle for it")
	c.each(violation && c.loss.Slack, func(e *models.Example) bool { return e.ZeroOne > 0 || e.Slack != nil },
		"needs an oracle for slack rescaling; example %d has none (use the hinge)")
}

func kindOf(l models.Loss) Losses {
	switch {
	case l.Slack:
		return Slack
	case l.Temp > 0:
		return Smooth
	case l.Margin == 1:
		return Hinge
	}
	return Perceptron
}

// String names the kinds.
func (l Losses) String() string {
	var list []string
	for i, name := range []string{"smooth losses (loss: log)", "the hinge (loss: hinge)",
		"hinges without margin 1", "slack rescaling (loss: slack)"} {
		if l&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

func norms(f models.FeatureMap) bool {
	_, gram := f.(models.Gram)
	return gram || sparse(f)
}

func sparse(f models.FeatureMap) bool {
	_, ok := f.(models.SparseMap)
	return ok
}

func isotropic(f models.FeatureMap) bool {
	_, ok := f.(models.Isotropic)
	return ok
}

func onePart(e *models.Example) bool { return len(e.Truth) == 1 && e.Features.Parts() >= 2 }

// radius reports whether dualspace.RadiusSq can bound the example.
func radius(e *models.Example) bool {
	_, bounded := e.Features.(models.Bounded)
	_, majorant := e.Features.(models.Majorant)
	return bounded || (majorant || norms(e.Features)) && (e.Max != nil || onePart(e) && !majorant)
}
