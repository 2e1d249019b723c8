package harness

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/results"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/eg"
)

// gated is the spec that the tests of the gate run.
const gated = tiny + `
regularisation: {convention: eg, C: [100, 10]}
solvers:
  - {name: eg, eta: 4}
  - {as: path, name: eg, eta: 0.5, path: {C: {from: 100, factor: 0.3, steps: 3}, until: {gap: 0.05}}}
  - {name: lbfgs}
record: {every: {passes: 0.3}}
stop: {passes: 12}
`

// planted returns a change of the options: in every run with an EG solver, a faulty solver replaces the EG solver.
// spoil makes the faulty solver from the EG solver.
func planted(spoil func(*eg.Solver) solvers.Warm) func(*schedule.Options) {
	return func(o *schedule.Options) {
		o.Wrap = func(s solvers.Solver) solvers.Solver {
			if eg, ok := s.(*eg.Solver); ok {
				return spoil(eg)
			}
			return s
		}
	}
}

// spoilt is a faulty version of a solver: it solves the problem with another exp-oracle.
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

// wrongSign is a faulty exp-oracle: one of the marginals that it returns has the wrong sign.
type wrongSign struct{ models.ExpOracle }

func (o wrongSign) LogSum(mu, theta []float64) float64 {
	z := o.ExpOracle.LogSum(mu, theta)
	if mu != nil {
		mu[0] = -mu[0]
	}
	return z
}

// twice is an exp-oracle that does its work twice, so that each call counts as two.
type twice struct{ models.ExpOracle }

func (o twice) LogSum(mu, theta []float64) float64 {
	o.ExpOracle.LogSum(nil, theta)
	return o.ExpOracle.LogSum(mu, theta)
}

// TestGate puts several faults into EG, one at a time. It checks that Check finds each of them, and that the message
// names the curve, the row and the size of the change.
func TestGate(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs an experiment once for each fault")
	}
	dir := t.TempDir()
	exps := []*Experiment{fileOf(t, gated)}
	if _, err := Check(context.Background(), exps, Options{Root: dir}); !errors.Is(err, ErrNoResults) ||
		!strings.Contains(err.Error(), "gaplab baseline update ") || !strings.Contains(err.Error(), "spec.yaml`") {
		t.Fatalf("Check without a reference: error %v, want an ErrNoResults that names the command and the spec", err)
	}
	refer(t, exps[0], Options{Root: dir})
	for _, workers := range []int{1, 2} {
		same, err := Check(context.Background(), exps, Options{Root: dir, Workers: workers})
		if err != nil || len(same) != 5 {
			t.Fatalf("%d workers: %d comparisons, %v, want 5", workers, len(same), err)
		}
		for _, c := range same {
			if !c.OK || c.Message != "" || c.Experiment != "test/tiny" {
				t.Errorf("%d workers: comparison of an identical rerun = %+v, want OK", workers, c)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("the gate left its runs in the user's folder")
	}
	out := t.TempDir()
	for range 2 { // the second call repeats the runs of the first
		if _, err := Check(t.Context(), exps, Options{Root: dir, Out: out}); err != nil {
			t.Fatal(err)
		}
	}
	made := 0
	if _, err := Run(t.Context(), at(t, exps[0], "smoke"), Options{Out: out, OnEvent: func(e schedule.Event) {
		if e.Kind == schedule.Started {
			made++
		}
	}}); err != nil || made > 0 {
		t.Errorf("after Check in a folder, Run made %d runs there again, %v", made, err)
	}
	plant(t, dir, exps)
}

// TestGateOnACommittedExperiment checks that one of the built-in experiments, at the smoke scale that CI runs, is large
// enough to show the faults of TestGate on every curve.
func TestGateOnACommittedExperiment(t *testing.T) {
	if testing.Short() {
		t.Skip("this test runs a smoke scale five times, which takes seconds")
	}
	e := found(t, "eg/fig01")
	dir := t.TempDir()
	refer(t, e, Options{Root: dir})
	plant(t, dir, []*Experiment{e})
}

// refer runs an experiment at smoke scale and writes the results as references.
func refer(t *testing.T, e *Experiment, o Options) {
	t.Helper()
	s := at(t, e, "smoke")
	own := o
	own.Out = t.TempDir()
	r, err := Run(context.Background(), s, own)
	if err != nil {
		t.Fatal(err)
	}
	var files []*trace.File
	for _, f := range r.Files {
		files = append(files, f.Reference(200))
	}
	if _, err := store.Keep(o.Root).Write(e.ID, "smoke", files, true); err != nil {
		t.Fatal(err)
	}
}

// plant puts each fault into EG and checks that Check finds it on all curves of EG, and on no others.
func plant(t *testing.T, dir string, exps []*Experiment) {
	t.Helper()
	size := regexp.MustCompile(`at epoch \d+ \([\d.e-]+ passes\).*: \w+ \S+, was ` +
		`\S+ \(([+-][\d.e+]+ %|a factor of \S+|[+-]\S+); tolerance|` +
		`it ended as stalled \(the solver made no further progress, at gap \S+\), but the reference as done|` +
		`it has \d+ rows, but the reference has \d+: it ends at epoch \d+ after [\d.]+ passes, the reference ends at`)
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
			found, err := Check(context.Background(), exps, Options{Root: dir, adjust: planted(spoil)})
			if err != nil && !strings.Contains(err.Error(), "weak duality") {
				t.Fatal(err)
			}
			for _, c := range found {
				lbfgs := strings.HasPrefix(c.Curve, "lbfgs")
				if c.OK != lbfgs {
					t.Errorf("%s: OK = %v, want %v: %s", c.Curve, c.OK, lbfgs, c.Message)
				}
				if !lbfgs && !size.MatchString(c.Message) {
					t.Errorf("%s: the message does not name the column, the place and the change: %s", c.Curve, c.Message)
				}
			}
			if c := found[1]; !regexp.MustCompile(`^eg C=\d+ seed=1$`).MatchString(c.Curve) {
				t.Errorf("name of a curve = %q, want eg with its C and seed", c.Curve)
			}
		})
	}
}

