package harness

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/gaplab/gaplab/harness/schedule"
)

// TestEachOptionReachesItsOwn checks that each switch of Options sets the option of package schedule with the same
// meaning and changes no other, and that the other values arrive with their defaults.
func TestEachOptionReachesItsOwn(t *testing.T) {
	meaning := map[string]string{ // "": the switch concerns Read or Check only
		"Only": "OnlyExtra", "Kept": "", "Partial": "", "Force": "Force", "Quiet": "Quiet", "SameCode": "SameCode",
		"RequireClean": "Clean", "SaveWeights": "Weights", "Programs": "Programs", "Exact": "", "OverSeeds": "",
	}
	set := func(o schedule.Options) (names []string) {
		v := reflect.ValueOf(o)
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.Bool && f.Bool() {
				names = append(names, v.Type().Field(i).Name)
			}
		}
		return names
	}
	if names := set((Options{}).Schedule()); names != nil {
		t.Errorf("the zero value sets %v, want none", names)
	}
	for i, of := 0, reflect.TypeFor[Options](); i < of.NumField(); i++ {
		name := of.Field(i).Name
		if of.Field(i).Type.Kind() != reflect.Bool {
			continue
		}
		want, ok := meaning[name]
		if !ok {
			t.Errorf("the switch %s has no line in this test", name)
		}
		var o Options
		reflect.ValueOf(&o).Elem().Field(i).SetBool(true)
		names := set(o.Schedule())
		if want == "" && names != nil || want != "" && (len(names) != 1 || names[0] != want) {
			t.Errorf("%s sets %v, want %q only", name, names, want)
		}
	}
	for workers, want := range map[int]int{-1: 1, 0: 1, 1: 1, 2: 2, 7: 7} {
		if got := (Options{Workers: workers}).Schedule().Workers; got != want {
			t.Errorf("Workers %d become %d, want %d", workers, got, want)
		}
	}
	o := Options{Root: "root", SaveEvery: time.Hour}.Schedule()
	if o.Out != "root/runs" || o.SaveEvery != time.Hour || o.Sitting == "" {
		t.Errorf("folder %q, time between checkpoints %v, sitting %q; want root/runs, 1h, and a digest", o.Out, o.SaveEvery,
			o.Sitting)
	}
	if out := (Options{Root: "root", Out: "traces"}).Schedule().Out; out != "traces" {
		t.Errorf("with Root and Out, the folder of the traces is %q, want traces", out)
	}
}

// TestOtherOptionsArrive checks that the options that are no switches reach the options of package schedule.
func TestOtherOptionsArrive(t *testing.T) {
	turns := semaphore.NewWeighted(1)
	called := 0
	o := Options{Turns: turns, OnEvent: func(schedule.Event) { called++ }, Command: []string{"gaplab", "run", "/a/b.yaml"}}
	o.With = append(o.With, &Walk{Step: 1}, mine{})
	s := o.Schedule()
	s.Event(schedule.Event{})
	if s.Turns != turns || called != 1 || !slices.Equal(s.Command, []string{"gaplab", "run", "b.yaml"}) ||
		len(s.Extra) != 2 || s.Extra[0].Name != "walk" || s.Extra[1].Name != "mine" || s.Extra[0].Solver != o.With[0] {
		t.Errorf("options %+v, want the turns, the event handler, the command and both solvers", s)
	}
	if err := (Options{}).CheckClean(); err != nil {
		t.Errorf("without RequireClean: %v", err)
	}
	if err := (Options{RequireClean: true}).CheckClean(); err != nil && !errors.Is(err, ErrNotClean) {
		t.Errorf("with RequireClean: %v, want an ErrNotClean", err)
	}
}
