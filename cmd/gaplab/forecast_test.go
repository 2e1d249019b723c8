package main

import (
	"bytes"
	"testing"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// TestForecastOfRuns checks the table of a plan, and the text below it: how many runs are not finished, and the time
// and memory if they are known.
func TestForecastOfRuns(t *testing.T) {
	run := func(c float64, state string, passes, seconds float64) schedule.PlannedRun {
		return schedule.PlannedRun{Labels: map[string]any{"as": "eg", "C": c}, Key: "k", State: state, Passes: passes,
			Seconds: seconds}
	}
	all := []schedule.PlannedRun{run(1, "finished", 0, 0), run(2, "new", 30, 2.25), run(3, "interrupted", 0, 10),
		run(4, "failed", 5, 0), run(5, "finished", 7, 0)}
	const head = "my/x  scale quick\n"
	for _, c := range []struct {
		format string
		f      schedule.Forecast
		want   string
	}{
		{"text", schedule.Forecast{Runs: all, Seconds: 12.25, Memory: 3_000_000}, head +
			"  C  state        passes at most  seconds  key\n" +
			"  1  finished                              k\n" +
			"  2  new                    30.0      2.2  k\n" +
			"  3  interrupted                     10.0  k\n" +
			"  4  failed                  5.0           k\n" +
			"  5  finished                7.0           k\n" +
			"  3 of 5 runs to do, about 12.3s, 3 MB of memory in earlier runs\n"},
		{"text", schedule.Forecast{Runs: all[1:2]}, head + "  as  state  passes at most  seconds  key\n" +
			"  eg  new              30.0      2.2  k\n" +
			"  1 of 1 runs to do; their time can be estimated once one of them has ended\n"},
		{"text", schedule.Forecast{Runs: all[:1]}, head + "  as  state     key\n  eg  finished  k\n  0 of 1 runs to do\n"},
		{"md", schedule.Forecast{Runs: all[:1], Memory: 1_000_000}, "## my/x at scale quick\n\n" +
			"| as | state | passes at most | seconds | key |\n| --- | --- | ---: | ---: | --- |\n| eg | finished |  |  | k |\n" +
			"\n0 of 1 runs to do, 1 MB of memory in earlier runs\n"},
	} {
		var out bytes.Buffer
		v := &runFlags{sys: system{out: &out, getenv: func(string) string { return "" }},
			format: &term.Choice{Value: c.format}}
		err := v.printForecast(&lang.Spec{ID: "my/x", Scale: "quick"}, &c.f)
		if err != nil || out.String() != c.want {
			t.Errorf("error %v, got\n%swant\n%s", err, &out, c.want)
		}
	}
}
