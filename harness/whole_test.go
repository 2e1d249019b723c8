package harness

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// judged is a spec with two solvers at two values of C. It has claims about one solver, about both, and about a column
// that depends on the optimum, which is found from all runs.
const judged = tiny + `
regularisation: {convention: eg, C: [100, 10]}
solvers: [{as: a, name: eg, eta: 0.5}, {as: b, name: eg, eta: 0.25}]
stop: {passes: 5}
figure: {x: passes, y: gap}
table: {rows: C, columns: [final.gap]}
claims:
  - {id: a, says: of a alone, assert: 'all(curves({as: "a"}), final(#, "gap") < 1)'}
  - {id: b, says: of b alone, assert: 'final(curve({as: "b", C: 10}), "gap") < 1'}
  - {id: all, says: of all, assert: 'all(series, final(#, "gap") < 1)'}
  - {id: optimum, says: of the optimum, assert: 'final(curve({as: "a", C: 10}), "excess_percent") >= 0'}
  - {id: elsewhere, says: of another optimum, assert: 'final(curve({as: "a", C: 100}), "excess_percent") >= 0'}
  - {id: measure, says: measured on b, assert: '1 < 2', measure: 'final(curve({as: "b", C: 10}), "gap")'}
`

// TestWhole checks what happens if a planned run has no result: every claim that reads this run is not measured, and
// there is no figure and no table. With Partial, the other runs are judged, and the results are marked as partial.
func TestWhole(t *testing.T) {
	whole := t.TempDir()
	s := readSpec(t, judged)
	first := runIn(t, whole, s)
	i := slices.IndexFunc(first.Files, func(f *trace.File) bool {
		return f.Manifest.Labels["as"] == "b" && f.Manifest.Labels["C"] == 10.0
	})
	victim := first.Files[i]
	text, err := os.ReadFile(victim.Path)
	if err != nil {
		t.Fatal(err)
	}
	ends := func(status trace.Status) func(path string) error {
		return func(path string) error {
			f := *victim
			end := *f.End
			end.Status, end.Why = status, "for a test"
			f.End = &end
			return f.Save(path)
		}
	}
	for _, test := range []struct {
		name   string
		change func(path string) error
		why    string // "": it remains a result
	}{
		{"damaged", func(path string) error {
			bad := slices.Clone(text)
			bad[len(bad)/2] ^= 1
			return os.WriteFile(path, bad, 0o666)
		}, "damaged (" + filepath.Base(victim.Path)},
		{"missing", os.Remove, "missing (not in "},
		{"failed", ends(trace.Failed), "failed (for a test)"},
		{"interrupted", ends(trace.Interrupted), "interrupted (for a test)"},
		{"unsupported", ends(trace.Unsupported), ""},
		{"ended by a budget", ends(trace.Budget), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, strings.TrimPrefix(victim.Path, whole))
			if err := test.change(path); err != nil {
				t.Fatal(err)
			}
			r := reread(t, s, Options{Root: dir})
			if test.why == "" {
				if err := r.Whole(); err != nil || r.Set.Share() != "" {
					t.Errorf("Whole() = %v, share %q, want neither", err, r.Set.Share())
				}
				return
			}
			want := "b C=10 seed=1: " + test.why
			if err := r.Whole(); !errors.Is(err, ErrPartial) || !strings.Contains(err.Error(), want) {
				t.Errorf("Whole() = %v, want an ErrPartial with %q", err, want)
			}
			if _, err := r.Figure(); !errors.Is(err, ErrPartial) {
				t.Errorf("Figure: error %v, want an ErrPartial", err)
			}
			if _, err := r.Table(); !errors.Is(err, ErrPartial) {
				t.Errorf("Table: error %v, want an ErrPartial", err)
			}
			verdicts(t, r, test.why, map[string]claims.Outcome{"a": claims.Reproduced, "b": claims.NotMeasured,
				"all": claims.NotMeasured, "optimum": claims.NotMeasured, "elsewhere": claims.Reproduced,
				"measure": claims.NotMeasured})

			part := reread(t, s, Options{Root: dir, Partial: true})
			if err := part.Whole(); err != nil {
				t.Errorf("Whole() with Partial = %v, want nil", err)
			}
			fig := drawn(t, part)
			if !strings.HasPrefix(fig.Caption, "3 of 4 runs · ") {
				t.Errorf("caption = %q, want it to begin with 3 of 4 runs", fig.Caption)
			}
			verdicts(t, part, test.why, map[string]claims.Outcome{"a": claims.Reproduced, "b": claims.NotMeasured,
				"all": claims.Reproduced, "optimum": claims.Reproduced, "elsewhere": claims.Reproduced,
				"measure": claims.NotMeasured})
		})
	}
}

