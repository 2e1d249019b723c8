package lang

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Fault is one fault of a spec. Parse and At join several, sorted by line; errors.As finds the first.
type Fault struct {
	File   string
	Line   int    // 0 if the fault has no line
	Set    string // the --set item that is at fault; File and Line then do not say where
	Key    string // dotted path, such as solvers.0.eta
	Reason string // what is wrong; accepted: what would be right
}

// Error is "file:line: key: reason".
func (e *Fault) Error() string {
	var b strings.Builder
	switch {
	case e.Set != "":
		fmt.Fprintf(&b, "--set %s: ", e.Set)
	case e.Line > 0:
		fmt.Fprintf(&b, "%s:%d: ", e.File, e.Line)
	default:
		fmt.Fprintf(&b, "%s: ", e.File)
	}
	if e.Key != "" {
		fmt.Fprintf(&b, "%s: ", e.Key)
	}
	b.WriteString(e.Reason)
	return b.String()
}

// faults collects the faults of one file.
type faults struct {
	file string
	sets []string // --set items in force; item i marks its nodes with line −(i+1)
	list []*Fault
}

// add reports a fault at a line, which may be the mark of a --set item.
func (p *faults) add(line int, key, format string, args ...any) {
	e := &Fault{File: p.file, Line: line, Key: key, Reason: fmt.Sprintf(format, args...)}
	switch {
	case line < 0:
		e.Line, e.Set = 0, p.sets[-line-1]
	case len(p.sets) > 0:
		e.Reason += " (after --set " + strings.Join(p.sets, " --set ") + ")"
	}
	p.list = append(p.list, e)
}

// most is how many faults are told: who has more has made one mistake many times.
const most = 50

// err joins the faults, each once, sorted by line, and says how many there are beyond the first 50; nil if there is
// none.
func (p *faults) err() error {
	slices.SortStableFunc(p.list, func(a, b *Fault) int { return cmp.Compare(a.Line, b.Line) })
	seen := make(map[string]bool)
	var all []error
	for _, e := range p.list {
		if text := e.Error(); !seen[text] {
			seen[text] = true
			all = append(all, e)
		}
	}
	if len(all) > most {
		all = append(all[:most:most], fmt.Errorf("%s: %d more faults", p.file, len(all)-most))
	}
	return errors.Join(all...)
}
