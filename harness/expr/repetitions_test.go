package expr_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/trace"
)

// timed returns the evidence of the runs a, b and so on. Repetition k of run i took seconds[i][k]; slow and cpu give
// its slowdown and its machine.
func timed(seconds [][]float64, slow func(i, k int) float64, cpu func(i, k int) string) expr.Evidence {
	var files []*trace.File
	for i, list := range seconds {
		for k, s := range list {
			f := &trace.File{End: &trace.End{Status: trace.Done, Pace: trace.Pace{Slowdown: slow(i, k)}},
				Manifest: trace.Manifest{Labels: map[string]any{"as": string(rune('a' + i)), trace.Repetition: float64(k + 1)},
					Origin: trace.Origin{CPU: cpu(i, k)}},
				Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1, trace.Primal: 2, trace.Seconds: s,
					trace.CPUSeconds: s}}}}
			files = append(files, f)
		}
	}
	return expr.Evidence{Set: trace.NewSet(files)}
}

// TestRanges compares the ranges of random times, and of their ratio, with ranges over all repetitions.
func TestRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 5))
	for range 100 {
		n := 1 + rng.IntN(5)
		seconds := make([][]float64, 2)
		for i := range seconds {
			for range n {
				seconds[i] = append(seconds[i], float64(1+rng.IntN(4)))
			}
		}
		e := expr.NewEvaluation(timed(seconds, func(int, int) float64 { return 1 }, func(int, int) string { return "cpu" }))
		got, err := e.Ranges(`[final("a", "cpu_seconds"), [final("a", "seconds") / final("b", "seconds"), "text"], ` +
			`final("a", "primal")]`)
		if err != nil {
			t.Fatal(err)
		}
		ratios := make([]float64, n)
		for k := range ratios {
			ratios[k] = seconds[0][k] / seconds[1][k]
		}
		show := func(x float64, of []float64) string {
			low, high := slices.Min(of), slices.Max(of)
			if low == high {
				return fmt.Sprintf("%.4g", x)
			}
			return fmt.Sprintf("%.4g (%.4g to %.4g)", x, low, high)
		}
		if want := fmt.Sprintf("[%s, [%s, text], 2]", show(median(seconds[0]), seconds[0]),
			show(median(seconds[0])/median(seconds[1]), ratios)); got != want {
			t.Errorf("ranges of %v: %s, want %s", seconds, got, want)
		}
		named, err := e.Ranges(`{"CPU seconds": [final("a", "cpu_seconds")], "n": 2}`)
		if want := fmt.Sprintf("CPU seconds: [%s]; n: 2", show(median(seconds[0]), seconds[0])); err != nil || named != want {
			t.Errorf("ranges of %v: %s, error %v, want %s", seconds, named, err, want)
		}
		if e.Repetitions() != n {
			t.Errorf("%d repetitions, want %d", e.Repetitions(), n)
		}
	}
}

// TestRepetitions checks that the number of repetitions is the largest one of the curves whose times were read, in
// whatever order they were read.
func TestRepetitions(t *testing.T) {
	same := func(int, int) string { return "cpu" }
	on := timed([][]float64{{1}, {1, 2, 3}, {1, 2}, {1, 2, 3, 4}}, func(int, int) float64 { return 1 }, same)
	for reads, want := range map[string]int{"": 1, "a": 1, "b": 3, "ab": 3, "ba": 3, "bc": 3, "cb": 3, "abc": 3, "cba": 3,
		"adc": 4, "dcba": 4} {
		e := expr.NewEvaluation(on)
		parts := []string{`final("d", "primal") > 0`} // this reads no time of d
		for _, name := range reads {
			parts = append(parts, fmt.Sprintf(`final("%c", "seconds") > 0`, name))
		}
		if holds, err := e.Assert(strings.Join(parts, " and ")); err != nil || !holds {
			t.Fatalf("%s: %v, %v, want an assertion that holds", parts, holds, err)
		}
		if got := e.Repetitions(); got != want {
			t.Errorf("after reading the times of %q: %d repetitions, want %d", reads, got, want)
		}
	}
}

// median returns the median of a list.
func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// TestTimesApart checks the text about times of several machines, and the warning about a busy machine. Both concern
// only runs whose times were read.
func TestTimesApart(t *testing.T) {
	seconds := [][]float64{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}
	for _, c := range []struct {
		machines string // of the first repetition of runs a to e
		reads    string // names of the runs whose times are read
		want     []string
	}{
		{"xxxxx", "abcde", nil},
		{"xyyyy", "bcde", nil},
		{"xyyyy", "a", nil},
		{"xyyyy", "abc", []string{"runs 1 on x", "; 2 on y"}},
		{"xyzwv", "abcde", []string{"1 on x", "1 on y", "1 on z", "and 2 more"}},
	} {
		cpu := func(i, k int) string {
			if k == 0 {
				return c.machines[i : i+1]
			}
			return "same"
		}
		slow := func(i, k int) float64 {
			if k == 1 {
				return 1 + float64(i)
			}
			return 1
		}
		e := expr.NewEvaluation(timed(seconds, slow, cpu))
		var parts []string
		most, busy := 1.0, 0
		for _, name := range c.reads {
			parts = append(parts, fmt.Sprintf(`final("%c", "seconds") > 0`, name))
			if slowdown := 1 + float64(name-'a'); slowdown > trace.Quiet {
				most, busy = max(most, slowdown), busy+1
			}
		}
		if holds, err := e.Assert(strings.Join(parts, " and ") + ` and final("a", "primal") == 2`); err != nil || !holds {
			t.Fatalf("%v, %v, want an assertion that holds", holds, err)
		}
		got := e.Apart()
		if (got == "") != (c.want == nil) {
			t.Errorf("machines %s, runs %s: %q, want %q", c.machines, c.reads, got, c.want)
		}
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("machines %s, runs %s: %q, want %q", c.machines, c.reads, got, want)
			}
		}
		warning := strings.Join(e.Warnings(), "\n")
		want := fmt.Sprintf("busy during %d of the %d runs whose times are read: a loop of known work took up to %.2f times",
			busy, len(c.reads), most)
		if busy > 0 && !strings.Contains(warning, want) || busy == 0 && strings.Contains(warning, "busy") {
			t.Errorf("runs %s: warnings %q, want %q", c.reads, warning, want)
		}
	}
}
