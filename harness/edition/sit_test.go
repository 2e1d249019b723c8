package edition

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// small is a spec with two runs. Its claim reads passes, or seconds if "final" is replaced.
const small = `apiVersion: gaplab/v1
id: test/ID
dataset: {name: digits, train: 60}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [10, 1]}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: PASSES}
claims: [{id: c1, says: It ends., assert: 'all(series, final(#, "passes") >= 1)'}]
`

// plans writes a spec for each id and plans it. An id that ends in t has a claim about times.
func plans(t *testing.T, o harness.Options, ids ...string) (out []*harness.Plan) {
	t.Helper()
	for i, id := range ids {
		text := strings.NewReplacer("ID", id, "PASSES", string(rune('3'+i))).Replace(small)
		if strings.HasSuffix(id, "t") {
			text = strings.Replace(text, `"passes") >= 1`, `"seconds") >= 0`, 1)
		}
		file := filepath.Join(t.TempDir(), id+".yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		e, err := harness.Find(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.At("", nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := harness.NewPlan(s, o)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// opened surveys plans and opens the edition in a folder.
func opened(t *testing.T, dir string, list []*harness.Plan) *Edition {
	t.Helper()
	all, err := Survey(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(dir, "own", all, 2)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sit holds a sitting, and returns how it ended and the experiments that it made.
func sit(t *testing.T, ctx context.Context, d *Edition, length time.Duration) (end string, made []string) {
	t.Helper()
	begin := time.Now()
	end, err := d.Sit(ctx, Sitting{For: length, Now: func() time.Time { return begin },
		Make: func(ctx context.Context, e *Experiment, _ Need) (*harness.Result, error) { return e.Plan.Run(ctx) },
		Made: func(e *Experiment, _ *harness.Result, err error) {
			if err != nil {
				t.Error(err)
			}
			made = append(made, e.ID)
		}})
	if err != nil {
		t.Fatal(err)
	}
	return end, made
}

func options(dir string) harness.Options {
	return harness.Options{Root: filepath.Join(dir, "none"), Out: dir, SameCode: true}
}

// TestResume interrupts a sitting after the first run, and goes on in another process. An experiment keeps its finished
// run, a timed one makes it again. A third sitting makes nothing.
func TestResume(t *testing.T) {
	for _, id := range []string{"plain", "at"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		list := plans(t, options(dir), id)
		list[0].Options.Sitting = "first"
		list[0].Options.Event = func(e schedule.Event) {
			if e.Kind == schedule.Ended {
				cancel()
			}
		}
		if end, _ := sit(t, ctx, opened(t, dir, list), 0); end != Interrupted {
			t.Fatalf("%s: the sitting ended: %s, want %s", id, end, Interrupted)
		}
		r, err := Read(dir)
		if err != nil || r.Experiments[0].State != Begun || r.Sittings[0].End != Interrupted {
			t.Fatalf("%s: record = %+v, %v, want an experiment that has begun", id, r, err)
		}
		list = plans(t, options(dir), id)
		list[0].Options.Sitting = "second"
		d := opened(t, dir, list)
		if end, _ := sit(t, t.Context(), d, 0); end != AllMade || d.All[0].State() != Done {
			t.Fatalf("%s: the second sitting ended: %s, with the experiment %s", id, end, d.All[0].State())
		}
		want := []string{"first", "second"}
		if id == "at" {
			want[0] = "second"
		}
		var got []string
		for _, r := range d.All[0].Runs {
			got = append(got, r.Made.Sitting)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: runs of the sittings %q, want %q", id, got, want)
		}
		list = plans(t, options(dir), id)
		list[0].Options.Sitting = "third"
		d = opened(t, dir, list)
		if end, made := sit(t, t.Context(), d, 0); end != AllMade || len(made) > 0 {
			t.Errorf("%s: the third sitting made %q and ended: %s; want nothing", id, made, end)
		}
		if n := len(d.Record.Sittings); n != 3 || d.Record.Experiments[0].Runs != 2 {
			t.Errorf("%s: %d sittings, %+v; want 3 sittings, 2 runs", id, n, d.Record.Experiments[0])
		}
	}
}

// TestFor checks that no experiment begins that does not fit, and that the others do. A timed experiment that fits only
// in a new sitting keeps the timed experiments back with which it shares runs.
func TestFor(t *testing.T) {
	dir := t.TempDir()
	d := opened(t, dir, plans(t, options(dir), "long", "brief"))
	long := d.All[slices.IndexFunc(d.All, func(e *Experiment) bool { return e.ID == "test/long" })]
	long.Runs[0].Whole, long.Runs[0].Known = 7300, true
	if end, made := sit(t, t.Context(), d, time.Hour); end != TimeOver || !slices.Equal(made, []string{"test/brief"}) {
		t.Errorf("the sitting made %q and ended: %s; want only the brief experiment", made, end)
	}
	if left, needs := d.Left(); ids(left) != "test/long" || needs[0].Seconds != 3650 || d.Record.Experiments[0].Forecast+
		d.Record.Experiments[1].Forecast != 3650 {
		t.Errorf("left: %s, %+v", ids(left), needs)
	}
	all := []*Experiment{fresh("p/whole", "abcd", true), fresh("p/part", "ab", true), fresh("p/free", "ab", false)}
	held := &Edition{All: all, Workers: 1}
	for _, c := range []struct {
		length, left time.Duration
		want         string
	}{{time.Minute, 30 * time.Second, "p/free"}, {30 * time.Second, 30 * time.Second, "p/part"}, {0, 0, "p/whole"},
		{time.Minute, time.Second, ""}} {
		got := ""
		if e, _ := held.next(map[*Experiment]bool{}, c.length, c.left); e != nil {
			got = e.ID
		}
		if got != c.want {
			t.Errorf("next with %v of %v left: %q, want %q", c.left, c.length, got, c.want)
		}
	}
}

// TestOtherProgram changes the manifests of finished runs. A run of another commit with the same code is kept, and
// counted. A run whose solver has other code is made again, and so are all runs of unclean programs if a clean one is
// required.
func TestOtherProgram(t *testing.T) {
	dir := t.TempDir()
	sit(t, t.Context(), opened(t, dir, plans(t, options(dir), "plain")), 0)
	runs := store.Open(dir).Folder("test/plain", "own")
	there, err := runs.Runs()
	if err != nil || len(there.Files) != 2 {
		t.Fatalf("files = %v, %v, want 2", there, err)
	}
	for _, f := range there.Files {
		m := f.Manifest
		m.Commit, m.Program = "abc", "other"
		if m.Labels[trace.C] == 10.0 {
			for part := range m.Sources {
				m.Sources[part] += "changed"
			}
		}
		draft, err := runs.Begin(m.Key, m)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range f.Rows {
			if err := draft.Append(row); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := draft.Replace(*f.End); err != nil {
			t.Fatal(err)
		}
	}
	d := opened(t, dir, plans(t, options(dir), "plain"))
	if others := d.Others("here"); d.All[0].State() != Begun || others["abc"] != 1 {
		t.Errorf("state %s, kept results of other commits %v; want %s, one", d.All[0].State(), others, Begun)
	}
	if _, made := sit(t, t.Context(), d, 0); len(made) != 1 || d.All[0].State() != Done {
		t.Errorf("the sitting made %q, and the experiment is %s", made, d.All[0].State())
	}
	o := options(dir)
	o.RequireClean = true
	if d := opened(t, dir, plans(t, o, "plain")); d.All[0].State() != Begun || len(d.All[0].Runs) != 2 {
		t.Errorf("with a clean program required: %s, want %s: the new run has no commit", d.All[0].State(), Begun)
	}
}

// TestJudge checks that the claims of complete experiments are judged, and that a claim that reads another experiment
// waits until the edition has it.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	d := opened(t, dir, plans(t, options(dir), "plain", "reader"))
	d.All[1].Reads = []string{"test/absent"}
	waits := d.All[1].ID
	sit(t, t.Context(), d, 0)
	o := harness.Options{Root: filepath.Join(dir, "none")}
	got, err := d.Judge(o, o)
	if err != nil || got.Experiments != 1 || len(got.Changes) != 1 || got.Changes[0].Before.Verdict != "" ||
		!slices.Equal(got.Waiting, []string{waits}) {
		t.Errorf("verdicts = %+v, %v; want one new verdict, and %s to wait", got, err, waits)
	}
}

// TestRecord checks that a folder has one scale, and that only one process works on an edition.
func TestRecord(t *testing.T) {
	dir := t.TempDir()
	d := opened(t, dir, nil)
	lock, err := store.Open(dir).Lock(t.Context(), "edition", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Sit(t.Context(), Sitting{Now: time.Now}); err != ErrBusy {
		t.Errorf("Sit beside another process: %v, want ErrBusy", err)
	}
	lock.Unlock()
	sit(t, t.Context(), d, 0)
	if _, err := Open(dir, "smoke", nil, 1); err == nil || !strings.Contains(err.Error(), "another scale, own") {
		t.Errorf("Open at another scale: %v, want an error with the scale", err)
	}
}
