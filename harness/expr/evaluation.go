package expr

import (
	"fmt"
)

// Evaluation evaluates the expressions of one claim. It records the values that an assertion compared, and warnings
// about the curves that it read.
type Evaluation struct {
	*reader
	sites        []site
	observations []observation
	hopeful      bool  // whether comparisons that are undecided count as if they made the assertion true
	undecided    error // the first comparison that a run which ended at its limit leaves undecided; nil if there is none
}

// NewEvaluation returns an Evaluation for one claim. The field Set of on must not be nil.
func NewEvaluation(on Evidence) *Evaluation { return &Evaluation{reader: newReader(on)} }

// ReadsCurves reports whether an expression evaluated so far selected curves.
func (e *Evaluation) ReadsCurves() bool { return e.selected }

// StandIns returns the names of the curves whose values were read so far and whose data set is generated, in place of
// the paper's. A name consists of the labels that distinguish the curves.
func (e *Evaluation) StandIns() []string {
	var names []string
	for _, c := range e.curves {
		if c.File != nil && c.File.Manifest.Data.Synthetic {
			names = append(names, e.describe(c))
		}
	}
	return names
}

// Assert evaluates an assertion and records the values that it compares, for Measured. If Lacks reports true for the
// error, results are missing. Any other error means that the expression is wrong, and states the position.
//
// If a run ended at its limit, it may leave comparisons undecided (see Bounded). The assertion is then evaluated twice:
// once as if each of them made it false, and once as if each made it true. If the outcome is the same, the other
// comparisons decide the assertion, and otherwise Assert returns an error that Open recognises.
func (e *Evaluation) Assert(source string) (bool, error) {
	holds, err := e.judge(source)
	if err != nil || e.undecided == nil || holds {
		return holds, err
	}
	other := NewEvaluation(e.on)
	other.hopeful = true
	if holds, err = other.judge(source); err != nil || !holds {
		return holds, err
	}
	return false, e.undecided
}

// judge evaluates an assertion once, for Assert.
func (e *Evaluation) judge(source string) (bool, error) {
	value, err := e.evaluate(source, true)
	if err != nil {
		return false, err
	}
	holds, ok := value.(bool)
	if !ok {
		return false, fmt.Errorf("got %s; accepted: an assertion, which is true or false, such as a comparison",
			typeName(value))
	}
	return holds, nil
}

// Measure evaluates an expression of any type, and formats its value with four significant digits. It returns errors
// as Assert does.
func (e *Evaluation) Measure(source string) (string, error) {
	value, err := e.evaluate(source, false)
	if err != nil {
		return "", err
	}
	return format(quantitiesOf(source, value)), nil
}

// Values evaluates an expression and returns its value as a flat list of numbers (float64, or Bounded if a run ended at
// its limit), texts and truth values. Nested lists, the fields of a fit, and quantities are replaced by their elements,
// in order. It returns errors as Assert does.
func (e *Evaluation) Values(source string) ([]any, error) {
	value, err := e.evaluate(source, false)
	if err != nil {
		return nil, err
	}
	return e.flat(nil, quantitiesOf(source, value))
}

// flat appends a value to out. If the value is a list, flat appends its elements instead, recursively. flat counts the
// memory of out, because a list that occurs several times in v is copied each time.
func (r *reader) flat(out []any, v any) ([]any, error) {
	if err := r.take(48); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case string, bool:
		return append(out, v), nil
	case fields:
		return r.flat(out, v.values)
	case quantities:
		return r.flat(out, v.values)
	case Bounded:
		return append(out, v), nil
	}
	if x, err := number(v); err == nil {
		return append(out, x), nil
	}
	list, ok := elements(v)
	if !ok {
		return nil, fmt.Errorf("got %s; accepted: numbers, texts or truth values", typeName(v))
	}
	for _, element := range list {
		var err error
		if out, err = r.flat(out, element); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// evaluate compiles and runs an expression. If observed is true, it records the comparisons that decide whether the
// expression is true.
func (e *Evaluation) evaluate(source string, observed bool) (any, error) {
	r := &rewriter{names: claimNames(), claim: true, observed: observed, hint: e.instead}
	calls := callsOn(e.reader)
	calls["$observe"] = e.observe
	program, err := compile(source, r, calls)
	if err != nil {
		return nil, plain(err)
	}
	if observed {
		e.sites = r.sites
	}
	return e.run(program, map[string]any{})
}

// instead returns what to write in place of an unknown name, if it is the name of a solver or a column.
func (e *Evaluation) instead(name string) string {
	for _, c := range e.on.Set.Curves {
		if c.Labels["as"] == name {
			return fmt.Sprintf("the curve of this name is curve(%q)", name)
		}
	}
	for _, c := range e.on.Set.Curves {
		if c.Has(name) {
			return fmt.Sprintf("it is a column: write map(series, .%s) for its values in each curve, or %q in quotes in a "+
				"function, such as map(series, final(#, %[2]q))", name, name)
		}
	}
	return ""
}

// observe implements the function $observe. It evaluates a comparison or a function, and records its operands.
func (e *Evaluation) observe(args ...any) (any, error) {
	index, scopes, operands := args[0].(int), args[1].([]any), args[2:]
	work := 0
	for _, o := range operands {
		work += length(o)
	}
	if err := e.spend(work); err != nil {
		return nil, err
	}
	if err := e.take(observationBytes); err != nil {
		return nil, err
	}
	s := e.sites[index]
	var holds bool
	var err error
	if s.operator != "" {
		holds, err = compare(s.operator, operands[0], operands[1])
	} else {
		var v any
		if v, err = s.function.call(e.reader, operands); err == nil {
			holds, err = boolean(v)
		}
	}
	if Open(err) {
		if e.undecided == nil {
			e.undecided = err
		}
		e.observations = append(e.observations, observation{index, scopes, operands, s.negated, true})
		return e.hopeful != s.negated, nil
	}
	if err != nil {
		return nil, err
	}
	e.observations = append(e.observations, observation{index, scopes, operands, holds, false})
	return holds, nil
}

// Measured describes the values that the assertion compared. Each comparison reads like
// "r2 = 0.998 (C=1000), 0.94 (C=1, fails) >= 0.95".
func (e *Evaluation) Measured() string { return measured(e.sites, e.observations, e.describe) }
