package schedule_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
)

// TestOneOf checks which results a timed experiment reuses if all must be of one process (Options.OneOf): only those of
// that process that were not resumed, because another process may have begun these. An experiment that is not timed
// reuses all. The forecast says the same before.
func TestOneOf(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs an experiment eight times")
	}
	const timed = "claims: [{id: c1, says: It ends., assert: 'final(\"a\", \"seconds\") >= 0'}]\n"
	for _, claims := range []string{timed, ""} {
		for _, one := range []string{"", "first", "second", "resumed"} {
			dir := t.TempDir()
			s := toy.Spec(t, toy.AtC+strings.TrimPrefix(toy.Three, "\n")+claims)
			sitting := func(name string) toy.Option {
				return func(o *schedule.Options) { o.Sitting = name }
			}
			first := toy.Run(t, dir, s, sitting("first"))
			if one == "resumed" {
				one = "first"
				for _, f := range first.Files {
					f.End.Resumed = 1
					if err := f.Save(f.Path); err != nil {
						t.Fatal(err)
					}
				}
			}
			resumed := first.Files[0].End.Resumed > 0
			var j toy.Journal
			only := func(o *schedule.Options) { o.OneOf = one }
			p, err := schedule.NewPlan(s, toy.Options(dir, sitting("second"), only))
			if err != nil {
				t.Fatal(err)
			}
			f, err := p.Forecast(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var states []string
			for _, r := range f.Runs {
				states = append(states, r.State)
			}
			toy.Run(t, dir, s, sitting("second"), only, j.Option())
			all := []string{"a", "b", "c"}
			if again := claims != "" && (one == "second" || resumed); again {
				j.Want(t, all, nil)
				if !slices.Equal(states, []string{"new", "new", "new"}) {
					t.Errorf("states of the forecast = %q, want new", states)
				}
			} else {
				j.Want(t, nil, all)
				if !slices.Equal(states, []string{"finished", "finished", "finished"}) {
					t.Errorf("states of the forecast = %q, want finished", states)
				}
			}
		}
	}
}
