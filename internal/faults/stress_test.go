//go:build linux

package faults

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
)

// extreme is a problem with extreme numbers or unusual data.
type extreme struct {
	name   string
	rows   string
	lambda float64
	refuse string // words of the message if gaplab must refuse the problem; "" if it must run
}

// scaled returns 40 rows of three classes that overlap, with features of the given size.
func scaled(size float64) string {
	rng := rand.New(rand.NewPCG(1, 7))
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "%d", i%3+1)
		for j := range 5 {
			x := rng.NormFloat64()
			if j == i%3 {
				x += 1.5
			}
			fmt.Fprintf(&b, " %d:%v", j+1, x*size)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func extremes() (list []extreme) {
	for _, lambda := range []float64{1e-12, 1e-6, 1, 1e6} {
		list = append(list, extreme{name: fmt.Sprintf("λ = %g", lambda), rows: scaled(1), lambda: lambda})
	}
	for _, size := range []float64{1e-300, 1e-8, 1e6, 1e12, 1e150} {
		list = append(list, extreme{name: fmt.Sprintf("features of %g", size), rows: scaled(size), lambda: 0.01})
	}
	few := strings.Join(strings.SplitAfter(scaled(1), "\n")[:10], "")
	alike := strings.ReplaceAll(strings.ReplaceAll("\n"+few, "\n2", "\n1"), "\n3", "\n1")
	return append(list,
		extreme{name: "features of 1e+300", rows: scaled(1e300), lambda: 0.01, refuse: "scale the features"},
		extreme{name: "one example", rows: "1 1:1 2:1\n", lambda: 0.01, refuse: "needs at least 2 classes"},
		extreme{name: "one example of each class", rows: "1 1:1\n2 2:1\n", lambda: 0.01},
		extreme{name: "one class", rows: alike, lambda: 0.01, refuse: "needs at least 2 classes"},
		extreme{name: "examples without features", rows: scaled(1) + "1\n2\n3\n1\n", lambda: 0.01},
		extreme{name: "only examples without features", rows: "1\n2\n1\n2\n", lambda: 0.01},
		extreme{name: "each example five times", rows: strings.Repeat(few, 5), lambda: 0.01},
		extreme{name: "equal examples with different labels", rows: strings.Repeat("1 1:1 2:1\n2 1:1 2:1\n", 10),
			lambda: 0.01})
}

// TestStress runs each solver on each extreme problem. It checks that no primal is below a dual and that no run panics.
func TestStress(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs all solvers on all extreme problems")
	}
	var b strings.Builder
	b.WriteString("| problem | runs | not at a gap of 1e-6 |\n| --- | ---: | --- |\n")
	for _, x := range extremes() {
		ends := map[string][]string{}
		runs := 0
		for _, loss := range []string{"log", "hinge"} {
			result, err := stressed(t, x, loss)
			if x.refuse != "" || err != nil {
				if err == nil || x.refuse == "" || !strings.Contains(err.Error(), x.refuse) {
					t.Errorf("%s, %s: error %v, want one that contains %q", x.name, loss, err, x.refuse)
				} else {
					message := err.Error()
					ends["refused: "+shortened(message[strings.Index(message, ": model ")+2:])] = nil
				}
				continue
			}
			for _, f := range result.Files {
				if f.Status() == trace.Unsupported {
					continue
				}
				runs++
				if end := endOf(t, x, f); end != "" {
					ends[end] = append(ends[end], fmt.Sprint(f.Manifest.Labels["as"]))
				}
			}
		}
		var cells []string
		for _, end := range sorted(ends) {
			slices.Sort(ends[end])
			cells = append(cells, strings.TrimSuffix(end+": "+strings.Join(slices.Compact(ends[end]), ", "), ": "))
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", x.name, runs, strings.Join(cells, "; "))
	}
	if *update {
		write(t, "stress", b.String())
	}
}

func sorted(m map[string][]string) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// stressed runs all solvers on a problem with a loss. A solver that does not support the loss must end with the status
// unsupported.
func stressed(t *testing.T, x extreme, loss string) (*harness.Result, error) {
	dir := t.TempDir()
	var solvers []string
	for _, one := range trainers() {
		solvers = append(solvers, "{"+one[0]+"}")
	}
	passes := 20
	if *full {
		passes = 400
	}
	spec := fmt.Sprintf(`apiVersion: gaplab/v1
id: my/stress
dataset: {format: libsvm, path: rows.txt}
model: {name: multiclass, loss: %s}
regularisation: {convention: lambda, lambda: %g}
solvers: [%s]
record: {every: {epochs: 1, growth: 1.2}}
stop: {gap: 1.0e-6}
budget: {passes: %d}
`, loss, x.lambda, strings.Join(solvers, ", "), passes)
	for name, text := range map[string]string{"rows.txt": x.rows, "stress.yaml": spec} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e, err := harness.Find(filepath.Join(dir, "stress.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At("", nil)
	if err != nil {
		t.Fatal(err)
	}
	return harness.Run(context.Background(), s, harness.Options{Out: dir, Workers: 2})
}

// endOf describes how a run ended; "" if it reached the gap of its stop rule. Warnings and panics of the run fail the
// test.
func endOf(t *testing.T, x extreme, f *trace.File) string {
	for _, r := range f.Rows {
		if len(r.Warnings) > 0 {
			t.Errorf("%s, %s: %s", x.name, f.Describe(), r.Warnings[0])
		}
	}
	switch {
	case strings.Contains(f.End.Why, "panic"), f.Status() == trace.Failed && f.End.Why == "":
		t.Errorf("%s, %s: %s: %s", x.name, f.Describe(), f.Status(), f.End.Why)
	case f.Status() == trace.Budget:
		return "not ended after 400 passes"
	case f.Status() == trace.Stalled,
		f.Status() == trace.Done && f.End.Rule == "converged" && strings.Contains(f.End.Why, " at gap "):
		return "no further progress, at rounding"
	case f.Status() != trace.Done:
		return fmt.Sprintf("%s, %s", f.Status(), shortened(f.End.Why))
	}
	return ""
}
