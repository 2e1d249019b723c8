package table_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// drawn is a run that is drawn at random: its labels, how it ended, and its last loss. A run without rows has no loss.
type drawn struct {
	as               string
	n, seed, fold, k float64
	status           trace.Status
	rows             int
	loss             float64
}

func (d drawn) file() *trace.File {
	f := &trace.File{End: &trace.End{Status: d.status, Why: "a reason"}}
	f.Manifest = trace.Manifest{Labels: map[string]any{"as": d.as, "n": d.n, "seed": d.seed, "fold": d.fold, "k": d.k}}
	for i := range d.rows {
		f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i + 1),
			"loss": d.loss + float64(d.rows-1-i)}})
	}
	return f
}

// TestDrawnTables compares tables of runs drawn at random with tables that are made from the definition: there is one
// row for each value of n, in the order of the runs. A cell is the mean over those runs of the row that the column
// selects, which may differ in seed, fold, status and, if the table averages over it, in k. A row is censored if a
// budget stopped one of its runs. A warning names each run without rows.
func TestDrawnTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	refused, censored, left := 0, 0, 0
	for range 300 {
		var runs []drawn
		ks := 1 + rng.IntN(2)
		for range 2 + rng.IntN(8) {
			d := drawn{as: []string{"a", "b"}[rng.IntN(2)], n: float64(100 * (1 + rng.IntN(3))), seed: float64(rng.IntN(9)),
				fold: float64(rng.IntN(9)), k: float64(rng.IntN(ks)), status: trace.Done, rows: 1 + rng.IntN(3),
				loss: float64(rng.IntN(100))}
			switch rng.IntN(6) {
			case 0:
				d.status = trace.Budget
			case 1:
				d.status, d.rows = trace.Failed, 0
			case 2:
				d.status = trace.Failed
			}
			runs = append(runs, d)
		}
		spec := &lang.TableSpec{Rows: "n", Columns: []lang.Column{{Name: "final.loss", Title: "a", Where: `as == "a"`},
			{Name: "final.loss", Title: "b", Where: `as == "b"`}}}
		if rng.IntN(2) == 0 {
			spec.Average = []string{"k"}
		}
		var files []*trace.File
		for _, d := range runs {
			files = append(files, d.file())
		}
		var want []string
		var keys []float64
		bad := false
		for _, d := range runs {
			if d.rows == 0 || slices.Contains(keys, d.n) {
				continue
			}
			keys = append(keys, d.n)
			line, stopped := fmt.Sprint(d.n), false
			for _, as := range []string{"a", "b"} {
				sum, count := 0.0, 0
				seen := map[float64]bool{}
				for _, o := range runs {
					if o.rows == 0 || o.n != d.n {
						continue
					}
					stopped = stopped || o.status == trace.Budget
					if o.as == as {
						sum, count = sum+o.loss, count+1
						seen[o.k] = true
					}
				}
				bad = bad || len(seen) > 1 && spec.Average == nil
				if count > 0 {
					line += fmt.Sprintf(" %.9g", sum/float64(count))
				} else {
					line += " none"
				}
			}
			want = append(want, fmt.Sprint(line, " ", stopped))
			if stopped {
				censored++
			}
		}
		got, err := table.Resolve(spec, trace.NewSet(files), nil)
		if bad || keys == nil {
			refused++
			if err == nil {
				t.Fatalf("%+v: no error, want one about runs that differ in k, or about no rows", runs)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%+v: %v", runs, err)
		}
		var lines []string
		for _, r := range got.Rows {
			line := fmt.Sprint(r.Key)
			for _, c := range r.Cells {
				if c.Ours == nil || math.IsNaN(*c.Ours) {
					line += " none"
				} else {
					line += fmt.Sprintf(" %.9g", *c.Ours)
				}
			}
			lines = append(lines, fmt.Sprint(line, " ", r.Censored))
		}
		if diff := gocmp.Diff(want, lines); diff != "" {
			t.Fatalf("%+v: rows differ (-want +got):\n%s", runs, diff)
		}
		empty := 0
		for _, d := range runs {
			if d.rows == 0 {
				empty++
			}
		}
		if left += empty; len(got.Warnings) != empty {
			t.Fatalf("%+v: warnings %q, want one for each of the %d runs without rows", runs, got.Warnings, empty)
		}
	}
	if least := min(refused, censored, left); least < 20 {
		t.Errorf("only %d tables or rows of one kind were drawn, want at least 20 of each", least)
	}
}

// TestLabelsOfARunThatIsLeftOut checks by which labels a warning names a run without rows: those in which the runs
// differ; if they do not differ, the solver and C.
func TestLabelsOfARunThatIsLeftOut(t *testing.T) {
	for _, c := range []struct {
		other drawn
		want  string
	}{
		{drawn{as: "a", n: 200, seed: 1}, "the run n=100 is left out: failed a reason"},
		{drawn{as: "a", n: 100, seed: 2}, "the run seed=1 is left out: failed a reason"},
		{drawn{as: "b", n: 100, seed: 2}, "the run as=a, seed=1 is left out: failed a reason"},
		{drawn{as: "a", n: 100, seed: 1}, "the run as=a is left out: failed a reason"},
	} {
		empty := drawn{as: "a", n: 100, seed: 1, status: trace.Failed}
		c.other.rows, c.other.status = 1, cmp.Or(c.other.status, trace.Failed)
		got, err := table.Resolve(&lang.TableSpec{Rows: "n", Columns: []lang.Column{{Name: "final.loss"}}},
			trace.NewSet([]*trace.File{empty.file(), c.other.file()}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff([]string{c.want}, got.Warnings); diff != "" {
			t.Errorf("%+v: warnings differ (-want +got):\n%s", c.other, diff)
		}
	}
}
