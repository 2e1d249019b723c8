package gate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/trace"
)

// falling returns the rows of a run with these gaps, at 0, 1, 2, ... passes.
func falling(gaps ...float64) (rows []trace.Row) {
	for i, g := range gaps {
		rows = append(rows, trace.Row{Values: map[string]float64{trace.Passes: float64(i), trace.Gap: g}})
	}
	return rows
}

// TestWork checks the ratio of the passes that two runs need for the gap of a row of the reference, and the words for
// it: for more and less work, for equal work, and if one of the runs is never there or there at its start.
func TestWork(t *testing.T) {
	for _, c := range []struct {
		ref, now []trace.Row
		work     float64
		says     string
	}{
		{falling(1, 1e-1, 1e-2), falling(1, 1e-1, 1e-2), 0, ""},
		{falling(1, 1e-1, 1e-2), falling(1, 0.5, 1e-1, 0.5, 1e-2), 2,
			"gap 0.01 reached in 4 passes, was 2: a factor of 2 in work"},
		{falling(1, 0.5, 1e-1, 0.5, 1e-2), falling(1, 1e-1, 1e-2), 0.5,
			"gap 0.01 reached in 2 passes, was 4: a factor of 0.5 in work"},
		{falling(1, 1e-2), falling(1, 1, 1e-4), 1.5, "gap 0.01 reached in 1.5 passes, was 1: a factor of 1.5 in work"},
		{falling(1, 1e-2), falling(1, 1e-1), 0, "gap 0.01 is no longer reached, was reached in 1 passes"},
		{falling(1, 0.5), falling(1, 1, 0.5*(1+slackGap)), 2, "gap 0.5 reached in 2 passes, was 1: a factor of 2 in work"},
		{falling(1e-2), falling(1, 1e-2), 0, "gap 0.01 reached in 1 passes, was reached at the start"},
		{falling(1e-2), falling(1e-2), 0, ""},
		{falling(1, floorGap), falling(1, 1e-1), 0, ""}, // too small to be compared
	} {
		work, says := workTo(c.ref, c.now, c.ref[len(c.ref)-1])
		if math.Abs(work-c.work) > 1e-12 || says != c.says {
			t.Errorf("work = %v, %q; want %v, %q", work, says, c.work, c.says)
		}
	}
	if work, says := workTo(falling(1), falling(1), trace.Row{}); work != 0 || says != "" {
		t.Errorf("without a gap: work = %v, %q; want 0 and no words", work, says)
	}
}

// TestTarget checks the gap to which the work of seeds is compared: the lower median of the last gaps, but at least the
// last gap of each run that ended by its gap.
func TestTarget(t *testing.T) {
	ends := []float64{5, 1, 4, 2, 3}
	for n := 1; n <= len(ends); n++ {
		for byGap := -1; byGap < n; byGap++ { // the run that ended by its gap; -1: none
			var files []*trace.File
			var works []descent
			for i, end := range ends[:n] {
				f := &trace.File{End: &trace.End{Rule: "passes"}, Rows: falling(9, end)}
				if i == byGap {
					f.End.Rule = trace.Gap
				}
				files, works = append(files, f), append(works, workOf(f.Rows, f.Rows[0]))
			}
			want := slices.Sorted(slices.Values(ends[:n]))[(n-1)/2]
			if byGap >= 0 {
				want = max(want, ends[byGap])
			}
			if got := target(files, works); got != want {
				t.Errorf("last gaps %v, run %d ended by its gap: target %v, want %v", ends[:n], byGap, got, want)
			}
		}
	}
}

