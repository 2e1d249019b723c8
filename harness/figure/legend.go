package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/nearest"
)

// fill puts the labels of a curve, and y, into a template such as "C={C}, {y}".
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
			return "", fmt.Errorf("label %q: a { without its }", template)
		case name == "y":
			out.WriteString(y)
		case known:
			out.WriteString(trace.FormatLabel(v))
		default:
			set := trace.Set{Curves: []*trace.Curve{c}}
			names := set.LabelNames()
			return "", fmt.Errorf("label %q: no label {%s}%s; there are {y}, {%s}", template, name,
				nearest.DidYouMean(name, names), strings.Join(names, "}, {"))
		}
		rest = after
	}
}

// problemLabel names the learning problem of a run, where an experiment has several.
const problemLabel = "problem"

// distinguishing lists the labels that tell the curves apart for a reader: the problem first, which stands for its data
// set, model, C and whatever else follows from it, except the variant.
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

// follows reports whether curves that agree in one label agree in another.
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

// automatic names a curve by the labels that tell it apart.
func automatic(c *trace.Curve, shown []string) string {
	var parts []string
	for _, name := range shown {
		v, ok := c.Labels[name]
		switch text := trace.FormatLabel(v); {
		case !ok:
		case name == "as" || name == problemLabel:
			parts = append(parts, text)
		default:
			parts = append(parts, name+"="+text)
		}
	}
	if len(parts) == 0 && c.Labels["as"] != nil {
		return trace.FormatLabel(c.Labels["as"])
	}
	return strings.Join(parts, ", ")
}

// legend is the label of a line, and the identity of its curve: the label without its y.
func legend(template string, shown []string, c *trace.Curve, y string, several bool) (label, identity string,
	err error) {
	if template == "" {
		identity = automatic(c, shown)
		label = identity
	} else {
		if identity, err = fill(template, c, ""); err != nil {
			return "", "", err
		}
		if label, err = fill(template, c, spaced(y)); err != nil {
			return "", "", err
		}
	}
	if several && !strings.Contains(template, "{y}") {
		label = strings.TrimPrefix(label+", "+spaced(y), ", ")
	}
	return label, strings.TrimSpace(identity), nil
}
