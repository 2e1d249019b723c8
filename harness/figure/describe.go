package figure

import (
	"fmt"
	"strings"
)

// Description describes the figure in words, for readers who cannot see it. It lists the axes and lines of each panel,
// the first and last point of each line, and the findings of the claims. It writes superscripts as in 10^3.
func (f Figure) Description() string {
	var parts []string
	if n := len(f.Panels); n > 1 {
		parts = append(parts, fmt.Sprintf("%d panels.", n))
	}
	for i, p := range f.Panels {
		var lines []string
		for _, l := range p.Lines {
			lines = append(lines, l.describe())
		}
		text := fmt.Sprintf("%s against %s: %s.", p.Y.describe(), p.X.describe(), strings.Join(lines, "; "))
		if p.Title != "" {
			text = p.Title + ": " + text
		}
		if len(f.Panels) > 1 {
			text = fmt.Sprintf("Panel %d, %s", i+1, text)
		}
		parts = append(parts, text)
	}
	if f.Caption != "" {
		parts = append(parts, "Source: "+f.Caption+".")
	}
	drawn := strings.NewReplacer("^{", "^", "_{", "_", "}", "").Replace(strings.Join(parts, " "))
	return strings.Join(append([]string{drawn}, f.Findings...), " ")
}

// describe returns the label of an axis; on a logarithmic axis it adds the scale.
func (a Axis) describe() string {
	if a.Log {
		return a.Label + " (logarithmic)"
	}
	return a.Label
}

// describe returns the label of a line with its first and last point.
func (l Line) describe() string {
	name := l.Label
	if name == "" {
		name = "a line"
	}
	n := len(l.X)
	switch {
	case n == 0:
		return name
	case n == 1:
		name += fmt.Sprintf(" %.3g at %.3g", l.Y[0], l.X[0])
	default:
		name += fmt.Sprintf(" from %.3g at %.3g to %.3g at %.3g", l.Y[0], l.X[0], l.Y[n-1], l.X[n-1])
	}
	if l.Censored {
		name += ", where its budget stopped it"
	}
	return name
}