// TestShift compares the ranks and medians of random samples with ties and infinite values with their definitions. The
// rank of a value is the number of values below it, plus half the number of values equal to it, plus 1/2. The median is
// the middle value, or the mean of the two middle values. For small samples, p must be near the share of all ways to
// divide the values that are at least as uneven.
func TestShift(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 202))
	for range 200 {
		values := make([]float64, 1+rng.IntN(9))
		for i := range values {
			values[i] = []float64{0, 1, 2, 3, 4, math.Inf(1)}[rng.IntN(6)]
		}
		for i, rank := range midranks(values) {
			want := 0.5
			for _, v := range values {
				if v < values[i] {
					want++
				} else if v == values[i] {
					want += 0.5
				}
			}
			if rank != want {
				t.Errorf("rank of element %d of %v = %v, want %v", i, values, rank, want)
			}
		}
		sorted := slices.Sorted(slices.Values(values))
		n := len(values)
		want := sorted[n/2]
		if n%2 == 0 {
			want = sorted[n/2-1]/2 + sorted[n/2]/2
		}
		if got := median(values); got != want {
			t.Errorf("median of %v = %v, want %v", values, got, want)
		}
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		was, is   []float64
		factor, p float64 // p: the share of the 20 or 6 ways to choose the first sample
	}{
		{[]float64{1, 2, 3}, []float64{4, 5, 6}, 2.5, 2. / 20},
		{[]float64{4, 5, 6}, []float64{1, 2, 3}, 0.4, 2. / 20},
		{[]float64{1, 2, 4}, []float64{3, 5, 6}, 2.5, 4. / 20},
		{[]float64{1, 6, 3}, []float64{2, 5, 4}, 4. / 3, 1},
		{[]float64{0, 0}, []float64{0, 1}, inf, 1},
		{[]float64{0, 0}, []float64{0, 0}, 1, 1},
		{[]float64{inf, inf}, []float64{inf, inf}, 1, 1},
		{[]float64{1, 1}, []float64{inf, inf}, inf, 2. / 6},
	} {
		factor, p := shift(c.was, c.is)
		if factor != c.factor || math.Abs(p-c.p) > 0.02 { // 5 standard deviations of a share of 9999 draws
			t.Errorf("from %v to %v: factor %v, p = %v; want %v, %v", c.was, c.is, factor, p, c.factor, c.p)
		}
	}
}

