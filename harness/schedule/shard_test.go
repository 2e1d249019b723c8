package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// divided divides the unfinished runs of a spec into units and makes all units: stage by stage (a stage needs the
// results of the stages before it), and within a stage in reverse order. For each stage it returns a text with one
// character per unit: t for a trial (a run up to the point where lang.Choose compares it), otherwise the number of runs
// in the unit.
func divided(t *testing.T, dir string, s *lang.Spec, opts ...toy.Option) (stages []string) {
	t.Helper()
	o := toy.Options(dir, opts...)
	d, err := divide(t, s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(d.Units)
	slices.SortStableFunc(d.Units, func(a, b schedule.Unit) int { return a.Stage - b.Stage })
	for _, unit := range d.Units {
		if unit.Stage == len(stages) {
			stages = append(stages, "")
		}
		stages[unit.Stage] += map[bool]string{true: "t", false: fmt.Sprint(len(unit.Runs))}[unit.Trials]
		o.Shard = shard(unit)
		if err := toy.Do(t.Context(), s, o); err != nil {
			t.Fatalf("stage %d, %v: %v", unit.Stage, unit.Runs[0].Name, err)
		}
	}
	return stages
}

func shard(unit schedule.Unit) *schedule.Shard {
	p := &schedule.Shard{Runs: map[string]string{}, Trials: unit.Trials}
	for _, r := range unit.Runs {
		p.Runs[r.Plan] = r.Data
	}
	return p
}

// TestShards checks that an experiment that is made unit by unit has the same results as an experiment made by one
// process. The specs have comparisons of runs (lang.Choose), runs that start from the weights of other runs, folds, and
// a run that diverges although other runs need its weights.
func TestShards(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test makes every experiment twice")
	}
	for _, c := range []struct {
		name, text string
		stages     []string
	}{
		{"choices", toy.Choosing, []string{"1111" + strings.Repeat("t", 12), "66"}},
		{"weights of others", fromSpec, []string{"1", "111"}},
		{"weights of weights", chained, []string{"1", "1111", "1"}},
		{"a base that diverges", barren(), []string{"11", "1111"}},
		{"a choice by folds", folded, []string{"111111111", "12"}},
		{"a choice on a path", pathed, []string{"111", "6"}},
		{"folds", toy.AtC + toy.Three + "repeat: {folds: 2}\n", []string{"111111"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, s := t.TempDir(), toy.Spec(t, c.text)
			whole := toy.Run(t, t.TempDir(), s)
			stages := divided(t, dir, s)
			for i, text := range stages {
				letters := strings.Split(text, "")
				slices.Sort(letters)
				stages[i] = strings.Join(letters, "")
			}
			if !slices.Equal(stages, c.stages) {
				t.Errorf("stages %q, want %q", stages, c.stages)
			}
			r := toy.Read(t, dir, s)
			if len(r.Files) != len(whole.Files) {
				t.Fatalf("%d runs, want %d", len(r.Files), len(whole.Files))
			}
			for i, f := range r.Files {
				want := whole.Files[i]
				if d := trace.Diff(f, want); d != "" || f.Status() != want.Status() ||
					f.End.Labels["chosen"] != want.End.Labels["chosen"] || f.Manifest.Key != want.Manifest.Key {
					t.Errorf("%s: %s: %s, want %s; key %s, want %s; %v", f.Describe(), d, f.Status(), want.Status(), f.Manifest.Key,
						want.Manifest.Key, f.End.Labels)
				}
				if f.Manifest.Alone {
					t.Errorf("%s: the manifest records that the run had the machine to itself, want that it had not", f.Describe())
				}
			}
			if c.name == "a base that diverges" { // the run that needs the missing weights has failed and is repeated
				return
			}
			if again := divided(t, dir, s); len(again) > 0 {
				t.Errorf("units that are left after all were made: %q, want none", again)
			}
		})
	}
}

// TestShardsLackWhatOthersMake checks that a process makes no run outside of its shard. If the shard needs the weights
// of another run, and these are missing, the error names that run. The process also waits for files that appear late.
func TestShardsLackWhatOthersMake(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test waits for a second")
	}
	dir, s := t.TempDir(), toy.Spec(t, fromSpec)
	o := toy.Options(dir)
	d, err := divide(t, s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	top := d.Units[slices.IndexFunc(d.Units, func(l schedule.Unit) bool {
		return strings.HasPrefix(l.Runs[0].Name, "top ")
	})]
	o.Shard = shard(top)
	if err := toy.Do(t.Context(), s, o); !errors.Is(err, schedule.ErrAbsent) ||
		!strings.Contains(err.Error(), "the run first of problem first") {
		t.Errorf("error without the base: %v, want ErrAbsent with the name of the base", err)
	}
	if made := files(t, dir, ".jsonl"); len(made) > 0 {
		t.Errorf("the shard made %q, want no run", made)
	}
	elsewhere := t.TempDir()
	toy.Run(t, elsewhere, s)
	for _, data := range []string{"", "another"} {
		o.Shard.Runs[top.Runs[0].Plan] = data
		go func() {
			time.Sleep(100 * time.Millisecond)
			for _, pattern := range []string{"*.weights.json.gz", "*.jsonl"} {
				found, _ := filepath.Glob(filepath.Join(elsewhere, "own/from/own", pattern))
				for _, from := range found {
					if f, err := trace.Read(from); pattern == "*.jsonl" && (err != nil || f.Manifest.Labels["as"] != "first") {
						continue
					}
					to := filepath.Join(dir, "own/from/own", filepath.Base(from))
					if os.MkdirAll(filepath.Dir(to), 0o777) == nil {
						_ = os.Rename(from, to)
					}
				}
			}
		}()
		o.Shard.Late = 20 * time.Second
		err := toy.Do(t.Context(), s, o)
		if data == "" && err != nil || data != "" && !errors.Is(err, schedule.ErrOtherData) {
			t.Errorf("shard planned for data %q: %v, want ErrOtherData only for other data", data, err)
		}
	}
	if f := toy.Labelled(t, toy.Read(t, dir, s), "as", "top"); f.Status() != trace.Done {
		t.Errorf("status of the shard's run = %s, want done", f.Status())
	}
	o.Shard = &schedule.Shard{Runs: map[string]string{"0123456789abcdef": ""}}
	if err := toy.Do(t.Context(), s, o); err == nil || !strings.Contains(err.Error(), "no run 0123456789abcdef") {
		t.Errorf("error for a shard with a run of another plan: %v, want one that names the run", err)
	}
}