// optimistic is a faulty solver: the dual that it reports is too large to be a lower bound.
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

// TestGateKeepsWeakDuality checks that Check returns an error if a dual is above a primal, even if the reference has
// the same rows.
func TestGateKeepsWeakDuality(t *testing.T) {
	dir := t.TempDir()
	exps := []*Experiment{fileOf(t, atC+"solvers: [{name: eg, eta: 0.5}, {name: lbfgs}]\nstop: {passes: 30}\n")}
	wrong := planted(func(e *eg.Solver) solvers.Warm { return optimistic{e} })
	refer(t, exps[0], Options{Root: dir, adjust: wrong})
	for _, exact := range []bool{false, true} {
		found, err := Check(context.Background(), exps, Options{Root: dir, adjust: wrong, Exact: exact})
		refused(t, "a dual above the primal", err, "test/tiny", "weak duality")
		for _, c := range found {
			if !c.OK {
				t.Errorf("comparison = %+v, want OK, because the reference has the same rows", c)
			}
		}
	}
}

// TestReferences checks where references come from: the results folder if it has them; otherwise those that come with
// the program, but not in a checkout that has the spec, where a missing reference is an error.
func TestReferences(t *testing.T) {
	const id = "eg/lem1"
	s := &lang.Spec{ID: id, Scale: lang.ScaleSmoke}
	text, err := fs.ReadFile(results.References, "smoke/"+id+".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spec, kept, shipped, want bool }{
		{false, false, false, false}, {false, false, true, true}, {true, false, true, false}, {true, false, false, false},
		{true, true, false, true}, {false, true, true, true},
	} {
		dir := t.TempDir()
		for path, there := range map[string]bool{"experiments/" + id + ".yaml": c.spec,
			"results/smoke/" + id + ".jsonl": c.kept} {
			if !there {
				continue
			}
			path = filepath.Join(dir, path)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, text, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		o := Options{Root: filepath.Join(dir, "results")}
		if c.shipped {
			o.Shipped = shipped.New(shipped.Config{Inside: results.References})
		}
		files, err := references(s, o)
		if (err == nil && len(files) > 0) != c.want || err != nil && !errors.Is(err, ErrNoResults) {
			t.Errorf("%+v: %d references, %v, want references: %v", c, len(files), err, c.want)
		}
	}
}

// TestCheckOfSeveral checks a call of Check with several experiments: all are compared, in their order; a dual above a
// primal in one of them is an error wherever it stands; a missing reference of any is an error; and a context that ends
// gives its cause. A reference that cannot be parsed or read is an error that says so.
func TestCheckOfSeveral(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test makes several references")
	}
	dir, stopped := t.TempDir(), errors.New("stopped")
	spec := func(id, solver string) *Experiment {
		return fileOf(t, strings.Replace(atC, "test/tiny", id, 1)+"solvers: [{name: "+solver+"}]\nstop: {passes: 30}\n")
	}
	wrong, right := spec("test/wrong", "eg, eta: 0.5"), spec("test/right", "lbfgs")
	o := Options{Root: dir, adjust: planted(func(e *eg.Solver) solvers.Warm { return optimistic{e} })}
	refer(t, wrong, o)
	if _, err := Check(t.Context(), []*Experiment{wrong, right}, o); !errors.Is(err, ErrNoResults) {
		t.Errorf("the last experiment has no reference: error %v", err)
	}
	refer(t, right, o)
	for _, exps := range [][]*Experiment{{wrong, right}, {right, wrong}, {right}} {
		got, err := Check(t.Context(), exps, o)
		if bad := len(exps) > 1; bad != (err != nil) || bad && !strings.Contains(err.Error(), "test/wrong") {
			t.Errorf("%d experiments: error %v", len(exps), err)
		}
		for i, c := range got {
			if c.Experiment != exps[i].ID || !c.OK {
				t.Errorf("comparison %d is %+v, want one of %s that is OK", i, c, exps[i].ID)
			}
		}
		if len(got) != len(exps) {
			t.Errorf("%d comparisons, want %d", len(got), len(exps))
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	halt := o
	halt.OnEvent = func(e schedule.Event) {
		if e.Kind == schedule.Started && e.Run.Experiment == "test/wrong" {
			cancel(stopped)
		}
	}
	if got, err := Check(ctx, []*Experiment{right, wrong}, halt); !errors.Is(err, stopped) || len(got) != 1 {
		t.Errorf("interrupted in the second experiment: %d comparisons, error %v; want that of the first", len(got), err)
	}
	file := store.Keep(dir).Path("test/right", lang.ScaleSmoke)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), []*Experiment{right}, o); !errors.Is(err, trace.ErrDamaged) ||
		errors.Is(err, ErrNoResults) || !strings.Contains(err.Error(), "create it again with `gaplab baseline update ") {
		t.Errorf("damaged reference: error %v", err)
	}
	if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), []*Experiment{right}, o); !errors.Is(err, ErrNoResults) ||
		!strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("a folder in place of the reference: error %v", err)
	}
}
