package figure

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// curvesOf returns random curves. The data set follows from the problem; the method does so in half of the sets.
func curvesOf(rng *rand.Rand, n int) []*trace.Curve {
	bound, problems := rng.IntN(2) == 0, 1+rng.IntN(3)
	var out []*trace.Curve
	for range n {
		p := rng.IntN(problems)
		l := map[string]any{"as": fmt.Sprint("method ", rng.IntN(2)), "dataset": fmt.Sprint("data ", p%2),
			"C":    float64(rng.IntN(2)),
			"seed": float64(rng.IntN(2))}
		if bound {
			l["as"] = fmt.Sprint("method ", p)
		}
		if problems > 1 {
			l[problemLabel] = fmt.Sprint("problem ", p)
		}
		out = append(out, &trace.Curve{Labels: l})
	}
	return out
}

// tells returns the values of some labels of a curve.
func tells(c *trace.Curve, names []string) string {
	var out []string
	for _, name := range names {
		out = append(out, trace.FormatLabel(c.Labels[name]))
	}
	return strings.Join(out, "; ")
}

// TestDistinguishing checks on random sets of curves that the labels of a legend tell the curves apart as all labels
// do. The method is among them if it varies. A label that follows from the problem is not, and the problem comes first.
// Labels and names of lines then differ for different curves, and for different quantities of one curve.
func TestDistinguishing(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 31))
	all := []string{"as", "dataset", "C", "seed", problemLabel}
	for range 500 {
		curves := curvesOf(rng, 2+rng.IntN(4))
		set := &trace.Set{Curves: curves}
		varies := func(name string, among []*trace.Curve) bool {
			return slices.ContainsFunc(among, func(c *trace.Curve) bool { return c.Labels[name] != among[0].Labels[name] })
		}
		var want []string
		if varies(problemLabel, curves) {
			want = append(want, problemLabel)
		}
		for _, name := range []string{"as", "C", "dataset", "seed"} {
			within := false // whether the label varies among the curves of one problem
			for _, c := range curves {
				within = within || varies(name, slices.DeleteFunc(slices.Clone(curves), func(other *trace.Curve) bool {
					return other.Labels[problemLabel] != c.Labels[problemLabel]
				}))
			}
			if within || name == "as" && varies(name, curves) {
				want = append(want, name)
			}
		}
		names := distinguishing(set)
		if !slices.Equal(names, want) {
			t.Fatalf("distinguishing labels = %q, want %q", names, want)
		}
		ys := []string{"primal", "dual"}[:1+rng.IntN(2)]
		template := []string{"", "{as}, C={C}, {dataset}, {seed}, {y}"}[rng.IntN(2)]
		if template != "" && set.Curves[0].Labels[problemLabel] != nil {
			template = "{problem}, " + template
		}
		seen := map[string]string{}
		lines := map[name]string{}
		for _, c := range curves {
			for _, y := range ys {
				label, n, err := legend(template, names, c, y, len(ys) > 1)
				if err != nil {
					t.Fatal(err)
				}
				what := tells(c, all) + "; " + y
				if other, ok := seen[label]; ok && other != what {
					t.Errorf("the label %q is of the lines %s and %s", label, other, what)
				}
				if other, ok := lines[n]; ok && other != what {
					t.Errorf("the name %+v is of the lines %s and %s", n, other, what)
				}
				seen[label], lines[n] = what, what
				if method := c.Labels["as"].(string); (slices.Contains(names, "as") || template != "") &&
					!strings.Contains(label, method) {
					t.Errorf("the label %q of %s lacks the method", label, what)
				}
			}
		}
	}
}

// TestAutomaticLabels checks the text of a legend without a template, and the name of its method: the label "as" or,
// if it is not shown, the problem. A line without a label that tells it from others is called by its solver.
func TestAutomaticLabels(t *testing.T) {
	type labels = map[string]any
	for _, c := range []struct {
		labels       labels
		shown        []string
		text, method string
	}{
		{labels{"as": "eg", "C": 1.0}, nil, "eg", "eg"},
		{labels{"C": 1.0}, nil, "", ""},
		{labels{"C": 1.0}, []string{"as", "C"}, "C=1", ""},
		{labels{"as": "eg", "C": 1.0}, []string{"C"}, "C=1", ""},
		{labels{"as": "eg", "C": 1.0}, []string{"as", "C"}, "eg, C=1", "eg"},
		{labels{"as": "eg", "C": 1.0, problemLabel: "p"}, []string{problemLabel, "as", "C"}, "p, eg, C=1", "eg"},
		{labels{"as": "eg", "C": 1.0, problemLabel: "p"}, []string{"as", problemLabel}, "eg, p", "eg"},
		{labels{"C": 1.0, problemLabel: "p"}, []string{problemLabel, "as", "C"}, "p, C=1", "p"},
	} {
		text, method := automatic(&trace.Curve{Labels: c.labels}, c.shown)
		if text != c.text || method != c.method {
			t.Errorf("labels %v, shown %v: text %q, method %q; want %q, %q", c.labels, c.shown, text, method, c.text, c.method)
		}
	}
}
