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
