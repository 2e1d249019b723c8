package choice

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestEdgeByDefinition compares the edge of random comparisons with its definition: the best value is the smallest or
// the largest of at least three numbers, and no other has its mean.
func TestEdgeByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 12))
	count := map[string]int{}
	for range 2000 {
		values := []float64{-2, 0.5, 3, 9, 10, 200}
		rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		values = values[:1+rng.IntN(5)]
		rule := lang.Choose{Over: lang.Strings{"eta"}, By: "score", Best: []string{"min", "max"}[rng.IntN(2)]}
		var group []Entrant
		best, at, ties := math.Inf(1), 0.0, 0
		for _, v := range values {
			row, score := trace.Row{Values: map[string]float64{}}, float64(rng.IntN(6))
			if rng.IntN(8) > 0 {
				row.Values["score"] = score
				if rule.Best == "max" {
					score = -score
				}
				switch {
				case score < best:
					best, at, ties = score, v, 1
				case score == best:
					ties++
				}
			}
			group = append(group, Entrant{File: file(trace.Done, row),
				Run: lang.Run{Labels: map[string]any{"eta": v}, Choose: &lang.Candidate{Rule: rule}}})
		}
		want := ""
		if ties == 1 && len(values) > 2 {
			switch at {
			case slices.Min(values):
				want = "smallest"
			case slices.Max(values):
				want = "largest"
			}
		}
		count[want]++
		if got := Decide(group).Edge; got != want {
			t.Errorf("values %v, best %s %v at %v (%d times): edge %q, want %q", values, rule.Best, best, at, ties, got, want)
		}
	}
	if len(count) != 3 {
		t.Errorf("edges %v, want all three", count)
	}
}

// TestTiesOfStages checks that of stages with equal means, the one with the strongest regularisation wins or, with a
// column for ties, the one with its smallest value.
func TestTiesOfStages(t *testing.T) {
	for convention, want := range map[lang.Convention]string{lang.ConventionLambda: "8", lang.ConventionEG: "8",
		lang.ConventionSVMStruct: "2"} {
		key := "C"
		if convention == lang.ConventionLambda {
			key = "lambda"
		}
		for _, ties := range []string{"", "second"} {
			if ties != "" {
				want = "4"
			}
			var rows []trace.Row
			for stage, second := range []float64{7, 3, 5} {
				rows = append(rows, trace.Row{Values: map[string]float64{trace.Stage: float64(stage), "score": 6,
					"second": second}})
			}
			e := Entrant{File: file(trace.Done, rows...), Run: lang.Run{Convention: convention, C: 8,
				Labels: map[string]any{key: 8.0},
				Solver: lang.Solver{Path: &lang.Path{C: &lang.Geometric{From: 8, Factor: 0.5, Steps: 3}}},
				Choose: &lang.Candidate{Rule: lang.Choose{Over: lang.Strings{key}, By: "score", Best: "min", Ties: ties}}}}
			if got := Decide([]Entrant{e}); got.Value != want {
				t.Errorf("convention %s, ties %q: chose %s, want %s", convention, ties, got.Value, want)
			}
			e.Choose.Rule.Over = lang.Strings{"order"} // whole runs are compared, by their last rows
			e.Labels["order"] = "cyclic"
			if got := Decide([]Entrant{e}); got.Value != "cyclic" || got.Mean != 6 {
				t.Errorf("convention %s, a comparison of whole runs: %+v", convention, got)
			}
		}
	}
}

// TestGroupsOfAPlan checks that groups, and the runs in each, have the order of the plan, and that runs without a rule
// are in none.
func TestGroupsOfAPlan(t *testing.T) {
	var list []Entrant
	for i, name := range []string{"b", "", "a", "b", "c", "a", "", "b"} {
		e := Entrant{Run: lang.Run{Seed: uint64(i)}}
		if name != "" {
			e.Choose = &lang.Candidate{Group: name}
		}
		list = append(list, e)
	}
	got := ""
	for _, group := range Groups(list) {
		got += group[0].Choose.Group + ":"
		for _, e := range group {
			got += fmt.Sprint(" ", e.Seed)
		}
		got += "; "
	}
	if want := "b: 0 3 7; a: 2 5; c: 4; "; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
	if groups := Groups(nil); len(groups) != 0 {
		t.Errorf("groups of nothing: %v", groups)
	}
}
