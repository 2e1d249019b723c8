package harness

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
)

const gated = tiny + `
regularisation: {convention: eg, C: [100, 10]}
solvers:
  - {name: eg, eta: 4}
  - {as: path, name: eg, eta: 0.5, path: {C: {from: 100, factor: 0.3, steps: 3}, until: {gap: 0.05}}}
  - {name: lbfgs}
record: {every: {passes: 0.3}}
stop: {passes: 12}
`

// planted replaces EG by a spoilt one.
func planted(spoil func(*eg.Solver) solvers.Warm) Option {
	return func(o *options) {
		o.Wrap = func(s solvers.Solver) solvers.Solver {
			if eg, ok := s.(*eg.Solver); ok {
				return spoil(eg)
			}
			return s
		}
	}
}

// spoilt is a solver on a problem whose exp-oracle is another.
type spoilt struct {
	solvers.Warm
	oracle func(models.ExpOracle) models.ExpOracle
}

func (s spoilt) risk(p *models.Risk) *models.Risk {
	return p.Map(func(e *models.Example) { e.Exp = s.oracle(e.Exp) }).(*models.Risk)
}

func (s spoilt) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return s.Warm.Train(s.risk(p), env)
}

func (s spoilt) Start(p *models.Risk, env solvers.Env) (solvers.Session, error) {
	return s.Warm.Start(s.risk(p), env)
}

// wrongSign gives one marginal the wrong sign.
type wrongSign struct{ models.ExpOracle }

func (o wrongSign) LogSum(mu, theta []float64) float64 {
	z := o.ExpOracle.LogSum(mu, theta)
	if mu != nil {
		mu[0] = -mu[0]
	}
	return z
}

// twice asks for every value twice.
type twice struct{ models.ExpOracle }

func (o twice) LogSum(mu, theta []float64) float64 {
	o.ExpOracle.LogSum(nil, theta)
	return o.ExpOracle.LogSum(mu, theta)
}

// broken panics.
type broken struct{}

func (broken) LogSum(_, _ []float64) float64 { panic("broken") }

