package trace

import (
	"fmt"
	"slices"
)

// NewMissing returns a curve without rows for a planned run without a result. Its labels are those of the plan. The
// status is Missing or Damaged, and why gives the reason.
func NewMissing(labels map[string]any, status Status, why string) *Curve {
	c := &Curve{Labels: map[string]any{}, Status: status, Why: why, Stage: -1}
	for name, v := range labels {
		c.Labels[name] = label(v)
	}
	return c
}

// Lacks reports whether the run of the curve has no result, because it is missing or damaged, has failed or was
// interrupted. It returns false for a run that lang.Choose compared with others and did not choose. The statuses
// budget, diverged and unsupported are results.
func (c *Curve) Lacks() bool {
	switch c.Status {
	case Missing, Damaged, Failed, Interrupted:
		return c.Chosen()
	}
	return false
}

// Reason describes how the run ended or why it has no result, such as "budget (100 passes)".
func (c *Curve) Reason() string {
	if c.Why == "" {
		return string(c.Status)
	}
	return fmt.Sprintf("%s (%s)", c.Status, c.Why)
}

// Lacking returns the curves of the planned runs without a result (see Curve.Lacks).
func (s *Set) Lacking() []*Curve {
	return slices.DeleteFunc(slices.Concat(s.Missing, s.Curves), func(c *Curve) bool { return !c.Lacks() })
}

// Share returns how many of the planned runs have a result, such as "3 of 4 runs", or "" if all have one.
func (s *Set) Share() string {
	lacking := len(s.Lacking())
	if lacking == 0 {
		return ""
	}
	files := map[*File]bool{}
	for _, c := range s.Curves {
		files[c.File] = true
		for _, r := range c.Repeats {
			files[r.File] = true
		}
	}
	planned := len(files) + len(s.Missing)
	return fmt.Sprintf("%d of %d runs", planned-lacking, planned)
}

// sameProblem reports whether two curves may belong to the same objective. A label that only one of the curves has is
// no difference.
func sameProblem(a, b *Curve) bool {
	for _, name := range []string{"dataset", "model", "loss", C, Lambda, "fold"} {
		x, hasX := a.Labels[name]
		y, hasY := b.Labels[name]
		if hasX && hasY && FormatLabel(x) != FormatLabel(y) {
			return false
		}
	}
	return true
}

// BoundLacking returns a run without a result that might have given a better bound on the optimum of the curve's
// problem. It returns nil if there is no such run, or if the other runs already determine the optimum well enough.
func (s *Set) BoundLacking(c *Curve) *Curve {
	if c.Doubt == "" {
		return nil
	}
	for _, m := range s.Lacking() {
		if m != c && sameProblem(m, c) {
			return m
		}
	}
	return nil
}
