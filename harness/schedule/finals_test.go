package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
)

// folded is a spec that chooses one of three values of C by the mean error of three folds.
const folded = toy.Tiny + `regularisation: {convention: eg, C: [1000, 1, 100]}
solvers: [{name: ascent, rate: 0.5}]
choose: {over: C, by: validation_error, folds: 3}
stop: {passes: 20}
`

// pathed is a spec that chooses one of three values of C on a path, by the mean error of three folds.
const pathed = toy.Tiny + `regularisation: {convention: eg}
solvers: [{name: ascent, rate: 0.5, path: {C: {from: 1000, factor: 0.0316227766, steps: 3}, until: {gap: 0.01}}}]
choose: {over: C, by: validation_error, folds: 3}
stop: {passes: 200}
`

// screened divides the runs of a result into runs of folds and runs on all data.
func screened(r *toy.Result) (folds, whole []*trace.File) {
	for _, f := range r.Files {
		if f.Manifest.Labels["fold"] != nil {
			folds = append(folds, f)
		} else {
			whole = append(whole, f)
		}
	}
	return folds, whole
}

// TestChooseByFolds checks that each value runs on each fold, and that only the value with the smallest mean error runs
// once more, on all data. The test computes the mean errors from the rows. The run on all data must be the same as in a
// spec without the choice, and only its weights must be saved. A second Run must make no run.
func TestChooseByFolds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test chooses by folds")
	}
	for _, workers := range []int{1, 2} {
		dir, s := t.TempDir(), toy.Spec(t, folded)
		r := toy.Run(t, dir, s, toy.Workers(workers), toy.Weights())
		folds, whole := screened(r)
		if len(folds) != 9 || len(whole) != 1 || !r.Ended() {
			t.Fatalf("%d runs of folds and %d on all data; want 9 and 1", len(folds), len(whole))
		}
		means := map[string]float64{}
		for _, f := range folds {
			if f.End.Weights != "" {
				t.Errorf("%s: the run of a fold has saved weights, want none", f.Describe())
			}
			means[trace.FormatLabel(f.Manifest.Labels["C"])] += toy.Last(t, f)["validation_error"] / 3
		}
		best, top := "", math.Inf(1)
		for _, c := range []string{"1000", "1", "100"} {
			if means[c] < top {
				best, top = c, means[c]
			}
		}
		if means["1000"] == means["1"] && means["1"] == means["100"] {
			t.Fatalf("mean errors %v: the test needs values that differ", means)
		}
		chosen := whole[0]
		if got := trace.FormatLabel(chosen.Manifest.Labels["C"]); got != best || chosen.Manifest.N != toy.N {
			t.Errorf("C = %s was trained on %d examples; want %s, whose mean error is least in %v, on %d", got,
				chosen.Manifest.N, best, means, toy.N)
		}
		if !store.HasWeights(chosen, false) {
			t.Error("the weights of the chosen run are not saved")
		}
		plain := toy.Text(t, strings.Replace(folded, "choose: {over: C, by: validation_error, folds: 3}", "", 1))
		same := toy.Labelled(t, plain, "C", best)
		if d := trace.Diff(chosen, same); d != "" || chosen.Manifest.Key != same.Manifest.Key {
			t.Errorf("the chosen run differs from the run of a spec without the choice: %s; keys %s, %s", d,
				chosen.Manifest.Key, same.Manifest.Key)
		}
		var again toy.Journal
		toy.Run(t, dir, s, again.Option(), toy.Weights())
		if len(again.Ended) != 0 || len(again.Reused) != 10 || again.Last.Done != again.Last.Total {
			t.Errorf("second Run: made %q, reused %d, %d of %d done; want 10 reused", again.Ended, len(again.Reused),
				again.Last.Done, again.Last.Total)
		}
	}
}

// TestChooseOnAPath checks that the ends of the stages are compared, that the chosen C runs once more without the path,
// and that no fold is trained more than once.
func TestChooseOnAPath(t *testing.T) {
	t.Parallel()
	r := toy.Text(t, pathed)
	folds, whole := screened(r)
	if len(folds) != 3 || len(whole) != 1 || !r.Ended() {
		t.Fatalf("%d runs of folds and %d on all data; want 3 and 1", len(folds), len(whole))
	}
	var means [3]float64
	for _, f := range folds {
		last := [3]float64{math.NaN(), math.NaN(), math.NaN()}
		for _, row := range f.Rows {
			last[int(row.Values[trace.Stage])] = row.Values["validation_error"]
		}
		for k := range means {
			means[k] += last[k] / 3
		}
	}
	best := 0
	for k, m := range means {
		if math.IsNaN(m) {
			t.Fatalf("mean errors %v: want a row in each stage", means)
		}
		if m < means[best] {
			best = k
		}
	}
	want := 1000 * math.Pow(0.0316227766, float64(best))
	row := toy.Last(t, whole[0])
	if got := whole[0].Manifest.Labels["C"].(float64); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("C = %v was chosen; want %v: mean errors %v", got, want, means)
	}
	if _, staged := row[trace.Stage]; staged || row[trace.Gap] > 0.01 {
		t.Errorf("last row of the chosen run %v: want no stage, and the gap at which stages end", row)
	}
}

