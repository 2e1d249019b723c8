package trace

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

const (
	roundOff = 1e-9  // relative tolerance by which a primal may lie below a dual
	ulps     = 1e-14 // the same, relative to the primal at the start; it matters only if the optimum is near 0
	certain  = 1e-4  // relative width of the optimum's interval above which there is a warning
)

// problem is one objective with all curves that optimise it. The primals and duals of the curves bound the optimum.
type problem struct {
	curves    []*Curve
	high, low float64 // smallest primal and largest dual of all curves; ±Inf if there is none
	start     float64 // largest |primal| in the first rows of the curves: the size of the numbers that are subtracted
	highBy    *Curve
	lowBy     *Curve
}

// derive adds the columns opt, opt_low, gap_percent and excess_percent to each curve whose objective is known.
//
//	opt = min primal,  opt_low = max dual,  over all rows of all curves on the same data, model, loss and λ
func (s *Set) derive() {
	var errs []error
	var open []*problem
	for _, p := range s.problems() {
		name := p.name()
		if p.low-p.high > max(roundOff*max(math.Abs(p.low), math.Abs(p.high)), ulps*p.start) {
			errs = append(errs, fmt.Errorf("%s: a primal of %.12g (%s) lies below a dual of %.12g (%s): "+
				"weak duality is broken", name, p.high, p.highBy.File.name(), p.low, p.lowBy.File.name()))
		}
		doubt := p.doubt()
		if doubt != "" && !p.asked() {
			open = append(open, p)
		}
		for _, c := range p.curves {
			c.Doubt = doubt
			c.derive(p.high, p.low)
		}
	}
	s.Warnings = append(s.Warnings, openWarnings(open)...)
	s.Err = errors.Join(errs...)
}

// openWarnings returns a warning for each experiment that has problems whose optimum is uncertain. If there is only one
// such problem, the warning names it. Problems without a dual, and those whose runs all diverged, have a warning of
// their own.
func openWarnings(list []*problem) []string {
	var out []string
	for len(list) > 0 {
		first := list[0]
		alike := func(p *problem) bool {
			return p.experiment() == first.experiment() && (p.lowBy == nil) == (first.lowBy == nil) &&
				p.diverged() == first.diverged()
		}
		var group []*problem
		least, most := math.Inf(1), 0.0
		for _, p := range list {
			if alike(p) {
				group = append(group, p)
				width := Relative(p.high-p.low, p.high)
				least, most = min(least, width), max(most, width)
			}
		}
		list = slices.DeleteFunc(list, alike)
		about := first.name()
		if len(group) > 1 {
			about = strings.TrimSpace(fmt.Sprintf("%s %d problems", first.experiment(), len(group)))
		}
		switch low, high := fmt.Sprintf("%.2g", least), fmt.Sprintf("%.2g", most); {
		case first.lowBy == nil:
			out = append(out, about+": no solver computed a dual, so the distance to the optimum is not known")
		case first.diverged():
			out = append(out, about+": all runs diverged, so the distance to the optimum is not known")
		case low == high:
			out = append(out, fmt.Sprintf("%s: the runs ended before the optimum, at a relative gap of %s; "+
				"allow more passes for a smaller gap", about, low))
		default:
			out = append(out, fmt.Sprintf("%s: the runs ended before the optimum, at relative gaps from %s to %s; "+
				"allow more passes for smaller gaps", about, low, high))
		}
	}
	return out
}

func (s *Set) problems() []*problem {
	var list []*problem
	byKey := map[string]*problem{}
	for _, c := range s.Curves {
		key, ok := c.problemKey()
		if !ok {
			if c.Has(Primal) {
				s.Warnings = append(s.Warnings,
					c.File.name()+": no label \"lambda\", so the curve is compared with no others and has no derived columns")
			}
			continue
		}
		p := byKey[key]
		if p == nil {
			p = &problem{high: math.Inf(1), low: math.Inf(-1)}
			byKey[key] = p
			list = append(list, p)
		}
		p.add(c)
	}
	return list
}

