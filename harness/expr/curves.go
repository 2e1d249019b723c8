package expr

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/table/printed"
	"github.com/gaplab/gaplab/harness/trace"
)

// curveFunctions returns the functions that select curves or read rows of printed tables.
func curveFunctions() []function {
	return []function{
		{
			FuncDoc: FuncDoc{"curve", "curve({label: value, ...}, list?)", "the only curve with these labels, in the " +
				"experiment or in the list of curves; a list as value allows any of its elements; if there is no such curve " +
				"or more than one, the claim is not testable; a text such as \"fast\" means {as: \"fast\"}; it " +
				"also stands for the curve in functions of a curve c", `final(curve({as: "fast", C: 10}), "gap_percent") <= 1`},
			least: 1, most: 2, labels: true, call: oneCurve,
		},
		{
			FuncDoc: FuncDoc{"curves", "curves({label: value, ...}?, list?)",
				"all curves with these labels; without arguments, all curves; the name series means the same",
				`all(curves({C: [1000, 100, 10]}), at(#, "gap_percent", 50) <= 1)`},
			least: 0, most: 2, labels: true, call: manyCurves,
		},
		{
			FuncDoc: FuncDoc{"completed", "completed(curves, least)", "the curves whose runs ended by a stop rule or " +
				"because the solver had finished; it leaves out runs that failed, that a budget ended, or that stalled above the " +
				"gap of the stop rule; if there are fewer than `least` curves, the claim is not testable",
				`fit(log(map(completed(series, 4), final(#, "seconds"))), log(map(completed(series, 4), .n))).slope <= 1.1`},
			least: 2, most: 2, call: completedCurves,
		},
		{
			FuncDoc: FuncDoc{"repetitions", "repetitions(c)", "the curves of the repetitions of a run (repeat: {times: 5}), " +
				"with the times of each; only the curve itself if the run was not repeated",
				`all(series, c => let t = map(repetitions(c), final(#, "cpu_seconds")); max(t) <= 1.5 * min(t))`},
			least: 1, most: 1, call: repetitions,
		},
		{
			FuncDoc: FuncDoc{"experiment", "experiment(id)", "all curves of another experiment, at the same scale",
				`len(experiment("paper/fig6")) > 0`},
			least: 1, most: 1, other: true, call: otherExperiment,
		},
		{
			FuncDoc: FuncDoc{"printed", "printed(file)",
				"the rows of a CSV file with printed numbers in the folder of the spec; the headings are the names of " +
					"their fields",
				`all(printed("tab2.csv"), close(final(curve({C: .C}), "validation_error"), .error, 0.004))`},
			least: 1, most: 1, call: printedRows,
		},
	}
}

// oneCurve implements the function "curve" of expressions, which returns the only curve with the given labels.
func oneCurve(r *reader, args []any) (any, error) {
	selector, pool, err := r.selection(args)
	if err != nil {
		return nil, err
	}
	found, err := r.pick(selector, pool)
	if err != nil {
		return nil, err
	}
	if len(found) > 1 {
		return nil, cannot("%d curves have %s, but exactly one is needed: %s; write a label that differs, such as "+
			"curve({%s})", len(found), formatSelector(selector), r.someNames(found), r.selectorOf(found[0], selector, found))
	}
	return found[0], nil
}

// manyCurves implements the function "curves" of expressions, which returns all curves with the given labels.
func manyCurves(r *reader, args []any) (any, error) {
	selector, pool, err := r.selection(args)
	if err != nil {
		return nil, err
	}
	return r.pick(selector, pool)
}

// completedCurves implements the function "completed" of expressions: from a list of curves, it returns those whose
// runs ended normally, if there are enough of them.
func completedCurves(_ *reader, args []any) (any, error) {
	all, err := curveList(args[0])
	if err != nil {
		return nil, err
	}
	least, err := number(args[1])
	if err != nil {
		return nil, err
	}
	done := slices.DeleteFunc(slices.Clone(all), func(c *trace.Curve) bool { return c.Status != trace.Done })
	if float64(len(done)) < least {
		return nil, cannot("%d of %d runs are complete, but %v are needed; the others failed or were stopped by their "+
			"budget", len(done), len(all), least)
	}
	return done, nil
}

