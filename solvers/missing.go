package solvers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/internal/settings"
	"github.com/gaplab/gaplab/models"
)

// Checker is an optional interface of solvers. It is for requirements that Needs cannot express, such as requirements
// on combinations of settings or on the numbers in the examples. If another solver could optimise the objective, Check
// returns an error made by Lacking.
type Checker interface {
	Check(models.Objective) error
}

// Certifier is an optional interface of solvers that test convergence themselves: at the end, the distance from the
// optimum is at most the precision in their settings. If Certifies returns true and such a solver ends by itself, its
// run is complete, even if the stop rule asks for a smaller gap. If any other solver ends before the stop rule is met,
// its run counts as stalled.
type Certifier interface {
	Certifies() bool
}

// Named is a solver with its name. Missing recommends such solvers.
type Named struct {
	Name   string
	Solver Solver
}

// Missing returns nil if the solver supports the objective. Otherwise it returns one of three errors: an error for
// settings out of range, an error of the method Check of the objective or of the solver, or an *Unsupported. The
// *Unsupported lists everything that the solver needs and the objective lacks, and the names of those solvers in others
// that support the objective.
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

// recommended reports whether a solver with its default settings supports an objective. If a setting has no default,
// recommended skips the solver's own Check, because the user has to choose the setting first.
func recommended(s Solver, o models.Objective) bool {
	c, checks := s.(Checker)
	return len(lacks(s, o)) == 0 && (!checks || settings.Check(s) != nil || c.Check(o) == nil)
}

// Name returns the name of a solver in messages, which is its type with its package.
func Name(s Solver) string { return strings.TrimPrefix(fmt.Sprintf("%T", s), "*") }

// lacks returns everything that the solver's Needs requires and the objective lacks.
func lacks(s Solver, o models.Objective) []string {
	needs := s.Needs()
	var c comparison
	switch o := o.(type) {
	case *models.Risk:
		if _, ok := s.(Trainer); !ok {
			return []string{finds(s) + ", but this objective is a regularised risk"}
		}
		c = comparison{needs: needs, loss: o.Loss, examples: o.Examples, start: o.Start != nil}
		c.ask(o.Norm == nil || needs.Norm, "needs weights in an orthonormal basis, not a kernel expansion")
		c.ask(!o.Inexact || needs.Inexact, "needs a function with its gradient, but this model computes only a direction")
	case *models.Generative:
		if _, ok := s.(Fitter); !ok {
			return []string{finds(s) + ", but the weights of this model are log-probabilities with their own objective"}
		}
		c = comparison{needs: needs, loss: o.Loss, examples: o.Examples, start: o.Start != nil}
	case *models.Inference:
		if _, ok := s.(Inferrer); !ok {
			return []string{finds(s) + ", but this problem is inference, which has no weights"}
		}
		c = comparison{needs: needs, examples: o.Examples, inference: true}
	}
	c.compare()
	return c.list
}

// finds returns a text that describes what a solver computes, such as "computes marginals".
func finds(s Solver) string {
	var list []string
	if _, ok := s.(Trainer); ok {
		list = append(list, "minimises a regularised risk")
	}
	if _, ok := s.(Fitter); ok {
		list = append(list, "fits log-probabilities")
	}
	if _, ok := s.(Inferrer); ok {
		list = append(list, "computes marginals")
	}
	if list == nil {
		return "is no Trainer, Fitter or Inferrer"
	}
	return strings.Join(list, " or ")
}

// comparison collects what a solver needs and an objective lacks.
type comparison struct {
	needs     Needs
	loss      models.Loss
	examples  []models.Example
	start     bool
	inference bool
	list      []string
	checks    []check
}

// check is a requirement that each example must meet.
type check struct {
	ok   func(e *models.Example) bool
	says func(i int) string // the message about example i, the first example that fails the requirement
	at   int                // index of the text in comparison.list
}

// ask adds a formatted text to the list of missing requirements if ok is false.
func (c *comparison) ask(ok bool, format string, args ...any) {
	if !ok {
		c.list = append(c.list, fmt.Sprintf(format, args...))
	}
}

// each adds a requirement on all examples, if wanted is true; look tests the requirement later. The format gets the
// index of the first example for which ok returns false.
func (c *comparison) each(wanted bool, ok func(e *models.Example) bool, format string) {
	if wanted {
		c.check(ok, func(i int) string { return fmt.Sprintf(format, i) })
	}
}

// check adds a requirement on all examples, and reserves an entry of the list for the text that look may write.
func (c *comparison) check(ok func(e *models.Example) bool, says func(i int) string) {
	c.checks = append(c.checks, check{ok, says, len(c.list)})
	c.list = append(c.list, "")
}

// look tests all requirements in one loop over the examples. If a requirement fails, look writes its text into the
// list, with the index of the first example that fails it.
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

// compare fills the list with all requirements that the objective does not meet.
func (c *comparison) compare() {
	n := c.needs
	c.ask(!c.start || n.Start, "does not support given start weights")
	taken := true
	if !c.inference {
		kind := kindOf(c.loss)
		if n.Losses == 0 && n.Oracles&Marginals != 0 { // there are no marginals with slack rescaling
			n.Losses = Smooth | Hinge | Perceptron
		}
		taken = n.Losses == 0 || n.Losses&kind != 0
		c.ask(taken, "supports %v, not %v", n.Losses, kind)
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
		"needs features whose products do not depend on the class (models.Isotropic); the products of example %d do")
	c.each(n.Features&Radius != 0, radius,
		"needs a bound on |ψ|²; example %d has features with neither norms nor adjoints, or lacks the max-oracle for "+
			"the bound")
	c.parts()
	c.each(n.Polytope, func(e *models.Example) bool { return e.Polytope != nil },
		"needs marginals μ that only linear equalities and μ ≥ 0 constrain; the marginals of example %d have other "+
			"constraints (accepted: classes, and chains with edges: untied; not trees or tied transitions)")
	c.look()
}

// parts adds the requirements OnePart and Parts of Needs: each labelling must have one part.
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
		return fmt.Sprintf("needs each labelling to be one of %s parts; the labelling of example %d has %d of %d parts", want,
			i, len(e.Truth), e.Features.Parts())
	})
}

// oracles adds, as requirements, the oracles that the solver calls. If the solver supports the loss (taken is true), it
// also adds the oracles that computing the loss needs.
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
		"needs an oracle for slack rescaling; example %d has none: use the hinge")
}

// kindOf returns the kind of a loss (see Losses).
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

// String returns the names of the kinds of losses in the set.
func (l Losses) String() string {
	var list []string
	for i, name := range []string{"smooth losses (loss: log)", "the hinge (loss: hinge)",
		"hinges with a margin other than 1", "slack rescaling (loss: slack)"} {
		if l&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

// norms reports whether the feature map can compute |Aᵀv|² for a vector v of part scores.
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

// onePart reports whether each labelling of the example is one of two or more parts, as a class is.
func onePart(e *models.Example) bool { return len(e.Truth) == 1 && e.Features.Parts() >= 2 }

// radius reports whether dualspace.RadiusSq can compute a bound for the example.
func radius(e *models.Example) bool {
	_, bounded := e.Features.(models.Bounded)
	_, majorant := e.Features.(models.Majorant)
	return bounded || (majorant || norms(e.Features)) && (e.Max != nil || onePart(e) && !majorant)
}