// problemKey returns a key of the curve's objective, or false if λ is missing. The key consists of the data, the model,
// the loss and λ. If the problem begins with the weights of an earlier run (such as the weights of a chain that a model
// with an energy extends), that run and its seed are part of the key too. The label problem is not part of the key, so
// two problems with the same objective share one optimum. The λ of the key is the label lambda, at which the primal is
// evaluated. The column lambda may differ from the label: during annealing it has the solver's current λ. Inference has
// no loss and no λ.
func (c *Curve) problemKey() (string, bool) {
	lambda, ok := c.Labels[Lambda].(float64)
	digits := strconv.FormatFloat(lambda, 'g', 12, 64) // 12 digits: C/n and 1000·0.7^k/n may differ in their last bits
	if _, loss := c.Labels["loss"]; !loss && !ok && !c.Has(Lambda) {
		digits = "" // inference has neither a loss nor λ
	} else if !ok {
		return "", false
	}
	m, spec := c.File.Manifest, c.File.Spec
	if spec == nil {
		spec = m.Spec
	}
	text, err := json.Marshal([]any{m.Data.Checksum, m.N, spec["model"], spec["from"], c.Labels["model"],
		c.Labels["loss"], digits})
	return string(text), err == nil
}

func (p *problem) add(c *Curve) {
	p.curves = append(p.curves, c)
	if primal := c.Columns[Primal]; len(primal) > 0 && !math.IsInf(primal[0], 0) && !math.IsNaN(primal[0]) {
		p.start = max(p.start, math.Abs(primal[0]))
	}
	for _, v := range c.Columns[Primal] {
		if v < p.high {
			p.high, p.highBy = v, c
		}
	}
	for _, v := range c.Columns[Dual] {
		if v > p.low {
			p.low, p.lowBy = v, c
		}
	}
}

func (p *problem) name() string {
	c := p.curves[0]
	return strings.TrimSpace(c.File.Manifest.Experiment + " " + c.Describe([]string{"problem", "n", C}))
}

// diverged reports whether all runs of the problem diverged.
func (p *problem) diverged() bool {
	return !slices.ContainsFunc(p.curves, func(c *Curve) bool { return c.File.Status() != Diverged })
}

func (p *problem) experiment() string { return p.curves[0].File.Manifest.Experiment }

// asked reports whether the width of the interval [low, high] around the optimum, relative to high, is at most the gap
// at which a run of the problem, or a stage of a path, stops. The spec then accepts this uncertainty, and there is no
// warning.
func (p *problem) asked() bool {
	width := Relative(p.high-p.low, p.high)
	for _, c := range p.curves {
		spec := c.File.Manifest.Spec
		solver, _ := spec["solver"].(map[string]any)
		path, _ := solver["path"].(map[string]any)
		for _, rule := range []any{spec["stop"], path["until"]} {
			stop, _ := rule.(map[string]any)
			if gap, _ := stop["gap"].(float64); width <= gap {
				return true
			}
		}
	}
	return false
}

// doubt describes how uncertain the optimum is. It returns "" if the optimum lies in a narrow interval.
func (p *problem) doubt() string {
	width := Relative(p.high-p.low, p.high)
	switch {
	case p.highBy == nil:
		return ""
	case p.lowBy == nil:
		return fmt.Sprintf("no run has a dual: the optimum is only known to be at most %.6g", p.high)
	case width > certain:
		return fmt.Sprintf("the optimum is only known to lie in [%.6g, %.6g], a relative width of %.2g", p.low, p.high, width)
	}
	return ""
}

func (c *Curve) derive(opt, low float64) {
	primal := c.Columns[Primal]
	if primal == nil || math.IsInf(opt, 0) {
		return
	}
	dual := c.Columns[Dual]
	fill := func(name string, f func(i int) float64) {
		values := make([]float64, len(primal))
		for i := range values {
			values[i] = f(i)
		}
		c.Columns[name] = values
	}
	fill(Opt, func(int) float64 { return opt })
	if !math.IsInf(low, 0) {
		fill(OptLow, func(int) float64 { return low })
	}
	scale := 100 / math.Abs(opt)
	percent := func(difference float64) float64 {
		switch {
		case difference == 0:
			return 0
		case opt == 0: // a relative value does not exist
			return math.NaN()
		}
		return scale * difference
	}
	fill(ExcessPercent, func(i int) float64 { return percent(primal[i] - opt) })
	if dual != nil {
		fill(GapPercent, func(i int) float64 { return percent(primal[i] - dual[i]) })
	}
}

// Relative returns difference/|of|, and 0 if the difference is 0. So the relative gap is 0 if primal and dual are
// equal, even if both are 0.
func Relative(difference, of float64) float64 {
	if difference == 0 {
		return 0
	}
	return difference / math.Abs(of)
}
