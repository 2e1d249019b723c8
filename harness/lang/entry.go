package lang

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
)

// Entry is one data set, model or solver of the catalogue.
//
// New returns a pointer to a struct of settings with the defaults filled in. The exported fields are the keys that a
// spec accepts in addition to the keys of the language. So each field has a yaml tag; yaml:"-" hides a field. Further
// tags restrict the values, for editors and for Parse (see github.com/invopop/jsonschema):
//
//	jsonschema:"required"                      the key must be given
//	jsonschema:"minimum=0,maximum=1"           numbers; also exclusiveMinimum and exclusiveMaximum
//	jsonschema:"enum=random,enum=cyclic"       the accepted values
//	jsonschema:"minLength=1,pattern=^[a-z]+$"  text
//	jsonschema:"minItems=1,uniqueItems=true"   lists; limits of numbers and text then apply to the items
//
// The first paragraph of the comment above a field is the description of the setting, with its units; editors show it.
//
// Fields are booleans, numbers, strings, and lists, structs and pointers of these. If the struct has a method
// Validate() error, it checks rules between several keys.
type Entry struct {
	Name, About string
	New         func() any
	Keyed       func() any // returns the settings that a run's key omits if the run has the same values; nil: New
	Revision    int        // version number, raised by each change of the code that changes any bit of any result
	Free        bool       // models: the objective has no regularisation, although the model has a loss
	Losses      []string   // models: accepted values of loss; none: the model has no loss and no regularisation
	Metrics     []string   // models: columns besides primal, dual and gap; nil: unknown, so not checked
	Larger      []string   // models: the columns in Metrics whose larger values are better
	Columns     []string   // columns of the rows, besides Metrics and the columns of all runs; nil: unknown, not checked
	Outside     bool       // solvers: another program does the work; the gate does not compare its rows
	Format      bool       // data sets: a reader of the user's files; specs name it by the key "format"

	// Select, if not nil, makes this entry an alias: Select chooses another solver by the names of the model and the loss.
	// The run has the name and the key of the chosen solver. New then returns a struct without settings.
	Select func(model, loss string) (Selection, error)
}

// Selection is the solver that Entry.Select chooses.
type Selection struct {
	Solver   string
	Settings map[string]any // settings that differ from the solver's defaults
	Why      string         // the reason for the choice, as a clause such as "the hinge on classes"
}

// Component is one of the pieces of code that determine the rows of a run: the data set, the model, the solver, or the
// code that records rows.
type Component struct {
	Name     string // kind and name, such as "solver eg"
	Revision int    // version number, at least 1
	Package  string // import path of the component's code
}

// component returns the entry as a component of a run.
func (e Entry) component(kind string) Component {
	return Component{Name: kind + e.Name, Revision: e.Revision, Package: reflect.TypeOf(e.New()).Elem().PkgPath()}
}

// Decode returns new settings of the entry, filled from the Params of a Dataset, Model or Solver.
func (e Entry) Decode(params yaml.Node) (any, error) {
	settings := e.New()
	if params.Kind != 0 {
		if err := params.Decode(settings); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	if v, ok := settings.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	return settings, nil
}

// differing returns the settings that differ from the defaults, as plain JSON values. The defaults are the settings
// that Keyed returns, or New if Keyed is nil. Maps of settings are compared key by key. So the keys of old results stay
// the same when a setting is added whose default has the old behaviour. They also stay the same when a default changes,
// as long as Keyed returns the old default.
func (e Entry) differing(params yaml.Node) (map[string]any, error) {
	settings, err := e.Decode(params)
	if err != nil {
		return nil, err
	}
	own, _ := tree.Plain(settings).(map[string]any)
	keyed := e.Keyed
	if keyed == nil {
		keyed = e.New
	}
	defaults, _ := tree.Plain(keyed()).(map[string]any)
	return difference(own, defaults), nil
}

// difference compares two maps of settings. It returns the keys of own, with their values, that base lacks or that have
// another value in base. A key that only base has is null in the result.
func difference(own, base map[string]any) map[string]any {
	out := map[string]any{}
	for key, v := range own {
		other, known := base[key]
		below, isMap := v.(map[string]any)
		otherBelow, otherIsMap := other.(map[string]any)
		switch {
		case known && reflect.DeepEqual(v, other):
		case isMap && otherIsMap:
			out[key] = difference(below, otherBelow)
		default:
			out[key] = v
		}
	}
	for key := range base {
		if _, ok := own[key]; !ok {
			out[key] = nil
		}
	}
	return out
}

// Keys lists the keys of the entry's settings.
func (e Entry) Keys() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeOf(e.New()).Elem()) {
		if key, _, _ := strings.Cut(f.Tag.Get("yaml"), ","); f.IsExported() && key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}

// check returns an error if no spec could use the entry. reserved lists the language's own keys, which no setting may
// have.
func (e Entry) check(reserved []string) error {
	if e.New == nil {
		return errors.New("its function New is nil; accepted: a function that returns the default settings")
	}
	t := reflect.TypeOf(e.New())
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return fmt.Errorf("its function New returns %v; accepted: a pointer to a struct of settings", t)
	}
	for _, f := range reflect.VisibleFields(t.Elem()) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		key, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if key == "" {
			return fmt.Errorf("field %s has no yaml tag; accepted: a key, or \"-\" to hide the field", f.Name)
		}
		if options != "" {
			return fmt.Errorf("field %s: the yaml option %q could drop a value from the manifest; accepted: the key alone",
				f.Name, options)
		}
		if slices.Contains(reserved, key) {
			return fmt.Errorf("field %s: %q is a key of the language; accepted: any key but %s", f.Name, key,
				strings.Join(reserved, ", "))
		}
	}
	return nil
}
