package expr_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestAbsentNames misspells, one at a time, each text in quotes in the example of each function of expressions. If the
// text is the name of a column or a label, Check must find the misspelt name before the runs; the example itself and
// texts that are no names must pass.
func TestAbsentNames(t *testing.T) {
	columns, labels := map[string][]float64{}, map[string]any{}
	for _, name := range trace.Always() {
		columns[name] = nil
	}
	for _, name := range []string{"validation_error", "eta_mean", "qp_seconds", "working_set", trace.Dual, trace.Gap,
		trace.GapPercent} {
		columns[name] = nil
	}
	for _, name := range []string{"as", "C", "lambda", "seed", "n", "order", "dataset", "loss", "solver"} {
		labels[name] = nil
	}
	expected := expr.Of([]*trace.Curve{{Columns: columns, Labels: labels}})
	names, last := 0, 0
	for _, doc := range expr.Reference() {
		if strings.Contains(doc.Example, "other(") || expected.Check("assert", doc.Example) != nil {
			continue // it reads another experiment, or columns of its own
		}
		parts := strings.Split(doc.Example, `"`)
		for k := 1; k < len(parts); k += 2 {
			if _, ok := columns[parts[k]]; !ok {
				continue
			}
			changed := slices.Clone(parts)
			changed[k] += "x"
			var absent *expr.Absent
			if err := expected.Check("assert", strings.Join(changed, `"`)); !errors.As(err, &absent) ||
				absent.Name != changed[k] {
				t.Errorf("%s: %v, want an error about the column %s", strings.Join(changed, `"`), err, changed[k])
			}
			if names++; strings.HasPrefix(parts[k+1], ")") {
				last++
			}
		}
	}
	if names < 8 || last < 2 {
		t.Errorf("%d names of columns in the examples, %d as the last argument; want at least 8 and 2", names, last)
	}
	for source, want := range map[string]string{
		`final(curve({ass: "eg"}), "gap") < 1`:       "ass",
		`final(curve({as: "eg", CC: 1}), "gap") < 1`: "CC",
		`final(curve({as: "eg", C: 1}), "gap") < 1`:  "",
	} {
		var absent *expr.Absent
		if err := expected.Check("assert", source); (err != nil) != (want != "") ||
			want != "" && (!errors.As(err, &absent) || absent.Name != want) {
			t.Errorf("%s: %v, want an error about %q", source, err, want)
		}
	}
}

// TestStandIns checks that an evaluation names the curves whose values it read and whose data are generated, and no
// others.
func TestStandIns(t *testing.T) {
	var files []*trace.File
	for k, name := range []string{"a", "b", "c", "d"} {
		f := decay(name, 1, 0.4, 0.1, 5, converged())
		f.Manifest.Labels = map[string]any{"as": name}
		f.Manifest.Data.Synthetic = k%2 == 0
		files = append(files, f)
	}
	on := expr.Evidence{Set: trace.NewSet(files)}
	for _, read := range []string{"", "a", "b", "ab", "abcd", "bd", "ca"} {
		e, want := expr.NewEvaluation(on), []string{}
		assertion := "1 == 1"
		for _, name := range strings.Split(read, "") {
			assertion += ` and final("` + name + `", "passes") >= 0`
			if name == "a" || name == "c" {
				want = append(want, name)
			}
		}
		if holds, err := e.Assert(assertion); !holds || err != nil {
			t.Fatalf("%s: %v, %v, want an assertion that holds", assertion, holds, err)
		}
		got := e.StandIns()
		if len(got) != len(want) {
			t.Errorf("read %q: stand-ins %q, want the curves %q", read, got, want)
			continue
		}
		for k, name := range got {
			if !strings.Contains(name, want[k]) {
				t.Errorf("read %q: stand-ins %q, want the curves %q", read, got, want)
			}
		}
	}
}
