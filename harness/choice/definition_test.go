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

// TestDecideByDefinition compares Decide on random comparisons with a second implementation. It sorts the values by the
// definition of the rule: by the mean, then by the column for ties or by the strength of the regularisation, then by
// the order of the spec. Means and scores are small whole numbers, so that there are many ties.
func TestDecideByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 1))
	for trial := range 2000 {
		rule := lang.Choose{Over: lang.Strings{"lambda"}, By: "score", Best: []string{"min", "max"}[rng.IntN(2)]}
		if rng.IntN(2) == 0 {
			rule.Ties = "second"
		}
		rule.OneSE = rng.IntN(3) == 0
		folds, seeds := []int{0, 2, 3}[rng.IntN(3)], 1+rng.IntN(2)
		convention := []lang.Convention{lang.ConventionLambda, lang.ConventionSVMStruct}[rng.IntN(2)]
		lambdas := []float64{1, 2, 4, 8, 16}[:1+rng.IntN(5)]
		rng.Shuffle(len(lambdas), func(i, j int) { lambdas[i], lambdas[j] = lambdas[j], lambdas[i] })
		var group []Entrant
		scores, ties := map[float64][][]float64{}, map[float64][]float64{}
		for _, x := range lambdas {
			scores[x] = make([][]float64, max(1, folds))
			for fold := range max(1, folds) {
				for range seeds {
					score, tie := float64(rng.IntN(4)), float64(rng.IntN(3))
					values := map[string]float64{"score": score, "second": tie}
					if rng.IntN(12) == 0 {
						delete(values, "score")
						score = math.NaN()
					}
					scores[x][fold], ties[x] = append(scores[x][fold], score), append(ties[x], tie)
					e := Entrant{File: file(trace.Done, trace.Row{Values: values}), Run: lang.Run{Convention: convention, C: x,
						Labels: map[string]any{"lambda": x}, Choose: &lang.Candidate{Rule: rule}}}
					if folds > 0 {
						e.Fold, e.Folds = fold+1, folds
					}
					group = append(group, e)
				}
			}
		}
		got := Decide(group)

		sorted := slices.DeleteFunc(slices.Clone(lambdas), func(x float64) bool {
			return math.IsNaN(average(slices.Concat(scores[x]...)))
		})
		if len(sorted) == 0 {
			if got.State != Nobody {
				t.Fatalf("trial %d: state %v, want Nobody, because no value has a mean", trial, got.State)
			}
			continue
		}
		signed := func(x float64) float64 {
			m := average(slices.Concat(scores[x]...))
			if rule.Best == "max" {
				m = -m
			}
			return m
		}
		weakness := func(x float64) float64 { // the smallest is preferred
			if convention == lang.ConventionLambda {
				return -x
			}
			return x
		}
		slices.SortStableFunc(sorted, func(a, b float64) int {
			second := func(x float64) float64 { return average(ties[x]) }
			if rule.Ties == "" {
				second = weakness
			}
			for _, of := range []func(float64) float64{signed, second} {
				if of(a) < of(b) {
					return -1
				} else if of(a) > of(b) {
					return 1
				}
			}
			return 0
		})
		top := sorted[0]
		want := top
		if rule.OneSE {
			limit := errorOf(scores[top], folds)
			if slices.ContainsFunc(sorted, func(x float64) bool { return math.Abs(signed(x)-signed(top)-limit) < 1e-9 }) {
				continue // rounding errors decide whether x is within one standard error
			}
			for _, x := range sorted {
				if signed(x)-signed(top) <= limit && weakness(x) < weakness(want) {
					want = x
				}
			}
		}
		if got.State != Decided || got.Value != fmt.Sprint(want) || got.Top != fmt.Sprint(top) {
			t.Fatalf("trial %d: %+v with scores %v and ties %v: chose %s with the best mean at %s, want %v and %v", trial, rule,
				scores, ties, got.Value, got.Top, want, top)
		}
		mean, se := average(slices.Concat(scores[want]...)), errorOf(scores[want], folds)
		if math.Abs(got.Mean-mean) > 1e-12 || !(math.Abs(got.Error-se) <= 1e-12 || math.IsNaN(se) && math.IsNaN(got.Error)) {
			t.Fatalf("trial %d: mean %v ± %v, want %v ± %v", trial, got.Mean, got.Error, mean, se)
		}
	}
}

