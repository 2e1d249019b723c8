package term

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/notebooks/jupyter"
)

func TestExitCode(t *testing.T) {
	missing := fmt.Errorf("eg/fig06: %w", datasets.ErrMissing)
	short := Exit(ExitShort, "not reproduced: eg/fig06/c1")
	failed := Exit(ExitFailed, "eg/fig06: sgd: diverged")
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"fine", t.Context(), nil, ExitFine},
		{"fine, although interrupted at the end", cut, nil, ExitFine},
		{"interrupted", cut, short, ExitInterrupted},
		{"short", t.Context(), Faults{short}, ExitShort},
		{"failed before short", t.Context(), Faults{short, failed}, ExitFailed},
		{"missing before failed", t.Context(), Faults{short, failed, missing}, ExitMissing},
		{"spec before missing", t.Context(), Faults{missing, &lang.Fault{}, failed}, ExitUsage},
		{"wrapped spec", t.Context(), fmt.Errorf("x: %w", &lang.Fault{}), ExitUsage},
		{"joined spec", t.Context(), errors.Join(&lang.Fault{}, &lang.Fault{}), ExitUsage},
		{"setting", t.Context(), fmt.Errorf("x: %w", &datasets.SettingError{}), ExitUsage},
		{"malformed line", t.Context(), fmt.Errorf("x: %w", &datasets.SyntaxError{}), ExitUsage},
		{"corrupt", t.Context(), fmt.Errorf("x: %w", datasets.ErrCorrupt), ExitMissing},
		{"no results", t.Context(), fmt.Errorf("x: %w", harness.ErrNoResults), ExitMissing},
		{"damaged reference", t.Context(), fmt.Errorf("x: %w", trace.ErrDamaged), ExitMissing},
		{"later reference", t.Context(), fmt.Errorf("x: %w", trace.ErrFormat), ExitMissing},
		{"a part of the results", t.Context(), fmt.Errorf("x: %w", harness.ErrPartial), ExitMissing},
		{"no Jupyter", t.Context(), fmt.Errorf("x: %w", jupyter.ErrMissing), ExitMissing},
		{"uncommitted changes", t.Context(), fmt.Errorf("x: %w", harness.ErrNotClean), ExitUsage},
		{"another campaign", t.Context(), fmt.Errorf("x: %w", cluster.ErrDiffers), ExitUsage},
		{"disk full before short", t.Context(), Faults{short, errors.New("no space left on device")}, ExitFailed},
		{"usage", t.Context(), fmt.Errorf("x: %w", Usage("no flag %q", "x")), ExitUsage},
		{"disk full", t.Context(), errors.New("no space left on device"), ExitFailed},
	}
	for _, test := range tests {
		if got := ExitCode(test.ctx, test.err); got != test.want {
			t.Errorf("%s: exit code %d; want %d", test.name, got, test.want)
		}
	}
	var faults Faults
	faults.Add(nil)
	if err := faults.Err(); err != nil {
		t.Errorf("Err of no faults = %v, want nil", err)
	}
	faults.Add(short)
	faults.Add(nil)
	faults.Add(missing)
	if err := faults.Err(); err == nil || err.Error() != short.Error()+"\n"+missing.Error() {
		t.Errorf("Err of two faults = %v, want a line for each", err)
	}
}
