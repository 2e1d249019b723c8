package figure

import (
	"fmt"
	"strings"
)

// Source is where a figure is from. What is not known is empty.
type Source struct {
	Spec      string   // SHA-256 of the text of its spec, in hexadecimal
	Scale     string   // of the spec
	Overrides []string // of the spec: --set and --seed
	Runs      []string // keys of its runs
	Commits   []string // of the program that made the runs; + where it had changes that were not committed
}

// Lines are statements of what is known, one each.
func (s Source) Lines() []string {
	var out []string
	for _, part := range []struct {
		name   string
		values []string
	}{{"spec sha256", filled(s.Spec)}, {"scale", filled(s.Scale)}, {"with", s.Overrides}, {"commit", s.Commits},
		{"runs", s.Runs}} {
		if len(part.values) > 0 {
			out = append(out, part.name+" "+strings.Join(part.values, " "))
		}
	}
	return out
}

func filled(s string) []string { return include(nil, s) }

// Description is the figure in words, for readers who do not see it: the axes and lines of each panel, from where to
// where each line goes, and what its claims find. Scripts are written as in 10^3.
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

func (a Axis) describe() string {
	if a.Log {
		return a.Label + " (logarithmic)"
	}
	return a.Label
}

// describe is the label of a line with its first and its last point.
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
