// Package tree represents a spec as a tree of YAML nodes with their lines. It reads YAML strictly, finds and changes
// nodes, merges trees, expands grids, and collects faults with file, line and key. Of the language of experiments it
// uses only the key grid.
package tree

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Fault is one fault of a spec. An error of parsing joins several faults, sorted by line; errors.As finds the first.
type Fault struct {
	File   string
	Line   int    // line in the file; 0 if the fault has none
	Set    string // the --set item with the fault; Line is then 0. "" if the fault is in the file
	Key    string // dotted path, such as solvers.0.eta
	Reason string // what is wrong, then the accepted values or advice
	Meant  string // dotted path of the absent key that Key probably misspells; "" if unknown
}

// Error returns "file:line: key: reason".
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

// Faults collects the faults of one file.
type Faults struct {
	File string
	Sets []string // the --set items; nodes of item i have the line −(i+1)
	List []*Fault
}

// Add records a fault at a line. A negative line names a --set item.
func (p *Faults) Add(line int, key, format string, args ...any) {
	e := &Fault{File: p.File, Line: line, Key: key, Reason: fmt.Sprintf(format, args...)}
	switch {
	case line < 0:
		e.Line, e.Set = 0, p.Sets[-line-1]
	case len(p.Sets) > 0:
		e.Reason += " (after --set " + strings.Join(p.Sets, " --set ") + ")"
	}
	p.List = append(p.List, e)
}

// maxShown bounds the faults that an error lists: more of them usually have one cause.
const maxShown = 50

// Err joins the faults, sorted by line, without repetitions. It omits faults of keys that are absent because they are
// misspelt, since the fault of the misspelt key names their cause. The error lists the first 50 faults and counts the
// rest; it is nil if there are no faults.
func (p *Faults) Err() error {
	p.dropMisspelt()
	slices.SortStableFunc(p.List, func(a, b *Fault) int { return cmp.Compare(a.Line, b.Line) })
	seen := make(map[string]bool)
	var all []error
	for _, e := range p.List {
		if text := e.Error(); !seen[text] {
			seen[text] = true
			all = append(all, e)
		}
	}
	if len(all) > maxShown {
		all = append(all[:maxShown:maxShown], fmt.Errorf("%s: %d more faults", p.File, len(all)-maxShown))
	}
	return errors.Join(all...)
}

// dropMisspelt removes the faults of keys that are absent because they, or keys above them, are misspelt.
func (p *Faults) dropMisspelt() {
	meant := make(map[string]bool)
	for _, e := range p.List {
		meant[e.Meant] = e.Meant != ""
	}
	p.List = slices.DeleteFunc(p.List, func(e *Fault) bool {
		for key := e.Key; key != ""; key = key[:max(0, strings.LastIndexByte(key, '.'))] {
			if meant[key] {
				return true
			}
		}
		return false
	})
}

// Section returns the top-level key of a dotted path.
func Section(key string) string {
	head, _, _ := strings.Cut(key, ".")
	return head
}

// Sections returns the set of top-level keys (sections) that have faults or are absent because they are misspelt.
func (p *Faults) Sections() map[string]bool {
	bad := make(map[string]bool)
	for _, e := range p.List {
		bad[Section(e.Key)] = true
		if e.Meant != "" {
			bad[Section(e.Meant)] = true
		}
	}
	return bad
}
