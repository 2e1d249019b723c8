package harness

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

// journal gathers the ends of runs.
type journal struct {
	ended, reused []string
	last          Event
}

func (j *journal) option() Option {
	return OnEvent(func(e Event) {
		switch e.Kind {
		case Ended:
			j.ended = append(j.ended, e.Run.Solver.As)
		case Reused:
			j.reused = append(j.reused, e.Run.Solver.As)
		}
		j.last = e
	})
}

func (j *journal) want(t *testing.T, ended, reused []string) {
	t.Helper()
	slices.Sort(j.ended)
	slices.Sort(j.reused)
	if !slices.Equal(j.ended, ended) || !slices.Equal(j.reused, reused) {
		t.Errorf("ended %q and reused %q; want %q and %q", j.ended, j.reused, ended, reused)
	}
	if j.last.Done != j.last.Total {
		t.Errorf("the last event counts %d of %d runs", j.last.Done, j.last.Total)
	}
}

const three = `
solvers:
  - {as: a, name: eg, eta: 0.5}
  - {as: b, name: eg, eta: 0.25}
  - {as: c, name: lbfgs}
stop: {passes: 4}
`

func bytesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	paths, err := filepath.Glob(filepath.Join(dir, "runs/test/tiny/own/*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		out[p] = fmt.Sprint(info.ModTime()) + string(text)
	}
	return out
}

func TestFinishedKeysAreReused(t *testing.T) {
	dir := t.TempDir()
	var first, second, changed, forced journal
	s := readSpec(t, atC+three)
	runIn(t, dir, s, first.option(), Workers(2))
	first.want(t, []string{"a", "b", "c"}, nil)
	before := bytesOf(t, dir)
	if len(before) != 3 {
		t.Fatalf("%d files of 3 runs", len(before))
	}
	runIn(t, dir, s, second.option())
	second.want(t, nil, []string{"a", "b", "c"})
	for path, text := range bytesOf(t, dir) {
		if before[path] != text {
			t.Errorf("%s was touched", filepath.Base(path))
		}
	}
	r := runIn(t, dir, readSpec(t, atC+three, "solvers.b.eta=0.125"), changed.option())
	changed.want(t, []string{"b"}, []string{"a", "c"})
	if len(r.Files) != 3 {
		t.Errorf("%d runs in the result, want those of the present spec, 3", len(r.Files))
	}
	runIn(t, dir, s, forced.option(), Force())
	forced.want(t, []string{"a", "b", "c"}, nil)
}

// TestKeys: whatever changes the rows changes the key; names for readers do not.
func TestKeys(t *testing.T) {
	key := func(set ...string) string {
		f, err := Estimate(context.Background(),
			readSpec(t, atC+"title: a\nsolvers: [{name: eg, eta: 0.5}]\nstop: {passes: 4}\n", set...), Root(t.TempDir()))
		if err != nil {
			t.Fatal(err)
		}
		return f.Runs[0].Key
	}
	base := key()
	if again := key(); again != base {
		t.Errorf("the same spec has keys %s and %s", base, again)
	}
	for _, set := range []string{"title=b", "figure={x: passes, y: primal}", "solvers.eg.order=random"} {
		if key(set) != base {
			t.Errorf("%s changes the key", set)
		}
	}
	seen := map[string]string{base: "nothing"}
	for _, set := range []string{"dataset.train=61", "dataset.seed=2", "model.loss=hinge", "regularisation.C=11",
		"regularisation.convention=svm-struct",
		"solvers.eg.eta=0.25", "solvers.eg.order=cyclic", "seeds=[2]", "stop.passes=5", "record.every={passes: 2}",
		"record.metrics=[primal]", "budget={passes: 3}",
		"repeat={folds: 2}", "repeat={folds: 3}"} {
		k := key(set)
		if seen[k] != "" {
			t.Errorf("%s and %s have one key", set, seen[k])
		}
		seen[k] = set
	}
}

