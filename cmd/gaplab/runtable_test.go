package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
)

// fileOf returns a run with two rows, of which the last has the given values.
func fileOf(labels map[string]any, status trace.Status, why string, last map[string]float64) *trace.File {
	solver := map[string]any{"name": labels["as"], "as": labels["as"]}
	f := &trace.File{Manifest: trace.Manifest{Experiment: "my/x", Labels: labels, Spec: map[string]any{"solver": solver}},
		End: &trace.End{Status: status, Why: why}}
	if last != nil {
		first := map[string]float64{trace.Passes: 0, trace.Primal: 99, trace.Gap: 9, trace.Seconds: 7, "validation_f1": 9}
		f.Rows = []trace.Row{{Values: first}, {Values: last}}
	}
	return f
}

// resultOf returns the result of an experiment with these runs.
func resultOf(files ...*trace.File) *harness.Result {
	return &harness.Result{Spec: &lang.Spec{ID: "my/x"}, Files: files, Set: trace.NewSet(files), Planned: len(files)}
}

// TestTableOfRuns checks each cell of the table of runs: the labels that differ, the status unless all runs are done,
// the last row, empty cells for what is not known, and the reason of the end. Candidates that were not chosen are
// counted and not shown. Repetitions are one line.
func TestTableOfRuns(t *testing.T) {
	chain := func(as string, c float64, more ...string) map[string]any {
		labels := map[string]any{"as": as, "C": c, "model": "chain", "seed": 1., "dataset": "words"}
		if len(more) > 0 {
			labels[trace.Repetition] = more[0]
		}
		return labels
	}
	last := func(passes, primal, dual, gap, seconds float64) map[string]float64 {
		return map[string]float64{trace.Passes: passes, trace.Primal: primal, trace.Dual: dual, trace.Gap: gap,
			trace.Seconds: seconds, "validation_error": primal / 2}
	}
	one := fileOf(chain("eg", 1), trace.Done, "gap 0.01\nmore", last(12.34, 2, 1.5, 0.25, 3))
	two := fileOf(chain("eg", 20), trace.Done, "done: 5 passes", last(5, 0.125, 0.1, 0.2, 1.5))
	head := []string{"C", "passes", "primal", "dual", "gap", "validation error", "seconds", "why"}
	table, losers := runTable(resultOf(one, two))
	want := [][]string{{"1", "12.3", "2.000000", "1.500000", "2.5e-01", "1.0000", "3.00", "gap 0.01"},
		{"20", "5.0", "0.125000", "0.100000", "2.0e-01", "0.0625", "1.50", "5 passes"}}
	if diff := cmp.Diff([]any{head, want, 0}, []any{table.Head, table.Rows, losers}); diff != "" {
		t.Errorf("the table differs (-want +got):\n%s", diff)
	}
	if table, _ := runTable(resultOf(two)); !slices.Equal(table.Head, slices.Concat([]string{"as"}, head[1:])) ||
		table.Rows[0][0] != "eg" {
		t.Errorf("the table of one run: %q, %q", table.Head, table.Rows)
	}

	loser, winner := fileOf(chain("eg", 3), trace.Done, "5 passes", last(1, 1, 1, 1, 1)), one
	loser.End.Labels = map[string]any{"chosen": false}
	winner.End.Labels = map[string]any{"chosen": true}
	other := fileOf(chain("sgd", 3), trace.Diverged, "diverged: the primal became NaN\nstack",
		map[string]float64{trace.Passes: 3, trace.Primal: math.Inf(1), "validation_f1": 0.5, "other": 3})
	none := fileOf(chain("lbfgs", 3), trace.Unsupported, "unsupported: no", nil)
	cut := fileOf(chain("svm", 3), trace.Interrupted, "", nil)
	cut.End = nil
	files := []*trace.File{loser, winner, other, none, cut}
	for i := range 3 {
		f := fileOf(chain("bmrm", 3, fmt.Sprint(i+1)), trace.Done, "5 passes", last(1, 1, 1, 1, float64(i)))
		f.Rows[1].Values[trace.Passes] = float64(i + 1)
		files = append(files, f)
	}
	table, losers = runTable(resultOf(files...))
	got := map[string][]string{}
	at := slices.Index(table.Head, "as")
	for _, row := range table.Rows {
		got[row[at]] = row[slices.Index(table.Head, "status"):]
	}
	wanted := map[string][]string{
		"eg":    {"done", "12.3", "2.000000", "1.500000", "2.5e-01", "1.0000", "", "3.00", "gap 0.01"},
		"sgd":   {"diverged", "3.0", "+Inf", "", "", "", "0.5000", "", "the primal became NaN"},
		"lbfgs": {"unsupported", "", "", "", "", "", "", "", "no"},
		"svm":   {"interrupted", "", "", "", "", "", "", "", ""},
		"bmrm":  {"done", "1.0", "1.000000", "1.000000", "1.0e+00", "0.5000", "", "1.00 (0.00 to 2.00)", "5 passes"},
	}
	if diff := cmp.Diff(wanted, got); diff != "" || losers != 1 || len(table.Rows) != len(wanted) {
		t.Errorf("%d losers and %d lines, the lines differ (-want +got):\n%s", losers, len(table.Rows), diff)
	}
}

