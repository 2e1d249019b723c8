package cluster_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestArraysFitTheirTasks checks that an array requests enough for each of its tasks: the time of its longest task, and
// more than the largest memory of an earlier run. The time of a task must be the sum over its units.
func TestArraysFitTheirTasks(t *testing.T) {
	t.Parallel()
	const solvers = "solvers: [{as: a, name: ascent}, {as: b, name: whole}, {as: c, name: ascent, rate: 0.5}]\n" +
		"stop: {passes: 4}\n"
	for _, perTask := range []int{1, 2} {
		o := toy.Options(t.TempDir())
		var all []cluster.Experiment
		seconds := map[string]float64{} // by the plan key of a run
		for i, c := range []struct {
			memory  int64
			seconds float64 // of the longest run
		}{{550e6, 300}, {1050e6, 90}, {560e6, 30}, {5e9, 200}, {600e6, 20000}} {
			s := toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", fmt.Sprint("test/e", i), 1)+
				strings.Replace(solvers, "passes: 4", fmt.Sprint("passes: ", 4+i), 1))
			p, err := schedule.NewPlan(s, o)
			if err != nil {
				t.Fatal(err)
			}
			d, err := p.Divide(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var known []*trace.File
			for k, u := range d.Units {
				f := &trace.File{Manifest: trace.Manifest{Plan: u.Runs[0].Plan, Labels: p.Runs[k].Labels},
					Rows: []trace.Row{{Values: map[string]float64{trace.Passes: 1}}},
					End:  &trace.End{Status: trace.Done, Seconds: c.seconds / float64(k+1), PeakBytes: c.memory / int64(k+1)}}
				known, seconds[u.Runs[0].Plan] = append(known, f), f.End.Seconds
			}
			all = append(all, cluster.Experiment{Spec: cluster.Spec{ID: s.ID, Scale: s.Scale}, Now: p, Known: known})
		}
		g, err := cluster.Plan(t.Context(), all, o, perTask)
		if err != nil {
			t.Fatal(err)
		}
		runs := 0
		for _, a := range g.Arrays {
			longest, memory := 0.0, int64(0)
			for _, task := range g.Tasks[a.First : a.First+a.Count] {
				sum := 0.0
				for _, shard := range task.Shards {
					for _, r := range shard.Runs {
						sum += seconds[r.Plan]
						runs++
					}
					memory = max(memory, all[shard.Spec].Known[0].End.PeakBytes)
				}
				if task.Seconds != sum {
					t.Errorf("time of a task of %d units = %v s, want the sum of its runs, %v s", perTask, task.Seconds, sum)
				}
				longest = max(longest, sum)
			}
			if a.Seconds != longest || a.Memory < memory+memory/2 || a.Memory > 2*memory+200e6 {
				t.Errorf("an array of %d tasks requests %v s and %d bytes; want %v s, and at least one and a half times %d bytes",
					a.Count, a.Seconds, a.Memory, longest, memory)
			}
		}
		if runs != 15 {
			t.Errorf("the tasks make %d runs, want 15", runs)
		}
	}
}
