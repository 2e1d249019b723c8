package harness

import (
	"slices"
	"strings"
	"unicode"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// timed says whether an experiment shows, judges or is cut by seconds: then its runs must not share the machine.
func timed(s *lang.Spec) bool {
	if slices.ContainsFunc(s.Parts, timed) {
		return true
	}
	if s.Stop.Seconds > 0 || s.Budget != nil && s.Budget.Seconds > 0 {
		return true
	}
	var text []string
	for _, v := range s.Solvers {
		if v.Stop != nil && v.Stop.Seconds > 0 || v.Budget != nil && v.Budget.Seconds > 0 || v.Path != nil &&
			v.Path.Until.Seconds > 0 {
			return true
		}
	}
	if s.Figure != nil {
		for _, p := range s.Figure.Panels {
			text = append(append(text, p.X, p.Bound), p.Y...)
			for _, l := range p.Series {
				text = append(text, l.Y...)
			}
		}
	}
	if s.Table != nil {
		for _, c := range s.Table.Columns {
			text = append(text, c.Name)
		}
	}
	for _, c := range s.Claims {
		text = append(text, c.Assert, c.Measure)
	}
	for _, c := range s.Choose {
		text = append(text, c.By, c.Ties)
	}
	return slices.ContainsFunc(text, namesClock)
}

// namesClock says whether an expression, such as final.seconds / 60, names a column of times.
func namesClock(expr string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(expr, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), trace.Clock)
}
