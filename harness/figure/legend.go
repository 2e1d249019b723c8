package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
)

// name identifies a line by its method, by the labels that tell its runs from others, and by the quantity on its y
// axis. Two lines of a figure with the same name have the same hue and dash pattern.
type name struct{ method, run, y string }

// fill replaces the names in braces in a template such as "C={C}, {y}". {y} becomes the text y; any other name becomes
// the value of the curve's label with this name.
func fill(template string, c *trace.Curve, y string) (string, error) {
	var out strings.Builder
	for rest := template; ; {
		before, after, found := strings.Cut(rest, "{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, after, found := strings.Cut(after, "}")
		v, known := c.Labels[name]
		switch {
		case !found:
			return "", fmt.Errorf("legend %q: a { without a matching }", template)
		case name == "y":
			out.WriteString(y)
		case known:
			out.WriteString(trace.FormatLabel(v))
		default:
			set := trace.Set{Curves: []*trace.Curve{c}}
			names := set.LabelNames()
			return "", fmt.Errorf("legend %q: the run has no label {%s}%s; accepted: {y}, {%s}", template, name,
				nearest.DidYouMean(name, names), strings.Join(names, "}, {"))
		}
		rest = after
	}
}

// problemLabel is the label that names the learning problem of a run, if an experiment has several problems.
const problemLabel = "problem"

// datasetLabel is the label that names the data set of a run.
const datasetLabel = "dataset"

// distinguishing returns the names of the labels in which the curves differ. The label "problem" comes first. Labels
// that have only one value for each problem, such as data set, model and C, are left out, except the label "as".
func distinguishing(set *trace.Set) []string {
	names := set.Varying()
	i := slices.Index(names, problemLabel)
	if i < 0 {
		return names
	}
	names = slices.DeleteFunc(slices.Delete(names, i, i+1), func(name string) bool {
		return name != "as" && follows(name, problemLabel, set.Curves)
	})
	return slices.Insert(names, 0, problemLabel)
}

// follows reports whether one label, from, determines another, name: curves with the same value of the first also have
// the same value of the second.
func follows(name, from string, curves []*trace.Curve) bool {
	known := map[string]string{}
	for _, c := range curves {
		key, value := trace.FormatLabel(c.Labels[from]), trace.FormatLabel(c.Labels[name])
		if before, ok := known[key]; ok && before != value {
			return false
		}
		known[key] = value
	}
	return true
}

// automatic returns a text for the legend, made of the labels in shown, which tell a curve from the others. method is
// the value of the label "as" or, if "as" is not in shown, the problem.
func automatic(c *trace.Curve, shown []string) (text, method string) {
	var parts []string
	for _, name := range shown {
		v, ok := c.Labels[name]
		switch text := trace.FormatLabel(v); {
		case !ok:
		case name == "as" || name == problemLabel:
			parts = append(parts, text)
			if name == "as" || method == "" {
				method = text
			}
		default:
			parts = append(parts, name+"="+text)
		}
	}
	if len(parts) == 0 && c.Labels["as"] != nil {
		text := trace.FormatLabel(c.Labels["as"])
		return text, text
	}
	return strings.Join(parts, ", "), method
}

// methodOf returns the pieces of a template, between commas, that name the method: "EG" for "EG, C={C}". These are the
// pieces without a setting in braces. If there are none, they are the pieces whose only setting is the problem. It
// returns "" if all pieces contain other settings.
func methodOf(template string) string {
	var plain, problems []string
	for _, part := range strings.Split(strings.ReplaceAll(template, "{y}", ""), ", ") {
		rest := strings.NewReplacer("{as}", "", "{solver}", "").Replace(part)
		switch {
		case strings.TrimSpace(part) == "":
		case !strings.Contains(rest, "{"):
			plain = append(plain, part)
		case !strings.Contains(strings.ReplaceAll(rest, "{"+problemLabel+"}", ""), "{"):
			problems = append(problems, part)
		}
	}
	if len(plain) == 0 {
		plain = problems
	}
	return strings.TrimSpace(strings.Join(plain, ", "))
}

// legend returns the label and the name of a line. Both contain y, the quantity on the y axis, if the panel has several
// such quantities (several is true) or if the template contains {y}.
func legend(template string, shown []string, c *trace.Curve, y string, several bool) (label string, n name, err error) {
	if several || strings.Contains(template, "{y}") {
		n.y = y
	}
	if template == "" {
		n.run, n.method = automatic(c, shown)
		label = n.run
	} else {
		for _, part := range []struct {
			to          *string
			template, y string
		}{{&n.run, template, ""}, {&n.method, methodOf(template), ""}, {&label, template, quantity(y)}} {
			if *part.to, err = fill(part.template, c, part.y); err != nil {
				return "", n, err
			}
		}
	}
	if several && !strings.Contains(template, "{y}") {
		label = strings.TrimPrefix(label+", "+quantity(y), ", ")
	}
	n.run = strings.Trim(n.run, " ,")
	return label, n, nil
}
