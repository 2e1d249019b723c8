package trace_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// repeated returns the files of one run, repeated once for each value of seconds. The second row takes twice as long.
func repeated(seconds ...float64) []*trace.File {
	var files []*trace.File
	for i, s := range seconds {
		f := &trace.File{End: &trace.End{Status: trace.Done, PeakBytes: int64(100 * (i + 1))},
			Manifest: trace.Manifest{Experiment: "a/b", Scale: "paper",
				Labels: map[string]any{"as": "one", "lambda": 0.5, trace.Repetition: float64(i + 1)}}}
		for row := range 2 {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{trace.Passes: float64(row), trace.Primal: 2,
				trace.Dual: 2, trace.CPUSeconds: s * float64(row+1), "qp_seconds": s / 2}})
		}
		files = append(files, f)
	}
	return files
}

// TestRepetitions checks that the repetitions of a run become one curve with the medians of times and memory, and that
// OfRepetition returns the times of one of them.
func TestRepetitions(t *testing.T) {
	for _, c := range []struct {
		seconds []float64
		median  float64
	}{{[]float64{3}, 3}, {[]float64{5, 1}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 9, 1, 2}, 3}} {
		set := trace.NewSet(repeated(c.seconds...))
		if len(set.Curves) != 1 || len(set.Warnings) != 0 || set.Repetitions() != len(c.seconds) {
			t.Fatalf("%v: %d curves of %d repetitions, warnings %q; want one of %d, and none", c.seconds, len(set.Curves),
				set.Repetitions(), set.Warnings, len(c.seconds))
		}
		curve := set.Curves[0]
		if got := curve.Columns[trace.CPUSeconds]; got[0] != c.median || got[1] != 2*c.median {
			t.Errorf("%v: CPU seconds %v, want %v and twice that", c.seconds, got, c.median)
		}
		if got := curve.Final("qp_seconds"); got != c.median/2 {
			t.Errorf("%v: QP seconds %v, want %v", c.seconds, got, c.median/2)
		}
		if got, want := curve.Final(trace.PeakBytes), 50*float64(1+len(c.seconds)); got != want {
			t.Errorf("%v: peak memory %v, want %v", c.seconds, got, want)
		}
		if curve.Final(trace.Primal) != 2 || curve.Labels[trace.Repetition] != nil {
			t.Errorf("%v: primal %v, labels %v; want 2, and no repetition", c.seconds, curve.Final(trace.Primal), curve.Labels)
		}
		for k, s := range c.seconds {
			if got := set.OfRepetition(k).Curves[0].Final(trace.CPUSeconds); got != 2*s {
				t.Errorf("%v: repetition %d has %v CPU seconds, want %v", c.seconds, k, got, 2*s)
			}
		}
	}
}

// TestRepetitionsApart checks what join does with repetitions that are not equal: a repetition without a result stays
// a curve of its own, and different rows or endings give a warning.
func TestRepetitionsApart(t *testing.T) {
	for _, c := range []struct {
		name    string
		change  func(files []*trace.File)
		curves  int
		warning string
	}{
		{"another seed", func(files []*trace.File) { files[1].Manifest.Labels["seed"] = 2.0 }, 2, ""},
		{"failed", func(files []*trace.File) { files[1].End.Status = trace.Failed }, 2, ""},
		{"another ending", func(files []*trace.File) { files[1].End.Status = trace.Budget }, 1,
			"ended in different ways: done, but budget in repetition 2"},
		{"another primal", func(files []*trace.File) { files[1].Rows[1].Values[trace.Primal] = math.Nextafter(2, 3) }, 1,
			"repetition 2 has other values of primal"},
		{"another primal of another program", func(files []*trace.File) {
			files[0].Manifest.Outside = true
			files[1].Rows[1].Values[trace.Primal] = 3
		}, 1, ""},
		{"fewer rows", func(files []*trace.File) { files[1].Rows = files[1].Rows[:1] }, 1, ""},
	} {
		files := repeated(1, 3)
		c.change(files)
		set := trace.NewSet(files)
		text := strings.Join(set.Warnings, "; ")
		if len(set.Curves) != c.curves || (c.warning == "") != (text == "") || !strings.Contains(text, c.warning) {
			t.Errorf("%s: %d curves, warnings %q; want %d, %q", c.name, len(set.Curves), text, c.curves, c.warning)
		}
	}
	files := repeated(1, 3)
	files[1].Rows = files[1].Rows[:1]
	if got := trace.NewSet(files).Curves[0].Columns[trace.CPUSeconds]; got[0] != 2 || got[1] != 2 {
		t.Errorf("times with a missing row = %v, want the median 2 of both, then 2 of the only one", got)
	}
}

