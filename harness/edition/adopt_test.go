package edition

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestAdopt checks which experiments a copied record has: those of this call, those of earlier calls, from this folder
// or from another one, and none that this folder has to make again. It has the sittings of all.
func TestAdopt(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "paper")
	if _, err := Adopt(from, to, []string{"a/b"}); err != nil {
		t.Errorf("a folder without an edition: %v, want no error", err)
	}
	if _, err := Read(to); !errors.Is(err, ErrNoEdition) {
		t.Errorf("a record of no edition: %v, want an ErrNoEdition", err)
	}
	for i, c := range []struct {
		states map[string]string // of the experiments of the edition
		ids    []string
		want   string
		left   string // the experiments that left the record
	}{
		{map[string]string{"a/one": Done, "a/two": Done, "a/three": Begun}, []string{"a/two"}, "[a/two]", "[]"},
		{map[string]string{"a/one": Done, "a/two": Done, "a/three": Done}, []string{"a/one"}, "[a/one a/two]", "[]"},
		{map[string]string{"a/one": Waiting, "a/two": Done, "a/three": Done}, []string{"a/three"}, "[a/three a/two]",
			"[a/one]"},
		{map[string]string{"b/one": Done, "b/two": Begun}, []string{"b/one"}, "[a/three a/two b/one]", "[]"},
		{map[string]string{"a/two": Begun, "b/one": Done}, nil, "[a/three b/one]", "[a/two]"},
	} {
		began := fmt.Sprint("sitting ", i)
		r := &Record{Format: format, Scale: "paper", Sittings: []Session{{Began: began}}}
		for id, state := range c.states {
			r.Experiments = append(r.Experiments, Entry{ID: id, State: state})
		}
		if err := r.write(from); err != nil {
			t.Fatal(err)
		}
		left, err := Adopt(from, to, c.ids)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(left); got != c.left {
			t.Errorf("after %v %s left the record, want %s", c.ids, got, c.left)
		}
		kept, err := Read(to)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range kept.Experiments {
			ids = append(ids, e.ID)
		}
		if got := fmt.Sprint(ids); got != c.want {
			t.Errorf("after %v the record has %s, want %s", c.ids, got, c.want)
		}
		if n := len(kept.Sittings); n != i+1 || kept.Sittings[i].Began != began {
			t.Errorf("after %v the record has %d sittings, %v; want %d", c.ids, n, kept.Sittings, i+1)
		}
	}
}

