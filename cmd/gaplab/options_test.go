package main

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/schedule"
)

// changedOptions returns the names of the options that differ between a and b. Lists and functions are not compared.
func changedOptions(a, b harness.Options) (names []string) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		f := x.Type().Field(i)
		if f.IsExported() && f.Type.Comparable() && f.Type.Kind() != reflect.Pointer && !x.Field(i).Equal(y.Field(i)) {
			names = append(names, f.Name)
		}
	}
	return names
}

// TestFlagsOfRun checks that each flag of gaplab run sets the option with its meaning, and no other.
func TestFlagsOfRun(t *testing.T) {
	of := func(args ...string) harness.Options {
		v := &runFlags{sys: system{err: &bytes.Buffer{}, getenv: func(string) string { return "" }, args: args}}
		if err := v.command().ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		return v.options()
	}
	plain := of()
	for _, c := range []struct {
		flag, option string
		want         any
	}{
		{"--force", "Force", true}, {"--same-code", "SameCode", true}, {"--require-clean", "RequireClean", true},
		{"--save-weights", "SaveWeights", true}, {"--save-weights=file.gz", "SaveWeights", true},
		{"--programs", "Programs", true}, {"--workers=7", "Workers", 7}, {"--out=traces", "Out", "traces"},
		{"--save-every=3m", "SaveEvery", 3 * time.Minute}, {"--save-every=0", "SaveEvery", time.Duration(schedule.Never)},
	} {
		o := of(c.flag)
		got := reflect.ValueOf(o).FieldByName(c.option).Interface()
		if names := changedOptions(plain, o); !slices.Equal(names, []string{c.option}) || got != c.want {
			t.Errorf("%s changes %v, with %s = %v; want %s only, %v", c.flag, names, c.option, got, c.option, c.want)
		}
		if strings.Join(o.Command, " ") != "gaplab "+c.flag {
			t.Errorf("%s: the command line of the manifests is %q", c.flag, o.Command)
		}
	}
	if plain.SaveEvery != time.Minute || plain.Source.Offline || !of("--offline").Source.Offline {
		t.Errorf("without flags: %v between checkpoints, offline %v; want a minute, and --offline offline", plain.SaveEvery,
			plain.Source.Offline)
	}
}

// TestOptionsOfReproduce checks the options of an edition. Results of other code or of programs with uncommitted
// changes are made again, and so are times that were measured on a busy machine.
func TestOptionsOfReproduce(t *testing.T) {
	v := &reproduceVerb{sys: system{err: &bytes.Buffer{}, getenv: func(string) string { return "" }}, dir: "edition"}
	o := v.options(3)
	if !o.SameCode || !o.RequireClean || !o.Quiet || o.Force || o.Partial || o.Programs || o.Workers != 3 ||
		o.Out != "edition" || o.Source.Offline {
		t.Errorf("options of an edition: %+v", o)
	}
	v.unclean, v.offline, v.runner.programs = true, true, true
	if o := v.options(1); o.RequireClean || !o.Programs || !o.Source.Offline || o.Workers != 1 || !o.SameCode || !o.Quiet {
		t.Errorf("options with --unclean, --offline and --programs: %+v", o)
	}
}
