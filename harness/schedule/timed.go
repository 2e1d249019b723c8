package schedule

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Timed reports whether an experiment shows seconds, judges them in claims, repeats its runs to measure them, or has
// runs that end after a number of seconds. The runs of such an experiment must not share the machine. A budget in
// seconds alone does not make an experiment timed: the numbers of a run that a budget ends are bounds, which hold on a
// slow machine too.
func Timed(s *lang.Spec) bool {
	if s.Repeat.Times > 0 {
		return true
	}
	var text []string
	for _, p := range s.Problems {
		if limited(p) {
			return true
		}
		for _, c := range p.Choose {
			text = append(text, c.By, c.Ties)
		}
	}
	if s.Figure != nil {
		for _, p := range s.Figure.Panels {
			text = append(append(text, p.X, p.Bound, p.Where), p.Y...)
			for _, l := range p.Series {
				text = append(append(text, l.Where), l.Y...)
			}
		}
	}
	if s.Table != nil {
		text = append(text, s.Table.Rows)
		for _, c := range s.Table.Columns {
			text = append(text, c.Name)
		}
	}
	for _, c := range s.Claims {
		text = append(text, c.Assert, c.Measure)
	}
	return slices.ContainsFunc(text, namesClock)
}

// limited reports whether runs of the problem are complete after a number of seconds.
func limited(p lang.Problem) bool {
	return p.Stop.Seconds > 0 || slices.ContainsFunc(p.Solvers, func(v lang.Solver) bool {
		return v.Stop != nil && v.Stop.Seconds > 0 || v.Path != nil && v.Path.Until.Seconds > 0
	})
}

// namesClock reports whether an expression, such as final.seconds / 60, contains the name of a column of times.
func namesClock(expr string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(expr, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), trace.Clock)
}
