package experiments_test

import (
	"testing"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestReferencesKeepWeakDuality checks the references of every committed experiment, which the exact gate compares with
// fresh runs: every dual lies below every primal of the same problem, whichever solvers they are from; no run has
// failed, no row has a warning, and each solver supports at least one problem of its experiment.
func TestReferencesKeepWeakDuality(t *testing.T) {
	bounded := 0
	for _, id := range experiments.IDs() {
		files, err := store.Keep("../results").Read(id, lang.ScaleSmoke)
		if err != nil {
			t.Error(err)
			continue
		}
		set := trace.NewSet(files)
		if set.Err != nil {
			t.Errorf("%s: %v", id, set.Err)
		}
		for _, c := range set.Curves {
			if c.Has(trace.OptLow) {
				bounded++
			}
		}
		applies := map[any]bool{} // solvers that support a problem of the experiment
		for _, f := range files {
			applies[f.Manifest.Labels["as"]] = applies[f.Manifest.Labels["as"]] || f.Status() != trace.Unsupported
		}
		for _, f := range files {
			if f.Status() == trace.Failed || f.Status() == trace.Unsupported && !f.Manifest.Outside &&
				!applies[f.Manifest.Labels["as"]] {
				t.Errorf("%s: %s: %s", id, f.Describe(), f.End.Why)
			}
			for _, row := range f.Rows {
				for _, w := range row.Warnings {
					t.Errorf("%s: %s: %s", id, f.Describe(), w)
				}
			}
		}
	}
	if bounded < 1000 {
		t.Errorf("only %d curves have a bound: this test does not find the references", bounded)
	}
}
