package harness

import (
	"context"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

const chosen = tiny + `
regularisation: {convention: eg, C: [100, 1]}
solvers:
  - {name: sgd, eta0: {grid: [1e200, 0.1, 0.0001]}}
  - {name: eg, eta: 0.5}
choose: [{solver: sgd, over: eta0, by: primal, at: {passes: 2}, per: [C]}]
seeds: [1, 2]
stop: {passes: 5}
`

// wantChoice checks that per C and seed one value goes on, and that the others stop at the point.
func wantChoice(t *testing.T, r *Result, C, winner string) {
	t.Helper()
	for _, f := range r.Files {
		if f.Manifest.Labels["as"] != "sgd" || trace.FormatLabel(f.Manifest.Labels["C"]) != C {
			continue
		}
		wins := trace.FormatLabel(f.Manifest.Labels["eta0"]) == winner
		if got := f.End.Labels["chosen"]; got != wins {
			t.Errorf("%s: chosen is %v, want %v", f.Describe(), got, wins)
		}
		switch passes := lastRow(t, f)[trace.Passes]; {
		case f.Status() == trace.Diverged && !wins:
		case f.Status() != trace.Done:
			t.Errorf("%s: %s: %s", f.Describe(), f.Status(), f.End.Why)
		case wins && passes != 5, !wins && passes != 2:
			t.Errorf("%s: ends after %v passes", f.Describe(), passes)
		}
	}
}

func TestChoose(t *testing.T) {
	for _, workers := range []int{1, 2} {
		dir := t.TempDir()
		s := readSpec(t, chosen)
		r := runIn(t, dir, s, Workers(workers))
		wantChoice(t, r, "100", "0.0001")
		wantChoice(t, r, "1", "0.1")
		if failed := r.Failed(); len(failed) != 0 {
			t.Errorf("a loser that diverged is no failure: %q", failed)
		}
		if f := labelled(t, r, "as", "eg", "C", "1", "seed", "1"); f.End.Labels["chosen"] != nil {
			t.Error("eg was no candidate")
		}
		before := bytesOf(t, dir)
		var again journal
		runIn(t, dir, s, again.option(), Workers(workers))
		if len(again.ended) != 0 || len(again.reused) != 16 || again.last.Done != 16 {
			t.Errorf("the second Run ended %q and reused %d of 16, %d done", again.ended, len(again.reused), again.last.Done)
		}
		for path, text := range bytesOf(t, dir) {
			if before[path] != text {
				t.Errorf("%s was touched", path)
			}
		}
	}
}

// TestChooseWithRareRecords: the point has its record whatever the cadence, so that a second Run chooses alike.
func TestChooseWithRareRecords(t *testing.T) {
	s := readSpec(t, chosen, "record.every={passes: 4}", "record.metrics=[dual]")
	dir := t.TempDir()
	wantChoice(t, runIn(t, dir, s), "100", "0.0001")
	var again journal
	r := runIn(t, dir, s, again.option())
	if len(again.ended) != 0 {
		t.Errorf("the second Run chose again: %q", again.ended)
	}
	if got := column(t, labelled(t, r, "as", "sgd", "C", "1", "eta0", "0.1", "seed", "1"), trace.Passes); len(got) != 4 ||
		got[1] != 2 {
		t.Errorf("records at %v, want 0, 2 (the point), 4 and 5", got)
	}
}

// TestChoiceOfAWiderGrid: a new candidate that wins takes the place of the old winner, whose file says so.
func TestChoiceOfAWiderGrid(t *testing.T) {
	dir := t.TempDir()
	wantChoice(t, runIn(t, dir, readSpec(t, chosen, "solvers.sgd.eta0={grid: [0.001, 0.0001]}")), "1", "0.001")
	r := runIn(t, dir, readSpec(t, chosen, "solvers.sgd.eta0={grid: [0.1, 0.001, 0.0001]}"))
	for _, f := range r.Files {
		if f.Manifest.Labels["as"] == "sgd" && f.Manifest.Labels["C"] == 1. {
			if wins := trace.FormatLabel(f.Manifest.Labels["eta0"]) == "0.1"; f.End.Labels["chosen"] != wins {
				t.Errorf("%s: chosen is %v", f.Describe(), f.End.Labels["chosen"])
			}
		}
	}
	wantChoice(t, runIn(t, dir, readSpec(t, chosen, "solvers.sgd.eta0={grid: [0.001, 0.0001]}")), "1", "0.001")
}

// TestInterruptedTrials: no choice is made of half the candidates.
func TestInterruptedTrials(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, chosen)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Run(ctx, s, Root(dir), OnEvent(func(e Event) {
		if e.Kind == Recorded && e.Run.Labels["eta0"] == 0.1 && e.Run.C == 1 {
			cancel()
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted() {
		t.Error("not interrupted")
	}
	for _, f := range r.Files {
		if f.Manifest.Labels["as"] != "sgd" || f.Manifest.Labels["C"] != 1. {
			continue
		}
		if f.Status() != trace.Interrupted || f.End == nil || f.End.Labels["chosen"] != nil {
			t.Errorf("%s: %s, %+v; want it interrupted and not judged", f.Describe(), f.Status(), f.End)
		}
	}
	whole := runIn(t, dir, s)
	wantChoice(t, whole, "1", "0.1")
	sameRows(t, "interrupted and not", runIn(t, t.TempDir(), s).Files, whole.Files)
}

// TestNobodyToChoose: a choice that cannot be made is a failure, not a silent end.
func TestNobodyToChoose(t *testing.T) {
	text := strings.Replace(chosen, "by: primal", "by: validation_error", 1)
	r := runText(t, strings.Replace(text, "validation: 40", "validation: 0", 1))
	if failed := strings.Join(r.Failed(), "\n"); strings.Count(failed, "no candidate has validation_error") != 8 ||
		strings.Count(failed, "diverged") != 4 {
		t.Errorf("failures:\n%s", failed)
	}
}