// repetitions implements the function "repetitions" of expressions.
func repetitions(r *reader, args []any) (any, error) {
	c, ok := args[0].(*trace.Curve)
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: a curve, such as curve({as: \"fast\"})", typeName(args[0]))
	}
	if err := r.spend(c.Repetitions()); err != nil {
		return nil, err
	}
	if len(c.Repeats) == 0 {
		return []*trace.Curve{c}, nil
	}
	return slices.Clone(c.Repeats), nil
}

// selection returns the selector and the list of curves in the arguments of curve and curves.
func (r *reader) selection(args []any) (map[string]any, []*trace.Curve, error) {
	r.selected = true
	var selector map[string]any
	pool := r.all(r.on.Set)
	if len(args) > 0 {
		s, ok := args[0].(map[string]any)
		if name, isText := args[0].(string); isText {
			s, ok = map[string]any{"as": name}, true
		}
		if !ok {
			return nil, nil, fmt.Errorf(`got %s; accepted: labels such as {as: "fast", C: 10}`, typeName(args[0]))
		}
		selector = s
	}
	if len(args) > 1 {
		list, err := curveList(args[1])
		if err != nil {
			return nil, nil, err
		}
		pool = list
	}
	return selector, pool, nil
}

// all returns the curves of a set, together with empty curves for its planned runs without a trace.
// Callers must not change the list.
func (r *reader) all(s *trace.Set) []*trace.Curve {
	if len(s.Missing) == 0 {
		return s.Curves
	}
	return slices.Concat(s.Curves, s.Missing)
}

// pick returns the curves of the pool whose labels match the selector. If no curve matches, it returns an error that
// Lacks recognises. It also does so if a matching run has no result, unless the user accepts missing runs
// (Set.Partial). It skips runs that lost a comparison (lang.Choose), unless the selector contains the label "chosen".
// It also skips runs whose solver does not support the problem, and adds a warning for each.
func (r *reader) pick(selector map[string]any, pool []*trace.Curve) ([]*trace.Curve, error) {
	var found []*trace.Curve
	var unsupported, lacking string
	_, losersToo := selector["chosen"]
	work := 1
	for _, want := range selector {
		work += 1 + length(want)
	}
	if err := r.spend(len(pool) * work); err != nil {
		return nil, err
	}
	wanted := conditions(selector)
	for _, c := range pool {
		if !matches(c, wanted) || !c.Chosen() && !losersToo {
			continue
		}
		switch {
		case c.Status == trace.Unsupported:
			unsupported = fmt.Sprintf("the run %s is left out: %s", r.describe(c), c.Reason())
			r.warn("%s", unsupported)
			continue
		case c.Lacks():
			if err := r.lack(c, ""); err != nil {
				return nil, err
			}
			lacking = fmt.Sprintf("the run %s is left out: %s", c.DescribeRun(), c.Reason())
			continue
		}
		found = append(found, c)
	}
	switch {
	case len(found) > 0:
		return found, nil
	case lacking != "":
		return nil, lost("%s", lacking)
	case unsupported != "":
		return nil, cannot("%s", unsupported)
	case len(selector) == 0:
		return nil, cannot("there are no curves")
	}
	return nil, cannot("no curve has %s; there are %s", formatSelector(selector), r.someNames(pool))
}

// condition is an entry of a selector: a curve must have one of the values of the label.
type condition struct {
	label  string
	values []any
	late   bool // whether the label is known only at the end of a run, so that a planned run may have any value
}

// conditions returns the entries of a selector.
func conditions(selector map[string]any) []condition {
	var all []condition
	for label, want := range selector {
		values, ok := elements(want)
		if !ok {
			values = []any{want}
		}
		all = append(all, condition{label, values, slices.Contains(atEnd(), label)})
	}
	return all
}

// matches reports whether a curve has the labels of a selector. Two numbers count as equal if their relative difference
// is at most 1e-5, because a spec may write a value of C with only the few digits that the paper prints.
func matches(c *trace.Curve, wanted []condition) bool {
	for _, w := range wanted {
		have, exists := c.Labels[w.label]
		if !exists && c.File == nil && w.late {
			continue
		}
		if !exists || !slices.ContainsFunc(w.values, func(v any) bool { return sameLabel(have, v) }) {
			return false
		}
	}
	return true
}