// average returns the mean of a list.
func average(list []float64) float64 {
	sum := 0.
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// errorOf returns the standard error of the mean over the folds, from the differences of all pairs of folds. Without
// folds it is NaN.
func errorOf(byFold [][]float64, folds int) float64 {
	if folds == 0 {
		return math.NaN()
	}
	sum, k := 0., float64(folds)
	for _, a := range byFold {
		for _, b := range byFold {
			d := average(a) - average(b)
			sum += d * d
		}
	}
	return math.Sqrt(sum / (2 * k * (k - 1)) / k)
}

// TestStagesOfAPath checks that a comparison of the values of a path uses the last row of each stage of each run, and
// no rows of a run that failed.
func TestStagesOfAPath(t *testing.T) {
	for _, convention := range []lang.Convention{lang.ConventionLambda, lang.ConventionEG} {
		key := "C"
		if convention == lang.ConventionLambda {
			key = "lambda"
		}
		entrant := func(status trace.Status, scores ...[2]float64) Entrant { // stage and score of each row
			var rows []trace.Row
			for _, s := range scores {
				rows = append(rows, trace.Row{Values: map[string]float64{trace.Stage: s[0], "score": s[1]}})
			}
			return Entrant{File: file(status, rows...), Run: lang.Run{Convention: convention,
				Labels: map[string]any{key: 8.0, "as": "a"},
				Solver: lang.Solver{Path: &lang.Path{C: &lang.Geometric{From: 8, Factor: 0.5, Steps: 3}}},
				Choose: &lang.Candidate{Rule: lang.Choose{Over: lang.Strings{"as", key}, By: "score", Best: "min"}}}}
		}
		good := entrant(trace.Done, [2]float64{0, 0}, [2]float64{0, 9}, [2]float64{1, 1}, [2]float64{1, 5}, [2]float64{2, 7})
		if got, want := Decide([]Entrant{good}), "as=a, "+key+"=4"; got.Value != want || got.Mean != 5 {
			t.Errorf("%s: chose %q with mean %v, want %q with mean 5", key, got.Value, got.Mean, want)
		}
		for best, c := range []string{"8", "4", "2"} { // each stage has one row, and one of them is the best
			scores := [][2]float64{{0, 6}, {1, 6}, {2, 6}}
			scores[best][1] = 3
			got := Decide([]Entrant{entrant(trace.Done, scores...)})
			if want := "as=a, " + key + "=" + c; got.Value != want || got.Mean != 3 {
				t.Errorf("%s, best stage %d: chose %q with mean %v, want %q with mean 3", key, best, got.Value, got.Mean, want)
			}
		}
		short := entrant(trace.Budget, [2]float64{0, 9}, [2]float64{1, 8})
		if got, want := Decide([]Entrant{good, short}), "as=a, "+key+"=4"; got.Value != want || got.Mean != 6.5 {
			t.Errorf("%s: with a run without the last stage: chose %q with mean %v, want %q with mean 6.5", key, got.Value,
				got.Mean, want)
		}
		bad := entrant(trace.Diverged, [2]float64{0, 1})
		if got := Decide([]Entrant{bad}); got.State != Nobody {
			t.Errorf("%s: a diverged run gave the verdict %+v, want none", key, got)
		}
	}
}

// TestSuperfluous checks which final runs of two groups are not made. In one group the comparison is decided, undecided
// or without a winner; the other group, and a run without a rule, must not change.
func TestSuperfluous(t *testing.T) {
	run := func(group string, value float64, final bool) lang.Run {
		return lang.Run{Labels: map[string]any{"eta": value}, Choose: &lang.Candidate{Group: group, Final: final,
			Rule: lang.Choose{Over: lang.Strings{"eta"}, By: "score", Best: "min"}}}
	}
	runs := []lang.Run{run("a", 1, false), run("b", 1, false), run("a", 2, false), run("b", 2, false), {},
		run("a", 1, true), run("b", 1, true), run("a", 2, true), run("b", 2, true)}
	scored := func(x float64) *trace.File {
		return file(trace.Done, trace.Row{Values: map[string]float64{"score": x}})
	}
	none := file(trace.Failed)
	for _, c := range []struct {
		one, two *trace.File // of the compared runs of group a
		want     string      // for each final run of a: whether it is superfluous
	}{
		{scored(1), scored(2), "[false true]"},
		{scored(2), scored(1), "[true false]"},
		{nil, scored(1), "[false true]"},
		{scored(1), nil, "[false true]"},
		{none, none, "[true true]"},
		{none, scored(1), "[true false]"},
		{scored(1), file(trace.Interrupted), "[false true]"},
	} {
		got := Superfluous(runs, func(i int) *trace.File {
			return map[int]*trace.File{0: c.one, 2: c.two, 1: scored(5), 3: scored(4)}[i]
		})
		if text := fmt.Sprint([]bool{got[5], got[7]}); text != c.want {
			t.Errorf("final runs of group a that are superfluous: %s, want %s", text, c.want)
		}
		if got[6] != true || got[8] != false || slices.Contains(got[:5], true) {
			t.Errorf("superfluous: %v, want also the first final run of group b, and no compared run", got)
		}
	}
}

// TestSuperfluousOfEarlyRuns checks that, of the final runs of a group whose runs are compared before their end, all
// but the first are superfluous: their files say nothing about the winner.
func TestSuperfluousOfEarlyRuns(t *testing.T) {
	var runs []lang.Run
	for k := range 6 {
		runs = append(runs, lang.Run{Labels: map[string]any{"eta": float64(k % 3)}, Choose: &lang.Candidate{Group: "a",
			Final: k > 2, Rule: lang.Choose{Over: lang.Strings{"eta"}, By: "score", Best: "min", At: lang.At{Passes: 1}}}})
	}
	got := Superfluous(runs, func(i int) *trace.File {
		return file(trace.Done, trace.Row{Values: map[string]float64{trace.Passes: 1, "score": float64(9 - i)}})
	})
	if want := []bool{false, false, false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("superfluous: %v, want %v", got, want)
	}
}

// TestNames checks the text of a winner: the value of a single setting, or the values of several with their names.
func TestNames(t *testing.T) {
	r := lang.Run{Labels: map[string]any{"eta": 0.5, "order": "cyclic"}, Choose: &lang.Candidate{}}
	for _, c := range []struct {
		over       lang.Strings
		value, all string
	}{
		{lang.Strings{"eta"}, "0.5", "eta=0.5"},
		{lang.Strings{"order", "eta"}, "order=cyclic, eta=0.5", "order=cyclic, eta=0.5"},
	} {
		r.Choose.Rule.Over = c.over
		if got := Value(r); got != c.value {
			t.Errorf("value over %v = %q, want %q", c.over, got, c.value)
		}
		if got := (Verdict{Rule: r.Choose.Rule, Value: c.value}).Describe(); got != c.all {
			t.Errorf("description over %v = %q, want %q", c.over, got, c.all)
		}
	}
}
