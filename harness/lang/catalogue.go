package lang

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Catalogue is what a spec may name. The caller makes it from the project's lists and the user's own solvers.
type Catalogue struct {
	Datasets, Models, Solvers []Noun

	// CheckExpr, if not nil, is called with every expression of a spec, so that its faults are reported with their lines.
	// Kind is the expression's key: where (over labels), assert, measure, or bound (a theorem's name is no fault).
	CheckExpr func(kind, expr string) error

	// Comment says what a field of settings, or of the language, means: see Comments. nil: nothing is known.
	Comment func(t reflect.Type, field string) string

	// Rows is the part that evaluates iterates and records them: see Parts. The zero value: not known.
	Rows Part

	// Sources, unless nil, hashes the sources of a package and of all packages of the program that it imports.
	Sources func(pkg string) string
	// Program, unless nil, is a hash of all sources of the program.
	Program func() string
}

// Noun is one data set, model or solver.
//
// New returns a pointer to a struct of settings with the defaults filled in. Its exported fields are the keys that a
// spec accepts besides the language's own, so each has a yaml tag; yaml:"-" hides a field. These tags say what values
// are accepted, to editors and to Parse (see github.com/invopop/jsonschema):
//
//	jsonschema:"required"                      the key must be given
//	jsonschema:"minimum=0,maximum=1"           numbers; exclusiveMinimum and exclusiveMaximum likewise
//	jsonschema:"enum=random,enum=cyclic"       the accepted values
//	jsonschema:"minLength=1,pattern=^[a-z]+$"  text
//	jsonschema:"minItems=1,uniqueItems=true"   lists; limits of numbers and text are then those of the items
//
// The first paragraph of the comment above a field says what the setting is, with its units; editors show it.
//
// Fields are booleans, numbers, strings, and lists, structs and pointers of these. If the struct has a method
// Validate() error, it checks what concerns several keys.
type Noun struct {
	Name, About string
	New         func() any
	Keyed       func() any // the settings that keys of results leave out; nil: those of New
	Revision    int        // raised with each change of any bit of its results under any settings
	Free        bool       // models: nothing is regularised, the weights have an objective of their own
	Losses      []string   // models: accepted values of loss; none: the model takes no loss and no regularisation
	Metrics     []string   // models: columns that it reports besides primal, dual and gap; nil: not known, not checked
	Columns     []string   // of its rows beside Metrics and those of all runs; nil: not known, not checked
	Outside     bool       // solvers: another program does the work, whose rows the gate does not guard
	Format      bool       // data sets: a reader of the user's own files, named by format instead of name

	// Rule is nil, or for a solver what it stands for: another one, by the name of the model and of its loss. What runs is
	// the other one, with the same key and name as if the spec had named it. New returns no settings then.
	Rule func(model, loss string) (Choice, error)
}

// Choice is a solver that another name stands for.
type Choice struct {
	Solver   string
	Settings map[string]any // that differ from its defaults
	Why      string         // a clause, such as "the hinge on classes"
}

// Decode returns fresh settings of the noun, filled from the parameters of a Dataset, Model or Solver.
func (n Noun) Decode(params yaml.Node) (any, error) {
	settings := n.New()
	if params.Kind != 0 {
		if err := params.Decode(settings); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
	}
	if v, ok := settings.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", n.Name, err)
		}
	}
	return settings, nil
}

// Keys lists the keys of the noun's settings.
func (n Noun) Keys() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(n.New()).Elem()) {
		if key, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); f.IsExported() && key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// Dataset returns the entry that d names.
func (c Catalogue) Dataset(d Dataset) (Noun, bool) {
	return find(c.Datasets, d.Label(), d.Name == "")
}

// Model returns the entry that m names.
func (c Catalogue) Model(m Model) (Noun, bool) { return find(c.Models, m.Name, false) }

// Solver returns the entry that s names.
func (c Catalogue) Solver(s Solver) (Noun, bool) { return find(c.Solvers, s.Name, false) }

func find(list []Noun, name string, format bool) (Noun, bool) {
	i := slices.IndexFunc(list, func(n Noun) bool { return n.Name == name && n.Format == format })
	if i < 0 {
		return Noun{}, false
	}
	return list[i], true
}

// names lists the names of the formats in a list, or of all others.
func names(list []Noun, format bool) []string {
	var out []string
	for _, n := range list {
		if n.Format == format {
			out = append(out, n.Name)
		}
	}
	return out
}

// check refuses entries that no spec could use. Its errors are faults of the program, not of a spec.
func (c Catalogue) check() error {
	for _, l := range []struct {
		kind     string
		list     []Noun
		reserved []string
	}{
		{"data set", c.Datasets, []string{"name", "format", "grid"}},
		{"model", c.Models, []string{"name", "loss", "grid"}},
		{"solver", c.Solvers, []string{"as", "name", "C", "lambda", "path", "anneal", "stop", "budget", "workers",
			"seeds", "grid"}},
	} {
		seen := make(map[string]bool)
		for _, n := range l.list {
			if id := fmt.Sprint(n.Name, n.Format); n.Name == "" || seen[id] {
				return fmt.Errorf("lang: catalogue: %s %q: empty or repeated name", l.kind, n.Name)
			} else {
				seen[id] = true
			}
			if err := n.check(l.reserved); err != nil {
				return fmt.Errorf("lang: catalogue: %s %s: %w", l.kind, n.Name, err)
			}
		}
	}
	return nil
}

func (n Noun) check(reserved []string) error {
	if n.New == nil {
		return fmt.Errorf("its function New is nil")
	}
	t := reflect.TypeOf(n.New())
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("its function New returns %v; want a pointer to a struct of settings", t)
	}
	for _, f := range reflect.VisibleFields(t.Elem()) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if key == "" {
			return fmt.Errorf("field %s has no yaml tag; give it a key, or \"-\" to hide it", f.Name)
		}
		if options != "" {
			return fmt.Errorf("field %s: yaml option %q would lose a value on the way to the manifest; accepted: the key alone",
				f.Name, options)
		}
		if slices.Contains(reserved, key) {
			return fmt.Errorf("field %s: %q is a key of the language; accepted: any but %s", f.Name, key,
				strings.Join(reserved, ", "))
		}
	}
	return nil
}
