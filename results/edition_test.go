package results_test

import (
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestEdition checks the results at scale paper that belong to the edition. They were made by clean programs whose
// commits are in the history, on one kind of machine. A part of the code has the same sources in all of them. A run
// that several experiments share is one run, unless they are timed: one process measured all times of such an
// experiment. Then the copies of the run have the same end.
func TestEdition(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all results of the edition")
	}
	record, err := edition.Read("paper")
	if errors.Is(err, edition.ErrNoEdition) {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	commits := map[string]bool{}
	for _, s := range record.Sittings {
		if s.Program.Unclean {
			t.Errorf("the sitting of %s was made by an unclean program", s.Began)
		}
		commits[s.Program.Commit] = true
	}
	for commit := range maps.Keys(commits) {
		if in, known := inHistory(t, commit); known && !in {
			t.Errorf("commit %s made results, but is not in the history", commit)
		}
	}
	sources, runs, ends := map[string]string{}, map[string]string{}, map[string]string{}
	once := func(seen map[string]string, kind, name, value, where string) {
		if old, ok := seen[name]; ok && old != value {
			t.Errorf("%s: %s %s is %s here and %s elsewhere", where, kind, name, value, old)
		}
		seen[name] = value
	}
	kept := store.Keep(".")
	for _, entry := range record.Experiments {
		e, err := harness.Find(entry.ID)
		if err != nil {
			t.Errorf("%s is in the edition: %v", entry.ID, err)
			continue
		}
		s, err := e.At("paper", nil)
		if err != nil {
			t.Fatal(err)
		}
		files, err := kept.Read(entry.ID, "paper")
		if err != nil {
			t.Errorf("%s is in the edition: %v", entry.ID, err)
			continue
		}
		if entry.State != edition.Done || entry.Runs != entry.Planned {
			t.Errorf("%s: %s, %d of %d runs; want all done", entry.ID, entry.State, entry.Runs, entry.Planned)
		}
		sitting := map[string]string{}
		for _, f := range files {
			m, where := f.Manifest, entry.ID+" "+f.Describe()
			if m.Dirty || !commits[m.Commit] {
				t.Errorf("%s: made at commit %q, dirty %v; want a commit of the edition", where, m.Commit, m.Dirty)
			}
			if m.CPU != record.Machine.CPU || m.Platform != record.Machine.Platform {
				t.Errorf("%s: made on %s, %s; want %s, %s", where, m.CPU, m.Platform, record.Machine.CPU,
					record.Machine.Platform)
			}
			for part, hash := range m.Sources {
				once(sources, "the code of", part, hash, where)
			}
			if f.Status() == trace.Done {
				last := f.Rows[len(f.Rows)-1].Values
				once(ends, "the end of run", m.Key, fmt.Sprint(last["passes"], last["primal"], last["dual"]), where)
			}
			if schedule.Timed(s) { // measures all of its runs itself, also those that others have
				once(sitting, "the process of", "the times", m.Sitting, where)
			} else {
				once(runs, "the start of run", m.Key, m.Start, where)
			}
		}
	}
	all, err := harness.Experiments()
	if err != nil {
		t.Fatal(err)
	}
	left := slices.DeleteFunc(all, func(e *harness.Experiment) bool {
		return !slices.Contains(e.Scales(), "paper") ||
			slices.ContainsFunc(record.Experiments, func(own edition.Entry) bool { return own.ID == e.ID })
	})
	t.Logf("%d experiments are in the edition, %d are not", len(record.Experiments), len(left))
}

// inHistory reports whether a commit is an ancestor of the present one, and whether this is known: in a shallow clone,
// and outside a checkout, it is not.
func inHistory(t *testing.T, commit string) (in, known bool) {
	t.Helper()
	out, err := exec.Command("git", "rev-parse", "--is-shallow-repository").Output()
	if err != nil || strings.TrimSpace(string(out)) != "false" {
		t.Logf("commit %s: the history is not known: %v", commit, err)
		return false, false
	}
	return exec.Command("git", "merge-base", "--is-ancestor", commit, "HEAD").Run() == nil, true
}
