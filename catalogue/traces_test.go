package catalogue

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/solvertest"
)

var update = flag.Bool("update", false, "add the traces of new solvers and revisions to testdata/traces.txt")

// TestTraces checks that no solver gives other bits at the same revision, on small problems. Results of one revision
// are reused as if they had been made today, so each change of the bits needs a new revision. A line of
// testdata/traces.txt has the name of a solver, its revision, the number of changes of all models (the sum of their
// revisions after the first), and a hash of the trace.
//
//	go test ./catalogue -run TestTraces -update # adds the lines of new solvers and revisions, but changes no line
func TestTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains with all solvers")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round differently")
	}
	const file = "testdata/traces.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
	changes := 0
	for _, e := range Models() {
		changes += e.Revision - 1
	}
	for _, e := range Solvers() {
		if e.Outside {
			continue
		}
		for name, s := range variants(e) {
			hash := solvertest.Trace(t, s)
			if hash == "" { // the changed setting needs another one
				continue
			}
			key := fmt.Sprintf("%s, revision %d, changes of models %d: ", name, e.Revision, changes)
			k := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, key) })
			switch {
			case k < 0 && *update:
				lines = append(lines, key+hash)
			case k < 0:
				t.Errorf("%s has no line that begins with %q: run `go test ./catalogue -run TestTraces -update`", file, key)
			case lines[k] != key+hash:
				t.Errorf("the trace of %s has the hash %s, want %q: a change of its bits needs a new revision", name, hash,
					lines[k])
			}
		}
	}
	if *update {
		slices.Sort(lines)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// variants returns a listed solver with the settings of the tests, and the same solver with one setting changed: to
// each other value that the setting lists, or from true to false or back. The names are such as "bcfw order=cyclic".
func variants(e solvers.Entry) map[string]solvers.Solver {
	base, ok := settings[e.Name]
	if !ok {
		base = e.New()
	}
	out := map[string]solvers.Solver{e.Name: base}
	value := reflect.ValueOf(base).Elem()
	for k := range value.NumField() {
		field := value.Type().Field(k)
		var others []any
		switch value.Field(k).Kind() {
		case reflect.Bool:
			others = append(others, !value.Field(k).Bool())
		case reflect.String:
			for rule := range strings.SplitSeq(field.Tag.Get("jsonschema"), ",") {
				if other, ok := strings.CutPrefix(rule, "enum="); ok && other != value.Field(k).String() {
					others = append(others, other)
				}
			}
		}
		for _, other := range others {
			s := reflect.New(value.Type())
			s.Elem().Set(value)
			s.Elem().Field(k).Set(reflect.ValueOf(other))
			out[fmt.Sprintf("%s %s=%v", e.Name, field.Tag.Get("yaml"), other)] = s.Interface().(solvers.Solver)
		}
	}
	return out
}