// TestWhatShardsTake checks that Divide predicts the times of units, and the memory, from earlier runs. The time of a
// unit that compares runs must be the time of its longest run.
func TestWhatShardsTake(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, toy.Choosing)
	known := toy.Run(t, dir, s).Files
	for i, f := range known {
		f.End.Seconds, f.End.CPUSeconds, f.End.PeakBytes = float64(100+i), 0, int64(1000+i)
	}
	d, err := divide(t, s, toy.Options(t.TempDir()), known)
	if err != nil {
		t.Fatal(err)
	}
	if d.Runs != 16 || d.Done != 0 || d.Alone || d.Memory != 1015 {
		t.Errorf("%d of %d runs done, alone %v, memory %d bytes; want 0 of 16, false, 1015", d.Done, d.Runs, d.Alone,
			d.Memory)
	}
	for _, unit := range d.Units {
		if unit.Seconds <= 0 || unit.Workers != 1 || len(unit.Runs) == 6 && unit.Seconds < 105 {
			t.Errorf("unit %+v: want a positive time, one worker and, for a choice, at least 105 s", unit)
		}
	}
	if d, err = divide(t, s, toy.Options(dir), known); err != nil || d.Done != 16 || len(d.Units) > 0 {
		t.Errorf("after all runs: %d done, %d units left, %v; want 16 done and none left", d.Done, len(d.Units), err)
	}
}

// TestSilentProcess checks that a process waits for a run that another process makes, as long as the files of the run
// change. When they no longer change, the process must make the run itself, although the other process still holds the
// lock.
func TestSilentProcess(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test waits for seconds")
	}
	dir, s := t.TempDir(), toy.Spec(t, toy.AtC+"solvers: [{name: ascent}]\nstop: {passes: 3}\n")
	o := toy.Options(dir)
	d, err := divide(t, s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	key := d.Units[0].Runs[0].Key
	lock, err := store.Open(dir).Lock(t.Context(), key, false)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	sign := filepath.Join(dir, "test/tiny/own", key+".0123456789abcdef.part.jsonl")
	alive := time.Second
	go func() {
		_ = os.MkdirAll(filepath.Dir(sign), 0o777)
		for until := time.Now().Add(alive); time.Now().Before(until); time.Sleep(50 * time.Millisecond) {
			_ = os.WriteFile(sign, []byte(time.Now().String()), 0o666)
		}
	}()
	o.Shard = shard(d.Units[0])
	o.Shard.Silence = 400 * time.Millisecond
	noted := false
	o.Event = func(e schedule.Event) { noted = noted || strings.Contains(e.Why, "showed no progress for") }
	begun := time.Now()
	if err := toy.Do(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < alive || !noted {
		t.Errorf("waited for %v (want at least %v), with a note: %v (want true)", took, alive, noted)
	}
	toy.WantStatus(t, toy.Only(t, toy.Read(t, dir, s)), trace.Done, "passes")
}

// divide returns the units of a spec that are not yet made.
func divide(t *testing.T, s *lang.Spec, o schedule.Options, known []*trace.File) (*schedule.Division, error) {
	t.Helper()
	p, err := schedule.NewPlan(s, o)
	if err != nil {
		t.Fatal(err)
	}
	return p.Divide(t.Context(), known)
}

// TestShardAfterAFailedBase checks that a run whose base has failed in another process fails too, with the reason,
// instead of waiting for the base.
func TestShardAfterAFailedBase(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), toy.Spec(t, fromSpec)
	o := toy.Options(dir)
	d, err := divide(t, s, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Wrap = func(s solvers.Solver) solvers.Solver {
		return toy.Scripted{Is: "fails", Do: func(_ toy.Given, yield func(solvers.Iterate, error) bool) {
			yield(solvers.Iterate{}, errors.New("this solver always fails"))
		}}
	}
	o.Shard = shard(d.Units[0])
	if err := toy.Do(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	o = toy.Options(dir)
	o.Shard = shard(d.Units[1])
	o.Shard.Late = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := toy.Do(ctx, s, o); err != nil || ctx.Err() != nil {
		t.Fatalf("error %v, waited for the failed base: %v; want nil and false", err, ctx.Err() != nil)
	}
	for _, f := range toy.Read(t, dir, s).Files {
		if f.Status() != trace.Failed || !strings.Contains(f.End.Why, "this solver always fails") {
			t.Errorf("%s: status %s, %s; want failed, with the reason of the base", f.Describe(), f.Status(), f.End.Why)
		}
	}
}
