package show

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/baseline"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// tiny is an experiment on generated data that is the same at every scale.
const tiny = `
apiVersion: gaplab/v1
id: my/tiny
title: Primal and dual
dataset: {name: digits, train: 60, validation: 20}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [10]}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 3}
figure: {x: passes, y: [primal, dual], series: "{y}"}
scales:
  smoke: {stop: {passes: 2}}
`

func atScale(t *testing.T, scale string) {
	t.Helper()
	t.Setenv("GAPLAB_SCALE", scale)
}

// TestScale checks that GAPLAB_SCALE sets the scale, and that smoke is the default.
func TestScale(t *testing.T) {
	atScale(t, "")
	if got := Parse(tiny); Scale() != lang.ScaleSmoke || got.Scale != lang.ScaleSmoke || got.Problems[0].Stop.Passes != 2 {
		t.Errorf("without GAPLAB_SCALE: scale %q, %g passes, want smoke, 2", got.Scale, got.Problems[0].Stop.Passes)
	}
	atScale(t, "paper")
	if got := Parse(tiny, "stop.passes=7"); got.Scale != lang.ScalePaper || got.Problems[0].Stop.Passes != 7 {
		t.Errorf("scale %q, %g passes, want paper, 7", got.Scale, got.Problems[0].Stop.Passes)
	}
}

// events runs an experiment whose results folder is in root, and counts the events of its runs by kind.
func events(t *testing.T, root string, set ...string) map[schedule.EventKind]int {
	t.Helper()
	n := map[schedule.EventKind]int{}
	r := run(Parse(tiny, set...), harness.Options{Root: root, OnEvent: func(e schedule.Event) { n[e.Kind]++ }})
	if len(r.Set.Curves) != 1 {
		t.Fatalf("the result has %d curves, want 1", len(r.Set.Curves))
	}
	return n
}

// TestRunReuses checks that a second run of an experiment reuses the results of the first.
func TestRunReuses(t *testing.T) {
	atScale(t, "smoke")
	root := t.TempDir()
	if n := events(t, root); n[schedule.Ended] != 1 || n[schedule.Reused] != 0 {
		t.Errorf("first run: events %v, want one that ended", n)
	}
	if n := events(t, root); n[schedule.Started] != 0 || n[schedule.Reused] != 1 {
		t.Errorf("second run: events %v, want one that was reused", n)
	}
	if n := events(t, root, "regularisation.C=[5]"); n[schedule.Ended] != 1 {
		t.Errorf("with another C: events %v, want one that ended", n)
	}
}

// TestCommittedResultsOfPaperScale checks that at scale paper nothing is run if the committed results are complete.
func TestCommittedResultsOfPaperScale(t *testing.T) {
	atScale(t, "paper")
	root := t.TempDir()
	if n := events(t, root); n[schedule.Ended] != 1 {
		t.Fatalf("first run: events %v, want one that ended", n)
	}
	spec := filepath.Join(root, "tiny.yaml")
	if err := os.WriteFile(spec, []byte(tiny), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := harness.Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := baseline.Update(t.Context(), []*harness.Experiment{e}, "paper", harness.Options{Root: root})
	if err != nil || len(packed) != 1 {
		t.Fatalf("packed %q, %v; want one file", packed, err)
	}
	if err := os.RemoveAll(filepath.Join(root, "runs")); err != nil {
		t.Fatal(err)
	}
	if n := events(t, root); len(n) != 0 {
		t.Errorf("with committed results: events %v, want none", n)
	}
}

// TestPanics checks that, outside a notebook, an error becomes a panic whose text has the experiment and the reason.
func TestPanics(t *testing.T) {
	for _, tt := range []struct {
		name, scale string
		call        func()
		want        []string
	}{
		{"scale", "huge", func() { Parse(tiny) }, []string{"show: my/tiny", "GAPLAB_SCALE", `"huge"`, "smoke, paper"}},
		{"spec", "", func() { Parse("apiVersion: gaplab/v1\nid: my/x\nnonsense: 1\n") },
			[]string{"show: the experiment in this cell", "cell:3", "nonsense"}},
		{"id", "", func() { Spec("nopaper/fig01") }, []string{"show: nopaper/fig01", "no experiment"}},
		{"no table", "", func() {
			_, err := run(Parse(tiny), harness.Options{Root: t.TempDir()}).Table()
			check(err, "my/tiny")
		},
			[]string{"has no table"}},
		{"no frames", "", func() { Slider("C", nil) }, []string{"slider C", "at least one"}},
		{"diverged", "", func() {
			run(Parse(strings.Replace(tiny, "{name: eg, eta: 0.5}", "{name: sgd, eta0: 1e200}", 1)),
				harness.Options{Root: t.TempDir()})
		},
			[]string{"my/tiny at scale smoke", "sgd", "diverged"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			atScale(t, tt.scale)
			defer func() {
				got, _ := recover().(string)
				for _, want := range tt.want {
					if !strings.Contains(got, want) {
						t.Errorf("panic %q, want %q in it", got, want)
					}
				}
			}()
			tt.call()
			t.Error("the call did not panic")
		})
	}
}