// TestInterruptedFolds checks that nothing is chosen if the run of a fold was interrupted, and that a second Run then
// makes the same choice as an uninterrupted Run.
func TestInterruptedFolds(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, folded)
	ctx, cancel := context.WithCancel(context.Background())
	r := toy.RunIn(t, ctx, dir, s, toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Recorded && e.Run.Labels["fold"] == 3. && e.Run.C == 100 {
			cancel()
		}
	}))
	if _, whole := screened(r); len(whole) != 0 || r.Ended() || r.Planned != 10 {
		t.Errorf("%d runs on all data, ended %v, %d planned; want none, false, 10", len(whole), r.Ended(), r.Planned)
	}
	toy.SameRows(t, "interrupted and not", toy.Run(t, t.TempDir(), s).Files, toy.Run(t, dir, s).Files)
}

// TestNoValidationData checks that a choice on validation data that do not exist is an error before the first run.
func TestNoValidationData(t *testing.T) {
	t.Parallel()
	text := strings.Replace(strings.Replace(folded, ", folds: 3", "", 1), "validation: 40", "validation: 0", 1)
	err := toy.Do(context.Background(), toy.Spec(t, text), toy.Options(t.TempDir()))
	if err == nil || !strings.Contains(fmt.Sprint(err), "validation_error needs validation data") {
		t.Errorf("error %v, want one about validation data", err)
	}
}

// brittle is the solver whole, but its runs at some values of C fail.
type brittle struct {
	toy.Whole
	fails []float64
}

func (b *brittle) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	for _, c := range b.fails {
		if p.Lambda == lang.ConventionEG.Lambda(c, len(p.Examples)) {
			return func(yield func(solvers.Iterate, error) bool) { yield(solvers.Iterate{}, errors.New("singular")) }
		}
	}
	return b.Whole.Train(p, env)
}

// TestFailedFolds checks that a value of C whose runs fail does not win, and that the best other value then runs
// on all data.
func TestFailedFolds(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test runs an experiment five times")
	}
	text := strings.Replace(folded, "name: ascent, rate: 0.5", "name: whole", 1)
	for _, fails := range [][]float64{nil, {1000}, {1}, {100}, {1, 100}} {
		r := toy.Run(t, t.TempDir(), toy.Spec(t, text), func(o *schedule.Options) {
			for i, s := range o.Catalogue.Solvers {
				if s.Name == "whole" {
					o.Catalogue.Solvers[i].New = func() any { return &brittle{fails: fails} }
				}
			}
		})
		folds, whole := screened(r)
		means := map[float64]float64{}
		failed := 0
		for _, f := range folds {
			if f.Status() == trace.Failed {
				failed++
				continue
			}
			means[f.Manifest.Labels["C"].(float64)] += toy.Last(t, f)["validation_error"] / 3
		}
		if len(folds) != 9 || failed != 3*len(fails) || !r.Ended() {
			t.Errorf("C = %v fails: %d runs of folds, %d failed, ended %v; want 9, %d, true", fails, len(folds), failed,
				r.Ended(), 3*len(fails))
		}
		best := math.Inf(1)
		for _, m := range means {
			best = min(best, m)
		}
		if len(whole) != 1 || whole[0].Status() != trace.Done || means[whole[0].Manifest.Labels["C"].(float64)] != best {
			t.Errorf("C = %v fails: %d runs on all data; want one, with the best of the mean errors %v", fails, len(whole),
				means)
		}
	}
}

// TestAllFoldsFail checks that a note says why no run is made on all data if the runs of all folds fail, and that the
// runs that are not made then do not count.
func TestAllFoldsFail(t *testing.T) {
	t.Parallel()
	text := strings.Replace(folded, "name: ascent, rate: 0.5", "name: whole", 1)
	var last schedule.Event
	notes := 0
	r := toy.Run(t, t.TempDir(), toy.Spec(t, text), func(o *schedule.Options) {
		for i, s := range o.Catalogue.Solvers {
			if s.Name == "whole" {
				o.Catalogue.Solvers[i].New = func() any { return &brittle{fails: []float64{1000, 1, 100}} }
			}
		}
	}, toy.OnEvent(func(e schedule.Event) {
		if last = e; e.Kind == schedule.Noted && strings.Contains(e.Why, "no value of C is chosen") {
			notes++
		}
	}))
	if folds, whole := screened(r); len(folds) != 9 || len(whole) != 0 {
		t.Errorf("%d runs of folds and %d on all data, want 9 and none", len(folds), len(whole))
	}
	if notes != 1 || last.Done != 9 || last.Total != 9 {
		t.Errorf("%d notes, and %d of %d runs at the end; want one note, and 9 of 9", notes, last.Done, last.Total)
	}
}
