package lang

import (
	"fmt"
	"slices"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// Catalogue lists the data sets, models and solvers that a spec may name. The caller makes it from the project's lists
// and the user's own solvers.
type Catalogue struct {
	Datasets, Models, Solvers []Entry

	// CheckExpr, if not nil, checks each expression of a spec, so that the errors in expressions have line numbers too.
	// kind is the key of the spec whose value is the expression: where, assert, measure or bound. A bound may also be the
	// name of a theorem's bound.
	CheckExpr func(kind, expr string) error

	// Describe, if not nil, returns the description of a setting, or of a key of the language.
	Describe schema.Describe

	// Rows is the component for the code that records rows, on which every run depends; see Components. If Rows is the
	// zero value, this code is unknown.
	Rows Component

	// Sources, if not nil, returns a hash of the sources of a package and of all packages of the program that it imports.
	Sources func(pkg string) string
	// Program, if not nil, returns a hash of all sources of the program, without tests.
	Program func() string
}

// Dataset returns the entry that d names.
func (c Catalogue) Dataset(d Dataset) (Entry, bool) {
	return find(c.Datasets, d.Label(), d.Name == "")
}

// Model returns the entry that m names.
func (c Catalogue) Model(m Model) (Entry, bool) { return find(c.Models, m.Name, false) }

// Solver returns the entry that s names.
func (c Catalogue) Solver(s Solver) (Entry, bool) { return find(c.Solvers, s.Name, false) }

// find returns the entry with a name. If format is true, it considers only readers of the user's own files (entries
// with Format true), otherwise only the other entries.
func find(list []Entry, name string, format bool) (Entry, bool) {
	i := slices.IndexFunc(list, func(e Entry) bool { return e.Name == name && e.Format == format })
	if i < 0 {
		return Entry{}, false
	}
	return list[i], true
}

// names lists the names of the readers of the user's own files (entries with Format true) if format is true, otherwise
// the names of all other entries.
func names(list []Entry, format bool) []string {
	var out []string
	for _, e := range list {
		if e.Format == format {
			out = append(out, e.Name)
		}
	}
	return out
}

// solverKeys lists the language's own keys of a solver.
func solverKeys() []string {
	return []string{"as", "name", "C", "lambda", "path", "anneal", "stop", "budget", "workers", "seeds"}
}

// check returns an error for an entry that no spec could use. Such an error is a fault of the program, not of a spec.
func (c Catalogue) check() error {
	for _, l := range []struct {
		kind     string
		list     []Entry
		reserved []string
	}{
		{"data set", c.Datasets, []string{"name", "format", "grid"}},
		{"model", c.Models, []string{"name", "loss", "grid"}},
		{"solver", c.Solvers, append(solverKeys(), "grid")},
	} {
		seen := make(map[string]bool)
		for _, e := range l.list {
			if id := fmt.Sprint(e.Name, e.Format); e.Name == "" || seen[id] {
				return fmt.Errorf("lang: catalogue: %s %q: empty or repeated name", l.kind, e.Name)
			} else {
				seen[id] = true
			}
			if err := e.check(l.reserved); err != nil {
				return fmt.Errorf("lang: catalogue: %s %s: %w", l.kind, e.Name, err)
			}
		}
	}
	return nil
}
