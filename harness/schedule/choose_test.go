package schedule_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// wantChoice checks the choice of the step size at one value of C: the runs whose step size equals the argument
// "winner" are chosen and end after 5 passes. The other runs stop after 2 passes, where the runs are compared.
func wantChoice(t *testing.T, r *toy.Result, C, winner string) {
	t.Helper()
	for _, f := range r.Files {
		if f.Manifest.Labels["as"] != "descent" || trace.FormatLabel(f.Manifest.Labels["C"]) != C {
			continue
		}
		wins := trace.FormatLabel(f.Manifest.Labels["step"]) == winner
		if got := f.End.Labels["chosen"]; got != wins {
			t.Errorf("%s: chosen is %v, want %v", f.Describe(), got, wins)
		}
		switch passes := toy.Last(t, f)[trace.Passes]; {
		case f.Status() == trace.Diverged && !wins:
		case f.Status() != trace.Done:
			t.Errorf("%s ended as %s (%s), want done", f.Describe(), f.Status(), f.End.Why)
		case wins && passes != 5, !wins && passes != 2:
			t.Errorf("%s (chosen: %v): ended after %v passes, want 5 if chosen and 2 if not", f.Describe(), wins, passes)
		}
	}
}

// TestChoose checks that the best step size is chosen for each C, and that runs of other solvers are not compared. A
// second Run must reuse all results and change no file.
func TestChoose(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 2} {
		dir := t.TempDir()
		s := toy.Spec(t, toy.Choosing)
		r := toy.Run(t, dir, s, toy.Workers(workers))
		wantChoice(t, r, "10000", "0.0001")
		wantChoice(t, r, "1", "0.1")
		if failed := r.Failed(); len(failed) != 0 {
			t.Errorf("failures = %q, want none: a candidate that diverged and lost is not a failure", failed)
		}
		if f := toy.Labelled(t, r, "as", "ascent", "C", "1", "seed", "1"); f.End.Labels["chosen"] != nil {
			t.Error("ascent has the label chosen, although it is not a candidate")
		}
		before := toy.BytesOf(t, dir)
		var again toy.Journal
		toy.Run(t, dir, s, again.Option(), toy.Workers(workers))
		if len(again.Ended) != 0 || len(again.Reused) != 16 || again.Last.Done != 16 {
			t.Errorf("second Run: made %q, reused %d, done %d; want none made, 16 reused, 16 done", again.Ended,
				len(again.Reused), again.Last.Done)
		}
		for path, text := range toy.BytesOf(t, dir) {
			if before[path] != text {
				t.Errorf("the second Run changed %s", path)
			}
		}
	}
}

// TestChooseWithRareRecords checks that a row is recorded at the point where runs are compared, even if rows are rare.
// Then a second Run makes the same choice.
func TestChooseWithRareRecords(t *testing.T) {
	t.Parallel()
	s := toy.Spec(t, toy.Choosing, "record.every={passes: 4}", "record.metrics=[dual]")
	dir := t.TempDir()
	wantChoice(t, toy.Run(t, dir, s), "10000", "0.0001")
	var again toy.Journal
	r := toy.Run(t, dir, s, again.Option())
	if len(again.Ended) != 0 {
		t.Errorf("the second Run repeated runs, want none repeated: %q", again.Ended)
	}
	f := toy.Labelled(t, r, "as", "descent", "C", "1", "step", "0.1", "seed", "1")
	if got := toy.Column(t, f, trace.Passes); len(got) != 4 || got[1] != 2 {
		t.Errorf("rows at passes %v, want 0, 2 (the point), 4 and 5", got)
	}
}

// TestChoiceOfAWiderGrid checks that a new step size in the grid can replace the earlier winner. The file of the
// earlier winner must then record that this run was not chosen.
func TestChoiceOfAWiderGrid(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test chooses twice")
	}
	dir := t.TempDir()
	wantChoice(t, toy.Run(t, dir, toy.Spec(t, toy.Choosing, "solvers.descent.step={grid: [0.001, 0.0001]}")), "1", "0.001")
	r := toy.Run(t, dir, toy.Spec(t, toy.Choosing, "solvers.descent.step={grid: [0.1, 0.001, 0.0001]}"))
	for _, f := range r.Files {
		if f.Manifest.Labels["as"] == "descent" && f.Manifest.Labels["C"] == 1. {
			if wins := trace.FormatLabel(f.Manifest.Labels["step"]) == "0.1"; f.End.Labels["chosen"] != wins {
				t.Errorf("%s: chosen is %v, want it true only for step 0.1", f.Describe(), f.End.Labels["chosen"])
			}
		}
	}
	wantChoice(t, toy.Run(t, dir, toy.Spec(t, toy.Choosing, "solvers.descent.step={grid: [0.001, 0.0001]}")), "1", "0.001")
}

// TestInterruptedTrials checks that no choice is made if one of the runs to compare was interrupted. All runs of the
// group must then have the status interrupted. A second Run must make the choice, with the same rows as an
// uninterrupted Run.
func TestInterruptedTrials(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test interrupts runs tens of times")
	}
	dir := t.TempDir()
	s := toy.Spec(t, toy.Choosing)
	ctx, cancel := context.WithCancel(context.Background())
	r := toy.RunIn(t, ctx, dir, s, toy.OnEvent(func(e schedule.Event) {
		if e.Kind == schedule.Recorded && e.Run.Labels["step"] == 0.1 && e.Run.C == 1 {
			cancel()
		}
	}))
	if r.Ended() {
		t.Error("the experiment ended, want it interrupted")
	}
	compared := 0
	for _, f := range r.Files {
		if f.Manifest.Labels["as"] != "descent" || f.Manifest.Labels["C"] != 1. {
			continue
		}
		if f.Status() != trace.Interrupted || f.End == nil || f.End.Labels["chosen"] != nil {
			t.Errorf("%s: status %s, end %+v; want it interrupted and without the label chosen", f.Describe(), f.Status(), f.End)
		} else if strings.Contains(f.End.Why, "not yet compared") {
			compared++
		}
	}
	if compared != 2 {
		t.Errorf("%d runs wait for the comparison, want the 2 that had reached it", compared)
	}
	whole := toy.Run(t, dir, s)
	wantChoice(t, whole, "1", "0.1")
	toy.SameRows(t, "interrupted and not", toy.Run(t, t.TempDir(), s).Files, whole.Files)
}

// TestNobodyToChoose checks that the compared runs fail, with a reason, if none has the metric of the comparison. Runs
// that diverged keep the status diverged.
func TestNobodyToChoose(t *testing.T) {
	t.Parallel()
	text := strings.Replace(toy.Choosing, "by: primal", "by: validation_error", 1)
	r := toy.Text(t, strings.Replace(text, "validation: 40", "validation: 0", 1))
	failed := strings.Join(r.Failed(), "\n")
	if strings.Count(failed, "none of the compared runs has validation_error") != 8 ||
		strings.Count(failed, "diverged") != 4 {
		t.Errorf("want 8 failures for lack of validation_error, and 4 runs that diverged; failures:\n%s", failed)
	}
}
