package lang

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConventions checks that equal problems have the same λ in all conventions.
func TestConventions(t *testing.T) {
	const n = 50
	// C in eg and C in svm-struct give the same problem if the product of both is n.
	eg, svm, lambda := ConventionEG.Lambda(10, n), ConventionSVMStruct.Lambda(n/10, n), ConventionLambda.Lambda(0.2, n)
	if eg != 0.2 || svm != 0.2 || lambda != 0.2 {
		t.Errorf("λ = %g (eg), %g (svm-struct), %g (lambda); want 0.2", eg, svm, lambda)
	}
}

// TestPath checks the plan and the stages of a solver with a path.
func TestPath(t *testing.T) {
	s, runs := planned(t, "path.yaml", "paper")
	if s.Kind != "table" {
		t.Errorf("kind %q, want table", s.Kind)
	}
	var got []string
	for _, r := range runs {
		got = append(got, show(r, "as", "dataset", "loss", "model", "seed", "solver"))
	}
	want := []string{
		"C=1000 from=1000 order=random", "C=500 from=500 order=random",
		"C=1000 from=1000 order=cyclic", "C=500 from=500 order=cyclic",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]float64{500, 250, 125}, runs[1].Solver.Path.Values()); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
}

// TestAnneal checks a schedule that a paper uses: C_t = 10 for t ≤ 5, then 1 + 9·0.7^(t−5).
func TestAnneal(t *testing.T) {
	a := Anneal{From: 10, Hold: 5, Factor: 0.7}
	for _, tt := range []struct{ t, want float64 }{{0, 10}, {5, 10}, {6, 7.3}, {7, 5.41}, {1e4, 1}} {
		if got := a.At(tt.t, 1); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("C at epoch %g is %g, want %g", tt.t, got, tt.want)
		}
	}
}
