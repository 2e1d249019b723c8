package record

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// TestKeeper checks that patience counts the rows since the best row, and that the weights are those of the best row.
func TestKeeper(t *testing.T) {
	k := keeper{rule: &lang.Keep{By: "f1", Best: "max", Patience: 2}, weights: true}
	for i, f1 := range []float64{0.5, 0.7, 0.6, 0.8, 0.8} {
		k.look(map[string]float64{"f1": f1}, []float64{float64(i)}, models.Counts{})
		if k.exhausted() {
			t.Errorf("exhausted after row %d, want only after the last row", i)
		}
	}
	k.look(map[string]float64{}, []float64{5}, models.Counts{}) // without the column, a row counts as not better
	if !k.exhausted() || k.final[0] != 3 {
		t.Errorf("exhausted %v, weights of row %v; want true, row 3", k.exhausted(), k.final)
	}
}

// TestKeeperExamples checks which counts the end line of a run gets: those of the best row, for the metrics that the
// spec names, each metric with its own numerators and denominators.
func TestKeeperExamples(t *testing.T) {
	k := keeper{rule: &lang.Keep{By: "error", Best: "min"}, metrics: []string{"b", "absent"}}
	for i, e := range []float64{3, 1, 2} {
		row := 10 * float64(i)
		k.look(map[string]float64{"error": e}, nil, models.Counts{Names: []string{"a", "b"},
			Num: [][]float64{{row + 1}, {row + 2}}, Den: [][]float64{{row + 3}, {row + 4}}})
	}
	validation := []models.Example{{Truth: models.Vertex{1}}}
	want := map[string]trace.Examples{"b": {Of: truths(validation), Num: []float64{12}, Den: []float64{14}}}
	if got := k.examples(validation); !reflect.DeepEqual(got, want) {
		t.Errorf("counts = %v, want %v", got, want)
	}
	if truths(validation) == truths([]models.Example{{Truth: models.Vertex{2}}}) {
		t.Error("other true labellings have the same hash")
	}
}

// TestKeeperRow draws rows, some without the column of the rule, and checks which row is kept: the first of the best
// values, or the last row if there is no rule or no value. The kept weights are a copy. It also checks after how many
// rows without a better value the patience ends.
func TestKeeperRow(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		best, patience := []string{"min", "max"}[r.IntN(2)], r.IntN(4)
		k := keeper{weights: r.IntN(4) > 0}
		if r.IntN(5) > 0 {
			k.rule = &lang.Keep{By: "e", Best: best, Patience: patience}
		}
		w, top, at, since := []float64{0}, math.Inf(1), -1, 0
		for i := range 1 + r.IntN(8) {
			w[0] = float64(i)
			row := map[string]float64{"other": 1}
			v, has := float64(r.IntN(4)), r.IntN(4) > 0
			if has {
				row["e"] = v
			}
			if best == "max" {
				v = -v
			}
			k.look(row, w, models.Counts{Names: []string{fmt.Sprint(i)}})
			since++
			if k.rule == nil || math.IsInf(top, 1) || has && v < top {
				at, since = i, 0
				if has {
					top = v
				}
			}
			if got, want := k.exhausted(), k.rule != nil && patience > 0 && since >= patience; got != want {
				t.Fatalf("seed %d, row %d: the patience %d has ended after %d rows: %v", seed, i, patience, since, got)
			}
		}
		w[0] = -1
		if k.weights && !slices.Equal(k.final, []float64{float64(at)}) || !k.weights && k.final != nil ||
			k.counts.Names[0] != fmt.Sprint(at) {
			t.Fatalf("seed %d: kept the weights %v and the counts of row %s, want those of row %d", seed, k.final,
				k.counts.Names[0], at)
		}
	}
}
