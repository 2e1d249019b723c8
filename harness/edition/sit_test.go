package edition

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
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
		if _, left := d.Forecast(); left.Seconds == 0 || r.Experiments[0].Forecast != left.Seconds {
			t.Errorf("%s: the first sitting left %v s, the second finds %v s", id, r.Experiments[0].Forecast, left.Seconds)
		}
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
	other := fresh("p/other", "", true) // it has made the runs of p/part, which then needs no time
	for _, plan := range "ab" {
		other.Runs = append(other.Runs, run(string(plan), 10, &schedule.Made{Sitting: "old", Alone: true}))
	}
	held.All = append(all, other)
	if e, need := held.next(map[*Experiment]bool{}, time.Minute, 30*time.Second); e != all[1] || need.Runs != 0 {
		t.Errorf("next: %+v, which needs %+v; want p/part, which needs nothing", e, need)
	}
}

// TestClock holds a sitting of an hour with a clock that goes on by 40 minutes while an experiment is made. An
// experiment that does not fit in the rest is passed over; one that just fits is made. While an experiment is made, the
// file of the record has it, so that the record is right even if the process is killed. An experiment that cannot go on
// does not end the sitting, and its fault stays in the record until the next sitting begins.
func TestClock(t *testing.T) {
	dir := t.TempDir()
	d := opened(t, dir, plans(t, options(dir), "one", "two", "three"))
	d.Workers = 1
	minutes := map[string]float64{"test/one": 40, "test/two": 20.01, "test/three": 20}
	order := []string{"test/one", "test/two", "test/three"}
	slices.SortFunc(d.All, func(a, b *Experiment) int { return slices.Index(order, a.ID) - slices.Index(order, b.ID) })
	for _, e := range d.All {
		for i := range e.Runs {
			e.Runs[i].Whole, e.Runs[i].Known = minutes[e.ID]*60/2, true
		}
	}
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	now := begin
	at := func(minutes int) string { return begin.Add(time.Duration(minutes) * time.Minute).Format(time.RFC3339) }
	var begun, made []string
	wrong := errors.New("no room")
	end, err := d.Sit(t.Context(), Sitting{For: time.Hour, Now: func() time.Time { return now },
		Make: func(ctx context.Context, e *Experiment, need Need) (*harness.Result, error) {
			begun = append(begun, e.ID)
			r, err := Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Sittings[0]
			if until := at(40 * (len(begun) - 1)); !slices.Equal(s.Experiments, begun) || s.Until != until || s.End != "" {
				t.Errorf("before %q the record has %+v, want these experiments, until %s", begun, s, until)
			}
			if need.Runs != 2 || need.Seconds != minutes[e.ID]*60 {
				t.Errorf("the need of %s is %+v", e.ID, need)
			}
			now = now.Add(40 * time.Minute)
			if e.ID == "test/one" {
				return nil, wrong
			}
			return e.Plan.Run(ctx)
		},
		Made: func(e *Experiment, r *harness.Result, err error) {
			made = append(made, e.ID)
			if (r == nil) != (err == wrong) || (e.ID == "test/one") != (err == wrong) {
				t.Errorf("the result of %s: %v, %v", e.ID, r, err)
			}
		}})
	want := []string{"test/one", "test/three"}
	if err != nil || end != TimeOver || !slices.Equal(begun, want) || !slices.Equal(made, want) {
		t.Fatalf("the sitting began %q, made %q and ended: %s, %v; want %q", begun, made, end, err, want)
	}
	r, err := Read(dir)
	if err != nil || len(r.Sittings) != 1 {
		t.Fatalf("the record is %+v, %v", r, err)
	}
	if s := r.Sittings[0]; r.Began != at(0) || s.Began != at(0) || s.Until != at(80) || s.Seconds != 4800 || s.End != end {
		t.Errorf("the record of the sitting is %+v, begun at %s", s, r.Began)
	}
	for i, want := range []Entry{{ID: "test/one", State: Waiting, Fault: "no room", Seconds: 2400},
		{ID: "test/two", State: Waiting}, {ID: "test/three", State: Done, Seconds: 2400}} {
		got := r.Experiments[i]
		got = Entry{ID: got.ID, State: got.State, Fault: got.Fault, Seconds: got.Seconds}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("entry %d is %+v, want %+v", i, got, want)
		}
	}
	now = now.Add(time.Hour)
	d = opened(t, dir, plans(t, options(dir), "one", "two", "three"))
	end, err = d.Sit(t.Context(), Sitting{Now: func() time.Time { return now },
		Make: func(_ context.Context, e *Experiment, _ Need) (*harness.Result, error) {
			for _, e := range d.Record.Experiments {
				if e.Fault == wrong.Error() {
					t.Errorf("a new sitting keeps the fault of %s: %s", e.ID, e.Fault)
				}
			}
			return nil, errors.New("still no room")
		},
		Made: func(*Experiment, *harness.Result, error) {}})
	if err != nil || end != NotAllMade || d.Record.Began != at(0) || len(d.Record.Sittings) != 2 ||
		d.Record.Sittings[1].Began != at(140) || d.Record.Sittings[1].Seconds != 0 {
		t.Errorf("the second sitting ended: %s, %v, with the record %+v", end, err, d.Record)
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

// TestJudge checks which claims are judged: those of complete experiments, but not those that read an experiment that
// the edition does not have completely. The verdicts after are those of the results of the edition and the verdicts
// before those of the kept results only, whatever folders the options name.
func TestJudge(t *testing.T) {
	dir, root := t.TempDir(), t.TempDir()
	d := opened(t, dir, plans(t, options(dir), "plain", "reader", "absent"))
	d.All = slices.DeleteFunc(d.All, func(e *Experiment) bool { return e.ID == "test/absent" })
	sit(t, t.Context(), d, 0)
	there, err := store.Open(dir).Folder("test/plain", "own").Runs()
	if err != nil {
		t.Fatal(err)
	}
	var kept []*trace.File
	for _, f := range there.Files {
		for _, row := range f.Rows {
			row.Values[trace.Passes] /= 100 // the kept results do not reproduce the claim
		}
		kept = append(kept, f)
	}
	if _, err := store.Keep(root).Write("test/plain", "own", kept, false); err != nil {
		t.Fatal(err)
	}
	plain := slices.IndexFunc(d.All, func(e *Experiment) bool { return e.ID == "test/plain" })
	reader := 1 - plain
	for _, c := range []struct {
		reads   string
		state   string // of test/plain in the record
		root    string
		want    string // changes
		waiting []string
	}{
		{"test/absent", Done, "none", "test/plain/c1 >reproduced", []string{"test/reader"}},
		{"test/absent", Done, root, "test/plain/c1 not-reproduced>reproduced", []string{"test/reader"}},
		{"test/plain", Begun, root, "test/plain/c1 not-reproduced>reproduced", []string{"test/reader"}},
		{"test/plain", Done, root, "test/plain/c1 not-reproduced>reproduced test/reader/c1 >reproduced", nil},
	} {
		d.All[reader].Reads = []string{c.reads}
		d.Record.Experiments[slices.IndexFunc(d.Record.Experiments, func(e Entry) bool { return e.ID == "test/plain" })].
			State = c.state
		if c.root == "none" {
			c.root = filepath.Join(dir, c.root)
		}
		got, err := d.Judge(harness.Options{Root: c.root, Out: root, Kept: true}, harness.Options{Root: c.root, Out: dir})
		if err != nil {
			t.Fatal(err)
		}
		var changes []string
		for _, v := range got.Changes {
			changes = append(changes, v.ID+" "+string(v.Before.Verdict)+">"+string(v.After.Verdict))
		}
		slices.Sort(changes)
		if strings.Join(changes, " ") != c.want || got.Experiments != len(changes) || len(got.After) != len(changes) ||
			!slices.Equal(got.Waiting, c.waiting) {
			t.Errorf("with %+v: the verdicts are %+v", c, got)
		}
	}
	d.All[plain].Runs = d.All[plain].Runs[:0]
	d.All[reader].Runs[0].State, d.All[reader].Runs[0].Made = "failed", &schedule.Made{Status: trace.Failed}
	if got, err := d.Judge(harness.Options{Root: root}, harness.Options{Root: root}); err != nil || got.Experiments != 1 ||
		len(got.Waiting) != 0 || d.All[reader].State() != Failed || d.All[plain].State() != Waiting {
		t.Errorf("verdicts = %+v, %v; want those of the experiment with a failed run", got, err)
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
