package campaign_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/campaign"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// small is a user's spec that runs in a moment.
const small = `apiVersion: gaplab/v1
id: my/small
dataset: {name: digits, train: 30, validation: 0}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: 0.1}
seeds: [1, 2]
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 2}
`

// specOf returns the spec of an experiment, which its id or its file names, at a scale.
func specOf(t *testing.T, name, scale string, set ...string) *lang.Spec {
	t.Helper()
	e, err := harness.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.At(scale, set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPlan checks a campaign of a built-in experiment and a user's file: what its manifest says of each, the expected
// times, which come from the kept results and from the user's own runs, and that the tasks can be done from another
// folder although the file has changed since.
func TestPlan(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("small.yaml", []byte(small), 0o666); err != nil {
		t.Fatal(err)
	}
	seed := uint64(5)
	o := harness.Options{Root: filepath.Join(dir, "results"), SameCode: true}
	spec := func(name, scale string, seed *uint64, set ...string) *lang.Spec {
		s := specOf(t, name, scale, set...)
		if seed != nil {
			s.Reseed(*seed)
		}
		return s
	}
	took := func(path string, seconds float64) *trace.File {
		r, err := harness.Run(t.Context(), spec("small.yaml", "", nil), harness.Options{Root: path})
		if err != nil {
			t.Fatal(err)
		}
		f := r.Files[0]
		f.End.Seconds, f.End.CPUSeconds, f.End.RecordSeconds = seconds, 0, 0
		if err := errors.Join(f.Save(f.Path), os.Remove(r.Files[1].Path)); err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, kept := range []bool{false, true} { // seed 1 has run, in the user's folder or among the kept results
		if err := os.RemoveAll(o.Root); err != nil {
			t.Fatal(err)
		}
		if kept {
			f := took(filepath.Join(dir, "elsewhere"), 77)
			if _, err := store.Keep(o.Root).Write("my/small", "own", []*trace.File{f}, false); err != nil {
				t.Fatal(err)
			}
		} else {
			took(o.Root, 33)
		}
		p, err := harness.NewPlan(spec("small.yaml", "", &seed, "stop.passes=3"), o)
		if err != nil {
			t.Fatal(err)
		}
		c, err := campaign.Plan(t.Context(), []*harness.Plan{p}, []string{"stop.passes=3"}, &seed, 1, o)
		if err != nil || c == nil {
			t.Fatalf("campaign %+v, %v", c, err)
		}
		if s := c.Specs[0]; s.File != filepath.Join(dir, "small.yaml") || s.Text != small || s.ID != "my/small" ||
			s.Scale != "own" || !slices.Equal(s.Set, []string{"stop.passes=3"}) || *s.Seed != 5 || !c.Options.SameCode {
			t.Errorf("spec %+v, want the file, its text and its changes", s)
		}
		// the changed stop rule and seed: the time is that of the same solver with another seed
		for _, task := range c.Tasks {
			if want := map[bool]float64{true: 77, false: 33}[kept]; task.Seconds != want {
				t.Errorf("kept %v: a task takes %v s, want %v as the run of another seed", kept, task.Seconds, want)
			}
		}
	}
	built := spec("eg/lem1", lang.ScaleSmoke, nil)
	p, err := harness.NewPlan(built, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Plan(t.Context(), []*harness.Plan{p}, nil, nil, 1, o)
	if err != nil || c == nil || c.Specs[0].File != "" || c.Specs[0].Text != "" || c.Specs[0].Seed != nil ||
		c.Specs[0].ID != "eg/lem1" || c.Options.Weights || c.Specs[0].Scale != lang.ScaleSmoke {
		t.Errorf("campaign of a built-in experiment %+v, %v", c, err)
	}
}

// TestTask checks that a task makes its runs with the spec as it was planned, that numbers without a task are refused,
// and that a task of another program fails, with the reason in its record.
func TestTask(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "small.yaml")
	if err := os.WriteFile(file, []byte(small), 0o666); err != nil {
		t.Fatal(err)
	}
	s := specOf(t, file, "")
	o := harness.Options{Out: filepath.Join(dir, "runs"), Root: filepath.Join(dir, "results")}
	p, err := harness.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Plan(t.Context(), []*harness.Plan{p}, nil, nil, 1, o)
	if err != nil || len(c.Tasks) != 2 {
		t.Fatalf("campaign %+v, %v; want two tasks", c, err)
	}
	for _, n := range []int{-1, 2, 3} {
		if err := campaign.Task(t.Context(), c, n, o); err == nil || !strings.Contains(err.Error(), "accepted: 0 to 1") {
			t.Errorf("task %d: error %v, want the accepted numbers", n, err)
		}
	}
	if err := os.WriteFile(file, []byte("changed\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	other := *c
	other.Program = "another"
	if err := campaign.Task(t.Context(), &other, 1, o); !errors.Is(err, cluster.ErrDiffers) ||
		!strings.Contains(c.Why(1, cluster.Failed), "hash of all sources") {
		t.Errorf("task of another program: error %v, recorded %q", err, c.Why(1, cluster.Failed))
	}
	t.Chdir(t.TempDir())
	for n := range c.Tasks {
		if err := campaign.Task(t.Context(), c, n, o); err != nil {
			t.Errorf("task %d: %v", n, err)
		}
	}
	now, err := c.Status(t.Context(), nil)
	if err != nil || now.Count(cluster.Done) != 2 || now.Finished != 2 {
		t.Errorf("status %+v, %v; want both tasks done", now, err)
	}
	if again, err := campaign.Plan(t.Context(), nil, nil, nil, 1, o); again != nil || err != nil {
		t.Errorf("campaign of nothing %+v, %v", again, err)
	}
}
