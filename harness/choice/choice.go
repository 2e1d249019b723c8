// Package choice decides which value of a setting wins a comparison of runs (lang.Choose). It reads the rows of the
// runs, and neither makes runs nor opens files.
//
//	for _, group := range choice.Groups(entrants) {
//		verdict := choice.Decide(group)
//	}
package choice

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// State is the state of a comparison.
type State int

// The states of a comparison.
const (
	Undecided State = iota // a run to compare is missing or was interrupted
	Nobody                 // no compared run has a value in the column by which runs are compared
	Decided
)

// Entrant is a planned run that a rule compares with others, or the final run of a value, with its file. The file is
// nil if the run has not been made.
type Entrant struct {
	lang.Run
	File *trace.File
}

// Verdict is the result of a comparison of the runs of one group.
type Verdict struct {
	State State
	Rule  lang.Choose
	Value string  // the value of the labels Rule.Over that wins, as Value returns it
	Mean  float64 // the mean of the column Rule.By over the runs with this value
	// Error is the standard error of Mean over the folds, s/√k, where s is the standard deviation of the means of the k
	// folds; NaN without folds.
	Error float64
	Top   string // the value with the best mean; differs from Value only with Rule.OneSE
	// Edge is "smallest" or "largest" if Top is a number at an end of at least three compared numbers and has a better
	// mean than all of them, so that a number beyond it may be better still.
	Edge string
}

// Groups divides the entrants of a plan into groups, in the order of the plan. Runs that no rule compares are left out.
func Groups(list []Entrant) (groups [][]Entrant) {
	at := map[string]int{}
	for _, e := range list {
		if e.Choose == nil {
			continue
		}
		i, ok := at[e.Choose.Group]
		if !ok {
			i = len(groups)
			at[e.Choose.Group], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], e)
	}
	return groups
}

// Value returns the value of the labels that compete, in a run without a path, as text: the label itself or, for
// several labels, all with their names.
func Value(r lang.Run) string { return valueOf(r, "", nil) }

// valueOf does the same as Value, but uses value as the value of the label key.
func valueOf(r lang.Run, key string, value any) string {
	label := func(name string) string {
		if name == key {
			return trace.FormatLabel(value)
		}
		return trace.FormatLabel(r.Labels[name])
	}
	over := r.Choose.Rule.Over
	if len(over) == 1 {
		return label(over[0])
	}
	var parts []string
	for _, name := range over {
		parts = append(parts, name+"="+label(name))
	}
	return strings.Join(parts, ", ")
}

// candidate is one value of the labels that compete.
type candidate struct {
	value    string
	by, ties mean
	strength float64 // strength of the regularisation: λ, or a number that increases with λ; 0 if it is not known
}

// mean is a mean over runs, and over the runs of each fold.
type mean struct {
	sum, count float64
	folds      map[int]*mean
}

func (m *mean) add(fold int, x float64) {
	m.sum, m.count = m.sum+x, m.count+1
	if fold > 0 {
		if m.folds == nil {
			m.folds = map[int]*mean{}
		}
		if m.folds[fold] == nil {
			m.folds[fold] = &mean{}
		}
		m.folds[fold].add(0, x)
	}
}

func (m *mean) value() float64 { return m.sum / m.count }

// standardError returns the standard error of the mean over the folds; NaN if there are fewer than two.
func (m *mean) standardError() float64 {
	folds := slices.Sorted(maps.Keys(m.folds)) // in a fixed order, so that sums have the same bits each time
	var center, squares float64
	k := float64(len(folds))
	if k < 2 {
		return math.NaN()
	}
	for _, fold := range folds {
		center += m.folds[fold].value() / k
	}
	for _, fold := range folds {
		d := m.folds[fold].value() - center
		squares += d * d
	}
	return math.Sqrt(squares / (k - 1) / k)
}

// Decide compares the runs of a group. The value with the best mean of the column wins; the mean is over seeds and
// folds. A value cannot win if any of its runs has no value in the column. Final runs are not compared.
func Decide(group []Entrant) Verdict {
	v := Verdict{Rule: group[0].Choose.Rule, Error: math.NaN()}
	var list []*candidate
	of := func(name string, strength float64) *candidate {
		i := slices.IndexFunc(list, func(c *candidate) bool { return c.value == name })
		if i < 0 {
			i, list = len(list), append(list, &candidate{value: name, strength: strength})
		}
		return list[i]
	}
	for _, e := range group {
		if e.Choose.Final {
			continue
		}
		if e.File == nil || e.File.Status() == trace.Interrupted {
			return v
		}
		for _, m := range e.measured() {
			c := of(m.value, m.strength)
			c.by.add(e.Fold, m.by)
			c.ties.add(e.Fold, m.ties)
		}
	}
	top := best(v.Rule, list)
	if top == nil {
		v.State = Nobody
		return v
	}
	chosen := top
	if v.Rule.OneSE {
		chosen = strongest(v.Rule, list, top)
	}
	v.State, v.Value, v.Top, v.Mean, v.Error = Decided, chosen.value, top.value, chosen.by.value(),
		chosen.by.standardError()
	v.Edge = edge(list, top)
	return v
}

// edge returns Verdict.Edge.
func edge(list []*candidate, top *candidate) string {
	x, err := strconv.ParseFloat(top.value, 64)
	if err != nil || len(list) < 3 {
		return ""
	}
	above, below := 0, 0
	for _, c := range list {
		y, err := strconv.ParseFloat(c.value, 64)
		switch {
		case c == top:
			continue
		case err != nil || c.by.value() == top.by.value():
			return ""
		case y > x:
			above++
		default:
			below++
		}
	}
	switch {
	case below == 0:
		return "smallest"
	case above == 0:
		return "largest"
	}
	return ""
}

// best returns the candidate with the best mean; nil if no candidate has a mean. Ties are broken by the column
// Rule.Ties; without it by the strength of the regularisation, and then by the order of the spec.
func best(rule lang.Choose, list []*candidate) *candidate {
	var top *candidate
	for _, c := range list {
		if math.IsNaN(c.by.value()) {
			continue
		}
		if top == nil || better(rule, c, top) {
			top = c
		}
	}
	return top
}

func better(rule lang.Choose, a, b *candidate) bool {
	x, y := a.by.value(), b.by.value()
	if rule.Best == "max" {
		x, y = -x, -y
	}
	if x != y {
		return x < y
	}
	if rule.Ties != "" {
		return a.ties.value() < b.ties.value()
	}
	return a.strength > b.strength
}

// strongest returns the candidate with the strongest regularisation among those whose mean is within one standard error
// of the mean of top, which is the best.
func strongest(rule lang.Choose, list []*candidate, top *candidate) *candidate {
	chosen, within := top, top.by.standardError()
	for _, c := range list {
		loss := c.by.value() - top.by.value()
		if rule.Best == "max" {
			loss = -loss
		}
		if loss <= within && c.strength > chosen.strength { // false if the mean is NaN
			chosen = c
		}
	}
	return chosen
}

// Describe returns the labels that compete with the value that wins, such as "lambda=0.01".
func (v Verdict) Describe() string { return Named(v.Rule, v.Value) }

// Named returns a value of the labels that compete, as Value returns it, with the names of the labels.
func Named(rule lang.Choose, value string) string {
	if len(rule.Over) == 1 {
		return fmt.Sprintf("%s=%s", rule.Over[0], value)
	}
	return value
}