// TestFaultsOfRuns checks which runs are reported as failed or unsupported, which warnings are printed, and how many
// runs have ended.
func TestFaultsOfRuns(t *testing.T) {
	labels := func(as string) map[string]any { return map[string]any{"as": as, "C": 1., "model": "chain"} }
	done := fileOf(labels("eg"), trace.Done, "5 passes", map[string]float64{trace.Passes: 5})
	done.Rows[0].Warnings, done.Rows[1].Warnings, done.Warnings = []string{"a row"}, []string{"a row"}, []string{"a file"}
	failed := fileOf(labels("sgd"), trace.Failed, "no memory\nstack", nil)
	diverged := fileOf(labels("adam"), trace.Diverged, "NaN", map[string]float64{trace.Passes: 1})
	no := fileOf(labels("lbfgs"), trace.Unsupported, "unsupported: needs a smooth loss", nil)
	cut := fileOf(labels("svm"), trace.Interrupted, "", nil)
	for _, c := range []struct {
		files  []*trace.File
		faults []string
		ended  int
	}{
		{[]*trace.File{done}, nil, 1}, {[]*trace.File{done, no, cut}, nil, 2},
		{[]*trace.File{done, failed, diverged, cut}, []string{"sgd", "adam"}, 3},
		{[]*trace.File{no}, []string{"unsupported: 1 run;"}, 1},
	} {
		r := resultOf(c.files...)
		p := &printer{}
		p.failures(r)
		for i, err := range p.faults {
			text := err.Error()
			if i >= len(c.faults) || !strings.HasPrefix(text, "my/x: ") || !strings.Contains(text, c.faults[min(i,
				len(c.faults)-1)]) || strings.Contains(text, "stack") || term.ExitCode(t.Context(), err) != term.ExitFailed {
				t.Errorf("fault %d of %d runs: %v, want %q", i, len(c.files), err, c.faults)
			}
		}
		if len(p.faults) != len(c.faults) || ended(r) != c.ended {
			t.Errorf("%d faults, and %d of %d runs have ended; want %q and %d", len(p.faults), ended(r), len(c.files),
				c.faults, c.ended)
		}
	}
	r := resultOf(done, no)
	if got, want := unsupported(r), []string{"lbfgs: unsupported: needs a smooth loss"}; !slices.Equal(got, want) {
		t.Errorf("unsupported runs %q, want %q", got, want)
	}
	r.Set.Warnings = append(r.Set.Warnings, "the whole set")
	for _, text := range []string{"a row", "a file", "the whole set"} {
		n := 0
		for _, warning := range warnings(r) {
			if strings.HasSuffix(warning, text) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the warning %q is given %d times in %q, want once", text, n, warnings(r))
		}
	}
}

