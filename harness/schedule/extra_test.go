package schedule

import (
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
)

// TestStopOfACallersSolver checks that a caller's solver stops by the rule of its problem or, if the problem has none,
// by the rule of the run whose problem it solves. It must have neither the name of that run nor its rule choose.
func TestStopOfACallersSolver(t *testing.T) {
	s := &lang.Spec{Problems: []lang.Problem{{Name: "first", Stop: lang.Stop{Passes: 1}}, {Name: "bare"},
		{Name: "last", Stop: lang.Stop{Epochs: 3}}}}
	for problem, want := range map[string]lang.Stop{"first": {Passes: 1}, "last": {Epochs: 3}, "bare": {Gap: 9}} {
		r := lang.Run{Stop: lang.Stop{Gap: 9}, Choose: &lang.Candidate{}, Solver: lang.Solver{As: "eg", Name: "eg"},
			Labels: map[string]any{"problem": problem, "as": "eg", "solver": "eg", "C": 2.0, "eta": 0.5}}
		own := extraRun(s, r, Named{Name: "mine"})
		if own.Stop != want {
			t.Errorf("problem %s: stop %+v, want %+v", problem, own.Stop, want)
		}
		_, eta := own.Labels["eta"]
		if own.Choose != nil || own.Solver.As != "mine" || own.Labels["as"] != "mine" || own.Labels["solver"] != "mine" ||
			own.Labels["C"] != 2.0 || own.Labels["problem"] != problem || eta {
			t.Errorf("problem %s: run %+v, want the labels of the problem and the name mine", problem, own)
		}
	}
}