// TestAdoptedRecord checks the content of a copied record: all of the source except its experiments and sittings, the
// sittings of both once and in the order of their begin, and for each experiment the entry of the last call that copied
// it. A damaged record is neither copied nor replaced.
func TestAdoptedRecord(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "paper")
	record := func(name string, sittings ...string) *Record {
		r := &Record{Format: format, Scale: "scale " + name, Program: Program{Commit: name}, Machine: Machine{CPU: name},
			Began: "began " + name}
		for _, s := range sittings {
			r.Sittings = append(r.Sittings, Session{Began: s, End: name})
		}
		return r
	}
	adopt := func(r *Record, ids ...string) *Record {
		t.Helper()
		if err := r.write(from); err != nil {
			t.Fatal(err)
		}
		if _, err := Adopt(from, to, ids); err != nil {
			t.Fatal(err)
		}
		got, err := Read(to)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	one := record("one", "2", "4")
	one.Experiments = []Entry{{ID: "b", State: Done, Runs: 1}, {ID: "a", State: Done, Runs: 2}, {ID: "c", State: Done}}
	adopt(one, "a", "b", "none")
	two := record("two", "1", "4", "3")
	two.Experiments = []Entry{{ID: "c", State: Done, Runs: 5}, {ID: "b", State: Done, Runs: 6}, {ID: "a", State: Done,
		Runs: 7}}
	got := adopt(two, "b")
	want := record("two", "1", "2", "3", "4")
	want.Sittings[1].End = "one"
	want.Experiments = []Entry{{ID: "a", State: Done, Runs: 2}, {ID: "b", State: Done, Runs: 6}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the record is %+v\nwant          %+v", got, want)
	}
	for _, broken := range []string{from, to} {
		path := filepath.Join(broken, File)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for text, says := range map[string]string{"{": "remove it to begin a new record",
			`{"format":"other"}`: `its format is "other"; this program reads ` + format} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := Adopt(from, to, []string{"b"}); err == nil || !strings.Contains(err.Error(), says) ||
				!strings.HasPrefix(err.Error(), path) {
				t.Errorf("a damaged record in %s: %v, want %q", path, err, says)
			}
			if _, err := Open(broken, "scale two", nil, 1); err == nil || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("Open with a damaged record: %v", err)
			}
			if there, err := os.ReadFile(path); err != nil || string(there) != text {
				t.Errorf("the damaged record became %q, %v", there, err)
			}
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBegin checks what the begin of a sitting records: its program and machine, the time, its experiments in the order
// of the edition behind those that are not part of it, with their forecasts and without the faults of earlier sittings,
// but with their times. A second sitting keeps the begin of the edition and the first sitting.
func TestBegin(t *testing.T) {
	dir := t.TempDir()
	d, err := Open(dir, "own", []*Experiment{fresh("p/b", "abc", false), fresh("p/a", "d", false)}, 1)
	if err != nil || d.Record.Scale != "own" || d.Record.Format != format || d.Dir != dir || d.Workers != 1 {
		t.Fatalf("a new edition is %+v, %v", d, err)
	}
	if _, err := Read(dir); !errors.Is(err, ErrNoEdition) {
		t.Errorf("Open wrote a record: %v", err)
	}
	d.Record.Experiments = []Entry{{ID: "p/a", Seconds: 3, Fault: "old"}, {ID: "x/1", Fault: "stays"}, {ID: "p/b"},
		{ID: "x/0"}}
	begin := time.Date(2026, 5, 1, 12, 0, 0, 0, time.FixedZone("", 7200))
	for i := range 2 {
		p, m := Program{Commit: fmt.Sprint("commit ", i)}, Machine{CPU: fmt.Sprint("machine ", i)}
		at := begin.Add(time.Duration(i) * time.Hour)
		if err := d.begin(p, m, at); err != nil {
			t.Fatal(err)
		}
		r, err := Read(dir)
		if err != nil || len(r.Sittings) != i+1 {
			t.Fatalf("the record is %+v, %v", r, err)
		}
		stamp := at.UTC().Format(time.RFC3339)
		want := Session{Program: p, Machine: m, Began: stamp, Until: stamp, Experiments: []string{}}
		if !reflect.DeepEqual(r.Sittings[i], want) || r.Program != p || r.Machine != m || r.Began != "2026-05-01T10:00:00Z" ||
			r.Sittings[0].Machine.CPU != "machine 0" {
			t.Errorf("sitting %d is %+v of %+v, want %+v", i, r.Sittings[i], r, want)
		}
		got := ""
		for _, e := range r.Experiments {
			got += fmt.Sprintf("%s %v %v %s,", e.ID, e.Forecast, e.Seconds, e.Fault)
		}
		if want := "x/1 0 0 stays,x/0 0 0 ,p/a 10 3 ,p/b 30 0 ,"; got != want {
			t.Errorf("the experiments are %s want %s", got, want)
		}
	}
}

// TestOthersOfAll checks which results of other programs are counted: the finished ones of all experiments, by commit.
func TestOthersOfAll(t *testing.T) {
	lost := run("c", 1, nil)
	lost.State, lost.Made = "failed", &schedule.Made{Status: trace.Failed, Commit: "old"}
	made := func(commit string) schedule.PlannedRun { return run("a", 1, &schedule.Made{Commit: commit}) }
	d := &Edition{All: []*Experiment{{Runs: []schedule.PlannedRun{made("old"), made("here"), made(""), lost, made("old")}},
		{Runs: []schedule.PlannedRun{made("older"), made("old"), run("d", 1, nil)}}}}
	if got, want := d.Others("here"), map[string]int{"old": 3, "older": 1, "unknown": 1}; !maps.Equal(got, want) {
		t.Errorf("results of others: %v, want %v", got, want)
	}
}