// TestVerdictsThatEndWithAnError checks which verdicts are an error: claims that are not reproduced, and claims that
// read a run without a result. A missing run of the experiment itself is an error of its own, unless --partial is
// given.
func TestVerdictsThatEndWithAnError(t *testing.T) {
	all := []claims.Verdict{{Experiment: "p/a", Claim: "c1", Verdict: claims.Reproduced},
		{Experiment: "p/a", Claim: "c2", Verdict: claims.NotReproduced},
		{Experiment: "p/a", Claim: "c3", Verdict: claims.Tie},
		{Experiment: "p/b", Claim: "c4", Verdict: claims.NotMeasured, Lacking: true},
		{Experiment: "p/b", Claim: "c5", Verdict: claims.NotMeasured},
		{Experiment: "p/b", Claim: "c6", Verdict: claims.NotReproduced},
		{Experiment: "p/b", Claim: "c7", Verdict: claims.NotMeasured, Lacking: true},
		{Experiment: "p/b", Claim: "c8", Verdict: claims.NotTestable}}
	check := func(what string, err error, text string, code int) {
		t.Helper()
		if text == "" && err == nil {
			return
		}
		if err == nil || text == "" || !strings.Contains(err.Error(), text) || term.ExitCode(t.Context(), err) != code {
			t.Errorf("%s: error %v, want %q with exit code %d", what, err, text, code)
		}
	}
	check("all verdicts", shortfall(all), "not reproduced: p/a/c2, p/b/c6", term.ExitShort)
	check("no claim that is not reproduced", shortfall(all[2:5]), "", 0)
	whole := resultOf(fileOf(map[string]any{"as": "eg"}, trace.Done, "", map[string]float64{trace.Passes: 5}))
	const reads = "claims not measured, because they read runs without a result: p/b/c4, p/b/c7"
	check("runs of others", lacking(whole, all), reads, term.ExitMissing)
	check("none", lacking(whole, all[:3]), "", 0)
	check("no result", lacking(nil, all), "", 0)
	part := resultOf(whole.Files...)
	part.Set.Missing = []*trace.Curve{trace.NewMissing(map[string]any{"as": "sgd"}, trace.Damaged, "cut")}
	check("own runs", lacking(part, all), "or use the other runs with --partial", term.ExitMissing)
	part.Set.Partial = true
	check("--partial", lacking(part, all), "", 0)
}

// TestSecondsOfRepetitions compares the cell of the seconds of repeated runs with the definition: the median and, in
// brackets, the smallest and the largest value. Repetitions without seconds do not count.
func TestSecondsOfRepetitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		var repeats []*float64
		var known []float64
		for i := range 1 + rng.IntN(5) {
			v := float64(rng.IntN(1000)) / 8
			if i > 0 && rng.IntN(4) == 0 {
				repeats = append(repeats, nil)
				continue
			}
			repeats, known = append(repeats, &v), append(known, v)
		}
		want := fmt.Sprintf("%.2f", known[0])
		if len(known) > 1 {
			slices.SortFunc(known, func(a, b float64) int { return int(8 * (a - b)) })
			median := known[len(known)/2]
			if len(known)%2 == 0 {
				median = (median + known[len(known)/2-1]) / 2
			}
			want = fmt.Sprintf("%.2f (%.2f to %.2f)", median, known[0], known[len(known)-1])
		}
		if got := secondsOf(repeats); got != want {
			t.Fatalf("seconds of %v: %s, want %s", known, got, want)
		}
	}
	if got := secondsOf([]*float64{nil}); got != "" {
		t.Errorf("seconds of a run without seconds: %q, want none", got)
	}
}

// TestRepetitionsShareALine checks which runs share a line of the table: those that differ only in their repetition and
// ended in the same way. The line is the one of the first of them. Runs without repetitions share no line.
func TestRepetitionsShareALine(t *testing.T) {
	var files []*trace.File
	var summaries []summary.Summary
	add := func(seconds, c float64, repetition any, status trace.Status) {
		labels := map[string]any{"as": "eg", "C": c}
		if repetition != nil {
			labels[trace.Repetition] = repetition
		}
		files = append(files, &trace.File{Manifest: trace.Manifest{Labels: labels}, End: &trace.End{Status: status}})
		summaries = append(summaries, summary.Summary{Seconds: &seconds})
	}
	add(1, 1, 1.0, trace.Done)
	add(2, 2, 1.0, trace.Done)
	add(3, 1, 2.0, trace.Done)
	add(4, 1, 3.0, trace.Failed)
	add(5, 2, 2.0, trace.Done)
	add(6, 1, 4.0, trace.Failed)
	add(7, 3, nil, trace.Done)
	add(8, 3, nil, trace.Done)
	var got []string
	for _, list := range repetitions(files, summaries) {
		text := "none"
		if list != nil {
			text = ""
		}
		for _, v := range list {
			text += fmt.Sprint(*v)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"13", "25", "none", "46", "none", "none", "7", "8"}, got); diff != "" {
		t.Errorf("seconds of each line differ (-want +got):\n%s", diff)
	}
}