// TestSlowdown checks that the slowdown of a curve is the largest of its repetitions, or that of its run. Repetitions
// without an end or without a file do not count.
func TestSlowdown(t *testing.T) {
	made := func(slowdown float64) *trace.Curve {
		return &trace.Curve{File: &trace.File{End: &trace.End{Pace: trace.Pace{Slowdown: slowdown}}}}
	}
	open, none := &trace.Curve{File: &trace.File{}}, &trace.Curve{}
	for _, c := range []struct {
		curve *trace.Curve
		want  float64
	}{
		{made(1.5), 1.5},
		{open, 0},
		{none, 0},
		{&trace.Curve{File: made(9).File, Repeats: []*trace.Curve{made(1), made(3), made(2)}}, 3},
		{&trace.Curve{File: made(9).File, Repeats: []*trace.Curve{open, made(1.25), none}}, 1.25},
	} {
		if got := c.curve.Slowdown(); got != c.want {
			t.Errorf("slowdown of %+v = %v, want %v", c.curve, got, c.want)
		}
	}
}

// TestSittingTexts checks the texts that name a sitting, of a run with and without repetitions, and that a set without
// repetitions, or without curves, has one repetition.
func TestSittingTexts(t *testing.T) {
	file := func(sitting string, resumed int) *trace.File {
		f := repeated(1)[0]
		f.Manifest.CPU, f.Manifest.Platform, f.Manifest.Sitting, f.End.Resumed = "cpu", "linux", sitting, resumed
		return f
	}
	single := file("a", 0)
	delete(single.Manifest.Labels, trace.Repetition)
	two := []*trace.File{file("a", 0), file("", 2)}
	two[1].Manifest.Labels[trace.Repetition] = 2.
	for _, c := range []struct {
		files []*trace.File
		want  []string // by repetition
		times int
	}{
		{[]*trace.File{single}, []string{"cpu linux, sitting a", "cpu linux, sitting a"}, 1},
		{two[:1], []string{"cpu linux, sitting a", "cpu linux, sitting a"}, 1},
		{two, []string{"cpu linux, sitting a", "cpu linux, resumed 2 times by other processes", "cpu linux, sitting a"}, 2},
	} {
		set := trace.NewSet(c.files)
		for k, want := range c.want {
			if got := set.Curves[0].Sitting(k); got != want {
				t.Errorf("sitting of repetition %d of %d = %q, want %q", k, len(c.files), got, want)
			}
		}
		if set.Repetitions() != c.times {
			t.Errorf("repetitions = %d, want %d", set.Repetitions(), c.times)
		}
	}
	if got := trace.NewSet(nil).Repetitions(); got != 1 {
		t.Errorf("repetitions of an empty set = %d, want 1", got)
	}
}

// TestSitting checks that times of different machines, processes and resumed runs are told apart.
func TestSitting(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*trace.File){
		"nothing": func(*trace.File) {},
		"CPU":     func(f *trace.File) { f.Manifest.CPU = "other" },
		"process": func(f *trace.File) { f.Manifest.Sitting = "other" },
		"resumed": func(f *trace.File) { f.End.Resumed = 1 },
	} {
		files := repeated(1, 1)
		files[1].Manifest.CPU, files[1].Manifest.Sitting = "cpu", "a"
		change(files[1])
		s := trace.NewSet(files).Curves[0].Sitting(1)
		if seen[s] != "" {
			t.Errorf("%s and %s give the same sitting %q", name, seen[s], s)
		}
		seen[s] = name
	}
}

// TestShareOfRepetitions checks that each repetition of a run counts as a planned run, and the stages of a path as one.
func TestShareOfRepetitions(t *testing.T) {
	set := trace.NewSet(append(repeated(1, 2, 3), run(labels("p", 1), row("stage", 0, "lambda", 1), row("stage", 1,
		"lambda", 2))))
	if got := set.Share(); got != "" {
		t.Errorf("share %q, want none if all runs have a result", got)
	}
	set.Missing = []*trace.Curve{trace.NewMissing(labels("a", 1), trace.Missing, ""),
		trace.NewMissing(labels("b", 1), trace.Damaged, "")}
	if got := set.Share(); got != "4 of 6 runs" || len(set.Lacking()) != 2 || set.Lacking()[0] != set.Missing[0] {
		t.Errorf("share %q with two missing runs, want 4 of 6", got)
	}
}