// TestGate plants regressions in EG and has Check find each on its curve, at a point, with the size of the move.
func TestGate(t *testing.T) {
	dir := t.TempDir()
	exps := []*Experiment{fileOf(t, gated)}
	if _, err := Check(context.Background(), exps, Root(dir)); !errors.Is(err, ErrNoResults) ||
		!strings.Contains(err.Error(), "gaplab baseline update ") || !strings.Contains(err.Error(), "spec.yaml`") {
		t.Fatalf("without a reference: %v", err)
	}
	written, err := UpdateBaseline(context.Background(), exps, "smoke", Root(dir))
	if err != nil || len(written) != 1 || written[0] != filepath.Join(dir, "smoke/test/tiny.jsonl") {
		t.Fatalf("the baseline is %q, %v", written, err)
	}
	for _, workers := range []int{1, 2} {
		same, err := Check(context.Background(), exps, Root(dir), Workers(workers))
		if err != nil || len(same) != 5 {
			t.Fatalf("%d comparisons, %v", len(same), err)
		}
		for _, c := range same {
			if !c.OK || c.Message != "" || c.Experiment != "test/tiny" {
				t.Errorf("an identical rerun: %+v", c)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("the gate left its runs among the user's")
	}
	plant(t, dir, exps)
}

// TestGateOnACommittedExperiment: the smoke scale that CI runs is enough to see the regressions, on every curve.
func TestGateOnACommittedExperiment(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a smoke scale five times, which takes seconds")
	}
	e, err := Find("eg/fig01")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := UpdateBaseline(context.Background(), []*Experiment{e}, "smoke", Root(dir)); err != nil {
		t.Fatal(err)
	}
	plant(t, dir, []*Experiment{e})
}

// plant checks that each regression is found on all curves of EG, and on those only.
func plant(t *testing.T, dir string, exps []*Experiment) {
	t.Helper()
	size := regexp.MustCompile(`at epoch \d+ \([\d.e-]+ passes\).*: \w+ \S+, was ` +
		`\S+ \(([+-][\d.e+]+ %|a factor of \S+|[+-]\S+); tolerance|` +
		`it has \d+ records, the reference \d+: it ends at epoch \d+ after [\d.]+ passes, the reference ends at`)
	for name, spoil := range map[string]func(*eg.Solver) solvers.Warm{
		"halved step": func(e *eg.Solver) solvers.Warm {
			c := *e
			c.Eta /= 2
			return &c
		},
		"skipped halving": func(e *eg.Solver) solvers.Warm {
			c := *e
			c.Rate = "constant"
			return &c
		},
		"wrong sign in one marginal": func(e *eg.Solver) solvers.Warm {
			return spoilt{e, func(o models.ExpOracle) models.ExpOracle { return wrongSign{o} }}
		},
		"one more call per visit": func(e *eg.Solver) solvers.Warm {
			return spoilt{e, func(o models.ExpOracle) models.ExpOracle { return twice{o} }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := Check(context.Background(), exps, Root(dir), planted(spoil))
			if err != nil && !strings.Contains(err.Error(), "weak duality") {
				t.Fatal(err)
			}
			for _, c := range found {
				lbfgs := strings.HasPrefix(c.Curve, "lbfgs")
				if c.OK != lbfgs {
					t.Errorf("%s: OK is %v: %s", c.Curve, c.OK, c.Message)
				}
				if !lbfgs && !size.MatchString(c.Message) {
					t.Errorf("%s: the message names no column, point and move: %s", c.Curve, c.Message)
				}
			}
			if c := found[1]; !regexp.MustCompile(`^eg C=\d+ seed=1$`).MatchString(c.Curve) {
				t.Errorf("a curve is called %q", c.Curve)
			}
		})
	}
}

// optimistic claims a lower bound that is none.
type optimistic struct{ solvers.Warm }

func (o optimistic) Train(p *models.Risk, env solvers.Env) iter.Seq2[solvers.Iterate, error] {
	return func(yield func(solvers.Iterate, error) bool) {
		for it, err := range o.Warm.Train(p, env) {
			dual := it.Dual
			it.Dual = func() float64 { return dual() + 1 }
			if !yield(it, err) {
				return
			}
		}
	}
}

// TestGateKeepsWeakDuality: rows with a dual above a primal are an error, although the reference has the same.
func TestGateKeepsWeakDuality(t *testing.T) {
	dir := t.TempDir()
	exps := []*Experiment{fileOf(t, atC+"solvers: [{name: eg, eta: 0.5}, {name: lbfgs}]\nstop: {passes: 30}\n")}
	wrong := planted(func(e *eg.Solver) solvers.Warm { return optimistic{e} })
	if _, err := UpdateBaseline(context.Background(), exps, "smoke", Root(dir), wrong); err != nil {
		t.Fatal(err)
	}
	for _, how := range [][]Option{{Root(dir), wrong}, {Root(dir), wrong, Exact()}} {
		found, err := Check(context.Background(), exps, how...)
		if err == nil || !strings.Contains(err.Error(), "test/tiny") || !strings.Contains(err.Error(), "weak duality") {
			t.Errorf("%v; want an error about weak duality", err)
		}
		for _, c := range found {
			if !c.OK {
				t.Errorf("%+v; want the rows of the reference", c)
			}
		}
	}
}

// TestUpdateBaseline: other scales keep the finished runs, thinned; unfinished and failed ones are no reference.
func TestUpdateBaseline(t *testing.T) {
	const text = atC + `
solvers: [{name: eg, eta: 0.5}]
record: {every: {passes: 0.1}}
stop: {passes: 60}
scales: {smoke: {stop: {passes: 1}}}
`
	dir := t.TempDir()
	exps := []*Experiment{fileOf(t, text)}
	if _, err := UpdateBaseline(context.Background(), exps, "paper", Root(dir)); !errors.Is(err, ErrNoResults) ||
		!strings.Contains(err.Error(), "--scale paper") {
		t.Errorf("without runs: %v", err)
	}
	s, err := exps[0].At("paper", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Run(ctx, s, Root(dir), OnEvent(func(e Event) {
		if e.Kind == Recorded {
			cancel()
		}
	})); err != nil {
		t.Fatal(err)
	}
	if _, err := UpdateBaseline(context.Background(), exps, "paper", Root(dir)); err == nil ||
		!strings.Contains(err.Error(), "not ended") {
		t.Errorf("of an interrupted run: %v", err)
	}
	r := runIn(t, dir, s)
	written, err := UpdateBaseline(context.Background(), exps, "paper", Root(dir))
	if err != nil || len(written) != 1 || written[0] != filepath.Join(dir, "paper/test/tiny.jsonl") {
		t.Fatalf("%q, %v", written, err)
	}
	files, err := store.Keep(dir).Read("test/tiny", "paper")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	kept := files[0]
	if full := only(t, r); kept.Manifest.Thinned != len(full.Rows) || len(kept.Rows) > thinRows+10 ||
		kept.End.Status != trace.Done {
		t.Errorf("%d rows of %d, %+v", len(kept.Rows), len(full.Rows), kept.End)
	}
	fails := planted(func(e *eg.Solver) solvers.Warm {
		return spoilt{e, func(models.ExpOracle) models.ExpOracle { return broken{} }}
	})
	if _, err := UpdateBaseline(context.Background(), exps, "smoke", Root(dir), fails); err == nil ||
		!strings.Contains(err.Error(), "no reference") {
		t.Errorf("of a failed run: %v", err)
	}
}

// TestOrphans: a reference of an experiment that there is no more is named, one of an experiment of ours is not.
func TestOrphans(t *testing.T) {
	dir := t.TempDir()
	exps := []*Experiment{fileOf(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 2}\n")}
	if got, err := Orphans(exps, Root(dir)); err != nil || len(got) != 0 {
		t.Fatalf("no reference at all: %+v, %v", got, err)
	}
	if _, err := UpdateBaseline(context.Background(), exps, "smoke", Root(dir)); err != nil {
		t.Fatal(err)
	}
	if got, err := Orphans(exps, Root(dir)); err != nil || len(got) != 0 {
		t.Errorf("its own reference: %+v, %v", got, err)
	}
	got, err := Orphans(nil, Root(dir))
	if err != nil || len(got) != 1 || got[0].OK || got[0].Experiment != "test/tiny" ||
		!strings.Contains(got[0].Message, filepath.Join(dir, "smoke/test/tiny.jsonl")) {
		t.Errorf("an experiment that is gone: %+v, %v", got, err)
	}
}
