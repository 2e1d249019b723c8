package harness

import (
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// TestAdvice checks that, for a run far from its optimum, a warning proposes the solver that auto selects, unless that
// solver has run already.
func TestAdvice(t *testing.T) {
	for solver, want := range map[string]bool{"eg, start: 0.001, eta: 1e-6": true, "svm": false} {
		r := runIn(t, t.TempDir(), readSpec(t, specOn("name: digits, train: 60, validation: 0",
			"multiclass, loss: hinge", `regularisation: {convention: lambda, lambda: 1e-3}
solvers: [{name: `+solver+`}]
stop: {passes: 2}
`)))
		text := strings.Join(r.Set.Warnings, "\n")
		if got := strings.Contains(text, "try {name: auto}, which selects svm here: the hinge on classes"); got != want {
			t.Errorf("%s: advice given = %v, want %v; warnings: %s", solver, got, want, text)
		}
	}
}

// TestResumedRunsAreNoted checks that a warning names each resumed run and how often it was resumed.
func TestResumedRunsAreNoted(t *testing.T) {
	files := []*trace.File{{}, {End: &trace.End{}}, {End: &trace.End{Resumed: 2}}}
	if got := resumed(files); len(got) != 1 || !strings.Contains(got[0], "resumed 2 times") {
		t.Errorf("warnings = %q, want one about a run that was resumed 2 times", got)
	}
}

// TestAdviceOnRows checks that a warning names the runs whose rows took much longer than the solver, and no others.
func TestAdviceOnRows(t *testing.T) {
	for _, tt := range []struct {
		recording, seconds float64
		said               bool
	}{{60, 1, true}, {60, 50, false}, {5, 0.1, false}} {
		f := &trace.File{End: &trace.End{RecordSeconds: tt.recording, Seconds: tt.seconds, Rows: 80_000}}
		if got := adviceOnRows([]*trace.File{f, {}}); (len(got) == 1) != tt.said {
			t.Errorf("%v s for rows and %v s for the solver: warnings %q; want one: %v", tt.recording, tt.seconds, got, tt.said)
		}
	}
}

// TestAdviceForEachProblem checks which curves lead to advice: those that end at least a tenth away from an optimum
// that is uncertain, of a model for which auto selects a solver, unless this solver has run on any curve. A problem
// gets advice once, and each further problem gets its own.
func TestAdviceForEachProblem(t *testing.T) {
	curve := func(model, loss, solver string, low float64, doubt string) *trace.Curve {
		return &trace.Curve{Labels: map[string]any{"model": model, "loss": loss, "solver": solver}, Doubt: doubt,
			Columns: map[string][]float64{trace.Passes: {0, 1}, trace.Opt: {99, 10}, trace.OptLow: {99, low}}}
	}
	far, other := curve("multiclass", "hinge", "dcd", 9, "why"), curve("chain", "log", "eg", 5, "why")
	const svm, sdca = "model multiclass, try {name: auto}, which selects svm here: the hinge on classes",
		"model chain, try {name: auto}, which selects sdca here: the log loss"
	for _, c := range []struct {
		about  string
		curves []*trace.Curve
		want   []string
	}{
		{"nothing", nil, nil},
		{"a tenth", []*trace.Curve{far}, []string{svm}},
		{"less than a tenth", []*trace.Curve{curve("multiclass", "hinge", "dcd", 9.1, "why")}, nil},
		{"a certain optimum", []*trace.Curve{curve("multiclass", "hinge", "dcd", 1, "")}, nil},
		{"near, then far", []*trace.Curve{curve("chain", "log", "eg", 9.9, "why"), far}, []string{svm}},
		{"a model without a rule, then far", []*trace.Curve{curve("mine", "log", "eg", 1, "why"), far}, []string{svm}},
		{"twice the same problem", []*trace.Curve{far, far}, []string{svm}},
		{"two problems", []*trace.Curve{far, other, far}, []string{svm, sdca}},
		{"the solver ran elsewhere", []*trace.Curve{far, other, curve("multiclass", "hinge", "svm", 10, "")}, []string{sdca}},
	} {
		got := advice(&trace.Set{Curves: c.curves})
		same := len(got) == len(c.want)
		for i := range min(len(got), len(c.want)) {
			same = same && strings.Contains(got[i], c.want[i])
		}
		if !same {
			t.Errorf("%s: advice %q, want %q", c.about, got, c.want)
		}
	}
}

// TestAdviceOnRowsNamesNumbers checks the numbers in the warning about a run whose rows took long.
func TestAdviceOnRowsNamesNumbers(t *testing.T) {
	f := &trace.File{End: &trace.End{RecordSeconds: 75, Seconds: 2.5, Rows: 800}}
	got := adviceOnRows([]*trace.File{f})
	if len(got) != 1 || !strings.Contains(got[0], "recording 800 rows took 75 s, but the solver only 2.5 s") {
		t.Errorf("warnings %q, want one about 800 rows, 75 s and 2.5 s", got)
	}
}