// verdicts checks the outcomes of claims by id. The claims about the run without a result must give its reason.
func verdicts(t *testing.T, r *Result, why string, want map[string]claims.Outcome) {
	t.Helper()
	got, err := r.Claims()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range got {
		if v.Verdict != want[v.Claim] {
			t.Errorf("claim %s: %s (%s), want %s", v.Claim, v.Verdict, v.Why, want[v.Claim])
		}
		says := v.Why + strings.Join(v.Warnings, "\n")
		if about := v.Claim != "a" && v.Claim != "elsewhere"; about != strings.Contains(says, why) {
			t.Errorf("claim %s: the reason %q and the notes %q: contains %q = %t, want %t", v.Claim, v.Why, v.Warnings, why,
				!about, about)
		}
		if v.Lacking != (v.Verdict == claims.NotMeasured) {
			t.Errorf("claim %s: verdict %s, Lacking %t; want Lacking only if it is not measured", v.Claim, v.Verdict, v.Lacking)
		}
	}
}

// TestOlderRunsAreMissing checks that claims are not measured if some runs are of an older revision than the others.
func TestOlderRunsAreMissing(t *testing.T) {
	dir, s := t.TempDir(), readSpec(t, atC+three+`claims:
  - {id: one, says: of c, assert: 'final(curve({as: "c"}), "primal") > 0'}
  - {id: all, says: of all, assert: 'all(series, final(#, "primal") > 0)'}
`)
	runIn(t, dir, s)
	raised := changed(map[string]int{"solver eg": 2}, nil)
	old := reread(t, s, Options{Root: dir, adjust: raised})
	got, err := old.Claims()
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Verdict != claims.Reproduced || got[1].Verdict != claims.NotMeasured ||
		!strings.Contains(got[1].Why, "missing (made by older revisions: solver eg 1, now 2)") {
		t.Errorf("verdicts = %+v, want reproduced, and not measured because of the older revision", got)
	}
	if err := old.Whole(); err == nil || !strings.Contains(err.Error(), "1 of 3 runs") {
		t.Errorf("Whole() = %v, want an error with the text 1 of 3 runs", err)
	}
}

// TestDamagedRunsAreNotReplaced checks that results in the repository, which may belong to other runs, do not replace
// damaged runs of the user.
func TestDamagedRunsAreNotReplaced(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 4}\n")
	f := only(t, runIn(t, dir, s))
	if _, err := store.Keep(dir).Write("test/tiny", "own", []*trace.File{f.Thin(2)}, false); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(s, Options{Root: dir}); !errors.Is(err, ErrNoResults) || !errors.Is(err, ErrPartial) {
		t.Errorf("Read: error %v, want an ErrNoResults and an ErrPartial", err)
	}
	r, err := NewReader(Options{Root: dir}).Merged(s)
	if err == nil {
		err = r.Lacks()
	}
	if !errors.Is(err, ErrPartial) && !errors.Is(err, ErrNoResults) {
		t.Errorf("Merged: error %v, want one about the damaged run", fmt.Sprint(err))
	}
}

// TestWhereResultsComeFrom checks which runs Merged, Read and Read with the option Kept return: the user's or the kept
// ones. It tests each subset of runs that the user may have made.
func TestWhereResultsComeFrom(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+three)
	made := runIn(t, dir, s).Files
	var kept []*trace.File
	for _, f := range made {
		own, end := *f, *f.End
		end.Why = "kept"
		own.End = &end
		kept = append(kept, &own)
	}
	if _, err := store.Keep(dir).Write("test/tiny", "own", kept, false); err != nil {
		t.Fatal(err)
	}
	for set := range 1 << len(made) {
		var merged, own, all []string // for each returned run: whether it is "mine" or "kept"
		for i, f := range made {
			hidden := f.Path + ".hidden"
			if set&(1<<i) != 0 {
				merged, own = append(merged, "mine"), append(own, "mine")
				os.Rename(hidden, f.Path)
			} else {
				merged = append(merged, "kept")
				os.Rename(f.Path, hidden)
			}
			all = append(all, "kept")
		}
		if set == 0 {
			merged, own = nil, all
		}
		check := func(what string, r *Result, err error, want []string) {
			t.Helper()
			var got []string
			if err == nil {
				for _, f := range r.Files {
					got = append(got, map[bool]string{true: "kept", false: "mine"}[f.End.Why == "kept"])
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(want) || (err != nil) != (want == nil) {
				t.Errorf("set %b: %s returns the runs %v, %v; want %v", set, what, got, err, want)
			}
		}
		r, err := NewReader(Options{Root: dir}).Merged(s)
		check("Merged", r, err, merged)
		r, err = Read(s, Options{Root: dir})
		check("Read", r, err, own)
		r, err = Read(s, Options{Root: dir, Kept: true})
		check("Read of kept runs", r, err, all)
	}
}