// TestChecksumIsPartOfTheKey: a user's file that changes makes new results, and the old ones count again with the old
// content.
func TestChecksumIsPartOfTheKey(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "rows.libsvm")
	write := func(text string) {
		if err := os.WriteFile(data, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := readSpec(t, `apiVersion: gaplab/v1
id: test/own
dataset: {format: libsvm, path: `+data+`}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: [0.1]}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 2}
`)
	const one, two = "1 1:1\n2 2:1\n1 1:2\n", "1 1:1\n2 2:1\n1 1:3\n"
	var log1, log2, log3 journal
	write(one)
	a := runIn(t, dir, s, log1.option())
	write(two)
	b := runIn(t, dir, s, log2.option())
	write(one)
	c := runIn(t, dir, s, log3.option())
	log2.want(t, []string{"eg"}, nil)
	log3.want(t, nil, []string{"eg"})
	if only(t, a).Manifest.Key == only(t, b).Manifest.Key {
		t.Error("other data, the same key")
	}
	if trace.Diff(only(t, a), only(t, b)) == "" {
		t.Error("other data, the same rows")
	}
	if got := only(t, c).Manifest.Key; got != only(t, a).Manifest.Key {
		t.Errorf("the result is of key %s, not of the data that is there, %s", got, only(t, a).Manifest.Key)
	}
	later := *only(t, b) // as if the clock had jumped
	later.Manifest.Start = "2099-01-01T00:00:00Z"
	if err := later.Save(later.Path); err != nil {
		t.Fatal(err)
	}
	r, err := Read(s, Root(dir))
	if err != nil {
		t.Fatal(err)
	}
	if got := only(t, r).Manifest.Key; got != only(t, c).Manifest.Key {
		t.Errorf("readers take key %s, the last run has %s", got, only(t, c).Manifest.Key)
	}
	if name := only(t, a).Manifest.Data.Name; name != "rows.libsvm" {
		t.Errorf("the manifest names the data %q", name)
	}
}

// TestInterrupt: the run in progress keeps its rows and is started again; finished ones stay.
func TestInterrupt(t *testing.T) {
	for _, workers := range []int{1, 2} {
		dir := t.TempDir()
		s := readSpec(t, atC+three)
		ctx, cancel := context.WithCancel(context.Background())
		var once sync.Once
		r, err := Run(ctx, s, Root(dir), Workers(workers), OnEvent(func(e Event) {
			if e.Kind == Recorded && e.Run.Solver.As == "b" && e.Passes >= 2 {
				once.Do(cancel)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		b := labelled(t, r, "as", "b")
		wantStatus(t, b, trace.Interrupted, "")
		if b.End == nil || len(b.Rows) < 2 || len(b.Rows) > 4 {
			t.Errorf("the interrupted run has %d rows and the end %+v", len(b.Rows), b.End)
		}
		if !r.Interrupted() || r.Planned != 3 {
			t.Errorf("interrupted %v, planned %d", r.Interrupted(), r.Planned)
		}
		var second journal
		whole := runIn(t, dir, s, second.option())
		if workers == 1 {
			second.want(t, []string{"b", "c"}, []string{"a"})
		}
		if whole.Interrupted() || len(whole.Files) != 3 {
			t.Errorf("after the second Run: interrupted %v, %d files", whole.Interrupted(), len(whole.Files))
		}
		sameRows(t, "interrupted and not", runIn(t, t.TempDir(), s).Files, whole.Files)
	}
}

func TestInterruptBeforeTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Run(ctx, readSpec(t, atC+three), Root(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	if !r.Interrupted() || len(r.Files) != 0 || r.Planned != 3 {
		t.Errorf("interrupted %v, %d files of %d", r.Interrupted(), len(r.Files), r.Planned)
	}
}

// TestDamagedResultsAreMadeAgain: a file that a crash tore or emptied is no result.
func TestDamagedResultsAreMadeAgain(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+three)
	r := runIn(t, dir, s)
	if err := os.WriteFile(r.Files[0].Path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.Files[1].Path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.Files[1].Path, text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	var again journal
	sameRows(t, "damaged and not", r.Files, runIn(t, dir, s, again.option()).Files)
	again.want(t, []string{"a", "b"}, []string{"c"})
}

// TestReusedRunsHaveTheLabelsOfTheSpec: a finished run is not made again when its value becomes one of a grid, and is
// found under it.
func TestReusedRunsHaveTheLabelsOfTheSpec(t *testing.T) {
	text := func(eta string) string {
		return `
apiVersion: gaplab/v1
id: own/labels
dataset: {name: digits, train: 30, validation: 0}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: sgd, eta0: ` + eta + `}]
stop: {passes: 2}
`
	}
	dir := t.TempDir()
	first := only(t, runIn(t, dir, readSpec(t, text("0.1"))))
	r := runIn(t, dir, readSpec(t, text("{grid: [0.1, 0.2]}")))
	again := labelled(t, r, "eta0", "0.1")
	if again.Manifest.Key != first.Manifest.Key || again.Manifest.Start != first.Manifest.Start {
		t.Error("the run was made again")
	}
	labelled(t, r, "eta0", "0.2")
}