// TestChange checks the words for a change of a value: in percent or, if it is large, as a factor; as a difference if
// the old value is zero or the sign changes.
func TestChange(t *testing.T) {
	for _, c := range []struct {
		a, b float64
		want string
	}{{4, 5, "+25 %"}, {4, 3, "-25 %"}, {-4, -3, "+25 %"}, {-4, -5, "-25 %"}, {2, 6, "+2e+02 %"},
		{2, 7, "a factor of 3.5"}, {2, 0.5, "a factor of 0.25"}, {-2, -8, "a factor of 4"}, {0, 0.5, "+0.5"},
		{0, -0.5, "-0.5"}, {2, -1, "-3"}, {-1, 2, "+3"}, {4, 0, "a factor of 0"}} {
		if got := change(c.a, c.b); got != c.want {
			t.Errorf("change from %v to %v = %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

// TestFigure checks the figure of a comparison: a panel of the gap (or the primal) and one of the column that differs,
// each with both curves and the point of the reference where the comparison first failed.
func TestFigure(t *testing.T) {
	rows := func(scale float64, columns ...string) (out []trace.Row) {
		for i := range 4 {
			r := trace.Row{Values: map[string]float64{trace.Passes: float64(i)}}
			for k, name := range columns {
				r.Values[name] = scale * float64(10*k+i+1)
			}
			out = append(out, r)
		}
		return out
	}
	for _, c := range []struct {
		columns []string // of the rows
		differs string
		panels  []string
	}{
		{[]string{trace.Gap, trace.Primal}, trace.Primal, []string{trace.Gap, trace.Primal}},
		{[]string{trace.Primal}, "error", []string{trace.Primal, "error"}},
		{[]string{trace.Gap}, trace.Gap, []string{trace.Gap}},
		{[]string{trace.Gap}, trace.Epoch, []string{trace.Gap}},
		{[]string{trace.Gap}, trace.Passes, []string{trace.Gap}},
		{[]string{trace.Gap}, "", []string{trace.Gap}},
	} {
		ref, now := &trace.File{Rows: rows(1, c.columns...)}, &trace.File{Rows: rows(2, c.columns...)}
		ref.Manifest.Commit = "abc"
		fig, ok := Figure(Comparison{Experiment: "p/a", Curve: "eg", Column: c.differs, Passes: 2, Reference: ref,
			Fresh: now})
		if !ok || fig.ID != "p/a" || fig.Title != "p/a: eg" || fig.Caption != "reference made at abc" || fig.Columns != 1 ||
			len(fig.Panels) != len(c.panels) {
			t.Errorf("%v, %q: figure %+v, %v; want the panels %v", c.columns, c.differs, fig, ok, c.panels)
			continue
		}
		for k, p := range fig.Panels {
			marks := 2
			if c.differs != "" {
				marks = 3
			}
			if p.Y.Label != c.panels[k] || p.Y.Log != (p.Y.Label == trace.Gap) || len(p.Lines) != marks {
				t.Errorf("%v: panel %+v, want %s and %d lines", c.columns, p, c.panels[k], marks)
				continue
			}
			at := slices.Index(c.columns, c.panels[k])
			for i, f := range []*trace.File{ref, now} {
				l, n := p.Lines[i], 0
				for _, r := range f.Rows {
					if v, has := r.Values[c.panels[k]]; has {
						if l.X[n] != r.Values[trace.Passes] || l.Y[n] != v {
							t.Errorf("%s of %s: point %d is %v, %v", c.panels[k], l.Label, n, l.X[n], l.Y[n])
						}
						n++
					}
				}
				if l.Label != []string{"reference", "now"}[i] || l.Hue != i || l.Dash != i || len(l.X) != n ||
					(n > 0) != (at >= 0) {
					t.Errorf("%s: line %+v, want one of its own look with %d points", c.panels[k], l, n)
				}
			}
			if c.differs == "" {
				continue
			}
			mark := p.Lines[2]
			if at < 0 && len(mark.X) > 0 || at >= 0 && (!slices.Equal(mark.X, []float64{2}) ||
				!slices.Equal(mark.Y, []float64{float64(10*at + 3)}) || mark.Style != figure.Points || mark.Hue != 2) {
				t.Errorf("%s: mark %+v, want the point of the reference at 2 passes", c.panels[k], mark)
			}
		}
	}
	none, one := &trace.File{}, &trace.File{Rows: falling(1)}
	for _, c := range []Comparison{{Fresh: one}, {Reference: one}, {Reference: none, Fresh: one},
		{Reference: one, Fresh: none}} {
		if _, ok := Figure(c); ok {
			t.Errorf("%+v has a figure, want none without rows of both curves", c)
		}
	}
}

// TestWorkInAll checks the ratio of the work of two whole runs: to the smallest gap of the reference, or to that of the
// new run if it is only slightly larger, in the last stage of the reference.
func TestWorkInAll(t *testing.T) {
	staged := func(first, second []trace.Row) []trace.Row {
		for i, r := range second {
			r.Values[trace.Stage], r.Values[trace.Passes] = 1, float64(len(first)+i)
		}
		for _, r := range first {
			r.Values[trace.Stage] = 0
		}
		return append(first, second...)
	}
	for _, c := range []struct {
		ref, now []trace.Row
		work     float64
	}{
		{falling(1, 1e-2, 1e-1), falling(1, 1, 1e-2, 1), 2},       // the last gap is not the smallest
		{falling(1, 1e-2), falling(1, 1, 1.04e-2), 2.0 / 0.99148}, // the new run ends at a slightly larger gap
		{falling(1, 1e-2), falling(1, 1, tolGap*1e-2*1.001), 0},
		{falling(1, 1e-2), falling(1, 1e-3), 2. / 3}, // log-linear between the rows
		{staged(falling(1, 1e-1), falling(1, 1e-1)), staged(falling(1, 1, 1, 1e-1), falling(1, 1e-1)), 5. / 3},
	} {
		got, says := workInAll(c.ref, c.now)
		if math.Abs(got-c.work) > 0.01 || got == 0 && !strings.Contains(says, "no longer reached") {
			t.Errorf("work %v, %q; want %v", got, says, c.work)
		}
	}
	for _, pair := range [][2][]trace.Row{{falling(1, 0.5), {{Values: map[string]float64{trace.Passes: 1}}}},
		{{{Values: map[string]float64{trace.Passes: 1}}}, falling(1, 0.5)}} {
		if work, says := workInAll(pair[0], pair[1]); work != 0 || says != "" {
			t.Errorf("a run without gap: work %v, %q", work, says)
		}
	}
}