// atEnd lists the labels whose values are known only when a run has a result. So a planned run without a trace may have
// any value of these labels.
func atEnd() []string {
	return []string{"n", trace.C, trace.Lambda, trace.Stage, "status", "scale", "chosen"}
}

// sameLabel reports whether two values of a label are equal, as matches defines it.
func sameLabel(a, b any) bool {
	if _, ok := a.(string); ok { // fast case for most labels: number would format an error
		return a == b
	}
	x, errX := number(a)
	y, errY := number(b)
	if errX == nil && errY == nil {
		return math.Abs(x-y) <= 1e-5*math.Max(math.Abs(x), math.Abs(y))
	}
	same, err := compare("==", a, b)
	return err == nil && same
}

// selectorOf returns labels that select the curve c among others, as they are written in an expression: those of the
// selector, and those in which the curves differ. Labels with lists are left out.
func (r *reader) selectorOf(c *trace.Curve, selector map[string]any, among []*trace.Curve) string {
	names := slices.Collect(maps.Keys(selector))
	for _, name := range r.varying() {
		differs := slices.ContainsFunc(among, func(o *trace.Curve) bool { return !sameLabel(o.Labels[name], c.Labels[name]) })
		if differs && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var parts []string
	for _, name := range names {
		if text, err := json.Marshal(c.Labels[name]); err == nil && c.Labels[name] != nil {
			parts = append(parts, name+": "+string(text))
		}
	}
	return strings.Join(parts, ", ")
}

// formatSelector formats a selector for a message.
func formatSelector(selector map[string]any) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(selector)) {
		parts = append(parts, name+" = "+format(selector[name]))
	}
	return strings.Join(parts, ", ")
}

// someNames names the first few of the curves, for a message.
func (r *reader) someNames(curves []*trace.Curve) string {
	var names []string
	for i, c := range curves {
		if i == 2*most {
			names = append(names, fmt.Sprintf("… (%d curves)", len(curves)))
			break
		}
		names = append(names, "("+r.describe(c)+")")
	}
	return strings.Join(names, ", ")
}

// curveList converts a value to a list of curves.
func curveList(v any) ([]*trace.Curve, error) {
	if list, ok := v.([]*trace.Curve); ok {
		return list, nil
	}
	list, ok := elements(v)
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: a list of curves", typeName(v))
	}
	curves := make([]*trace.Curve, len(list))
	for i, element := range list {
		if curves[i], ok = element.(*trace.Curve); !ok {
			return nil, fmt.Errorf("element %d of a list of curves is %s", i, typeName(element))
		}
	}
	return curves, nil
}

// otherExperiment implements the function "experiment" of expressions: the curves of another experiment.
func otherExperiment(r *reader, args []any) (any, error) {
	id, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: an id such as \"paper/fig6\"", typeName(args[0]))
	}
	if r.on.Other == nil {
		return nil, cannot("the claim needs the results of %s", id)
	}
	set, err := r.on.Other(id)
	switch {
	case errors.Is(err, trace.ErrDamaged):
		return nil, lost("the claim needs the results of %s: %v", id, err)
	case err != nil:
		return nil, cannot("the claim needs the results of %s: %v", id, err)
	}
	if set.Err != nil {
		return nil, cannot("the rows of %s contradict each other: %v", id, set.Err)
	}
	found, err := r.pick(nil, r.all(set))
	if Lost(err) {
		return nil, lost("the claim needs the results of %s: %v", id, err)
	}
	return found, err
}

// printedRows implements the function "printed" of expressions: the rows of a CSV file with printed numbers of the
// paper.
func printedRows(r *reader, args []any) (any, error) {
	name, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: the name of a CSV file", typeName(args[0]))
	}
	if r.on.Printed == nil {
		return nil, fmt.Errorf("this spec has no printed numbers, so there is no file %q", name)
	}
	data, err := r.on.Printed(name)
	if err != nil {
		return nil, err
	}
	if err := r.take(4 * len(data)); err != nil {
		return nil, err
	}
	t, err := printed.Parse(name, data)
	if err != nil {
		return nil, err
	}
	rows := make([]any, len(t.Rows))
	for i, values := range t.Rows {
		rows[i] = fields{names: t.Head, values: values}
	}
	return rows, nil
}
