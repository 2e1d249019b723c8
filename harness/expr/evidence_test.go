package expr_test

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// decay returns a run whose primal and dual approach 1 exponentially with the given rate, and whose validation error
// approaches errorRate. It has one row per pass.
func decay(as string, c, rate, errorRate float64, passes int, end trace.End) *trace.File {
	f := &trace.File{End: &end}
	f.Manifest = trace.Manifest{
		Format: trace.Format, Experiment: "eg/test", Scale: "quick", Size: trace.Size{N: 100},
		Labels: map[string]any{"as": as, "C": c, "lambda": c / 100, "seed": 1.0},
	}
	for t := range passes + 1 {
		x := float64(t)
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{
			"passes": x, "primal": 1 + math.Exp(-rate*x), "dual": 1 - math.Exp(-rate*x),
			"validation_error": errorRate + 0.5*math.Exp(-rate*x),
		}})
	}
	return f
}

func converged() trace.End { return trace.End{Status: trace.Done, Rule: "gap", Why: "gap 1e-6"} }

// evidence returns seven runs: three of eg, two of sgd that were compared by choose (one won, one lost), one that its
// budget stopped, and one that failed. It also has a table of printed numbers.
func evidence() expr.Evidence {
	out := trace.End{Status: trace.Done, Rule: "passes", Why: "30 passes"}
	loser := decay("sgd", 10, 0.05, 0.3, 1, out)
	loser.End.Labels = map[string]any{"chosen": false}
	winner := decay("sgd", 10, 0.1, 0.1, 30, out)
	winner.End.Labels = map[string]any{"chosen": true}
	winner.Manifest.Labels["eta0"], loser.Manifest.Labels["eta0"] = 0.01, 0.1
	for _, f := range []*trace.File{winner, loser} { // SGD has no dual
		for _, r := range f.Rows {
			delete(r.Values, "dual")
		}
	}
	failed := decay("lbfgs", 10, 0.2, 0.1, 0, trace.End{Status: trace.Failed, Why: "line search"})
	failed.Rows = nil
	return expr.Evidence{
		Set: trace.NewSet([]*trace.File{
			decay("eg", 1000, 1.6, 0.10, 40, converged()),
			decay("eg", 100, 0.8, 0.08, 40, converged()),
			decay("eg", 10, 0.4, 0.07, 60, converged()),
			winner, loser,
			decay("slow", 10, 0.01, 0.1, 20, trace.End{Status: trace.Budget, Why: "60 s"}),
			failed,
		}),
		Printed: func(name string) ([]byte, error) {
			if name != "tab.csv" {
				return nil, fmt.Errorf("no file %s", name)
			}
			return []byte("C,error\n1000,0.1\n100,0.09\n"), nil
		},
	}
}

// The outcomes of an assertion. An assertion is undecided if results are missing or if the expression is wrong.
const (
	holds     = "holds"
	fails     = "fails"
	undecided = "undecided"
)

// judged is the outcome of an assertion.
type judged struct {
	outcome, says string // says reports the compared values or why the assertion is undecided
	warnings      []string
}

// judge evaluates an assertion.
func judge(on expr.Evidence, assert string) judged {
	e := expr.NewEvaluation(on)
	ok, err := e.Assert(assert)
	switch {
	case expr.Lacks(err):
		return judged{undecided, err.Error(), e.Warnings()}
	case err != nil:
		return judged{undecided, "wrong: " + err.Error(), e.Warnings()}
	case ok:
		return judged{holds, e.Measured(), e.Warnings()}
	}
	return judged{fails, e.Measured(), e.Warnings()}
}
