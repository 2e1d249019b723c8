package campaign_test

import (
	"container/heap"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/campaign"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
)

// BenchmarkPaperScale plans all experiments at paper scale and simulates their tasks on sixty-four nodes, with the
// times of the kept runs. It simulates each run once, and then each run with a hundred seeds. It reports, in hours, the
// work of the runs, the time until all tasks have ended (makespan), and the overhead of the tasks: half a second to
// start and the time to read the data. It needs the real data.
func BenchmarkPaperScale(b *testing.B) {
	if os.Getenv("GAPLAB_DATA") == "" {
		b.Skip("GAPLAB_DATA is not set")
	}
	const nodes, seeds, begins = 64, 100, 0.5
	root := filepath.Join("..", "..", "results")
	for b.Loop() {
		all, err := harness.Experiments()
		if err != nil {
			b.Fatal(err)
		}
		o := harness.Options{Root: root, Out: b.TempDir()}
		var plans []*harness.Plan
		reads := map[string]float64{} // CPU seconds to read the data and build the model, by experiment
		for _, e := range all {
			s, err := e.At(lang.ScalePaper, nil)
			if err != nil {
				b.Fatal(err)
			}
			p, err := harness.NewPlan(s, o)
			if err != nil {
				b.Fatal(err)
			}
			plans = append(plans, p)
			files, _ := store.Keep(root).Read(s.ID, s.Scale) // after an error there are no files, so the times are unknown
			for _, f := range files {
				reads[s.ID] = max(reads[s.ID], f.Manifest.DataCPUSeconds)
			}
		}
		g, err := campaign.Plan(b.Context(), plans, nil, nil, 1, o)
		if err != nil {
			b.Fatal(err)
		}
		planned := len(g.Tasks)
		known := typical(slices.Collect(maps.Values(reads)))
		cost := func(t cluster.Task) float64 {
			if own := reads[g.Specs[t.Shards[0].Spec].ID]; own > 0 {
				return begins + own
			}
			return begins + known
		}
		once, onceWork := *g, 0.0
		once.Tasks = slices.Clone(g.Tasks)
		for i, t := range once.Tasks {
			onceWork += t.Seconds
			once.Tasks[i].Seconds += cost(t)
		}
		b.ReportMetric(onceWork/3600, "h-work-once")
		b.ReportMetric(simulate(&once, nodes)/3600, "h-makespan-once")
		unknown := seeded(g, seeds)
		var work, added float64
		for i, t := range g.Tasks {
			work, added = work+t.Seconds, added+cost(t)
			g.Tasks[i].Seconds += cost(t)
		}
		took := simulate(g, nodes)
		b.ReportMetric(float64(planned), "tasks-planned")
		b.ReportMetric(float64(len(g.Tasks)), "tasks")
		b.ReportMetric(float64(unknown), "tasks-of-unknown-length")
		b.ReportMetric(work/3600, "h-work")
		b.ReportMetric(added/3600, "h-added")
		b.ReportMetric(took/3600, "h-makespan")
		b.ReportMetric(100*work/(nodes*took), "%-busy-with-work")
		b.ReportMetric(100*(work+added)/(nodes*took), "%-busy")
	}
}

// seeded copies each task so that it exists for the given number of seeds. The time of a copy is the mean over the
// seeds of the task whose times are known or, if no time is known, the mean over all tasks. seeded returns the number
// of tasks whose time is unknown.
func seeded(g *cluster.Campaign, seeds int) (unknown int) {
	seed := regexp.MustCompile(` seed=\d+`)
	var mean []float64
	for _, t := range g.Tasks {
		if t.Seconds > 0 {
			mean = append(mean, t.Seconds)
		}
	}
	typically := typical(mean)
	var tasks []cluster.Task
	for i, a := range g.Arrays {
		first := len(tasks)
		took := map[string][]float64{}
		of := map[string]cluster.Task{}
		for _, t := range g.Tasks[a.First : a.First+a.Count] {
			name := fmt.Sprint(t.Shards[0].Spec, t.Shards[0].Trials)
			for _, r := range t.Shards[0].Runs {
				name += seed.ReplaceAllString(r.Name, "")
			}
			of[name] = t
			if t.Seconds > 0 {
				took[name] = append(took[name], t.Seconds)
			}
		}
		for name, t := range of {
			if t.Seconds = typical(took[name]); t.Seconds == 0 {
				t.Seconds = typically
				unknown += seeds
			}
			for range seeds {
				tasks = append(tasks, t)
			}
		}
		slices.SortFunc(tasks[first:], func(a, b cluster.Task) int { return int(b.Seconds - a.Seconds) })
		g.Arrays[i].First, g.Arrays[i].Count = first, len(tasks)-first
	}
	g.Tasks = tasks
	return unknown
}

// typical returns the mean of v, or 0 if v is empty.
func typical(v []float64) (mean float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	return mean
}

// TestSimulate checks the makespan (time until all tasks have ended) of a small campaign. On one node it is the sum of
// all work. On enough nodes it is the time of the two dependent stages, 4 + 8 seconds.
func TestSimulate(t *testing.T) {
	g := &cluster.Campaign{}
	add := func(after []int, seconds ...float64) {
		a := cluster.Array{First: len(g.Tasks), Count: len(seconds), After: after}
		for _, s := range seconds {
			g.Tasks = append(g.Tasks, cluster.Task{Seconds: s})
		}
		g.Arrays = append(g.Arrays, a)
	}
	add(nil, 4, 4)                      // runs up to the point where lang.Choose compares settings
	add([]int{0}, 8)                    // the run with the chosen setting
	add(nil, 5, 5, 3, 3, 2, 2, 1, 1, 1) // all others
	for nodes, want := range map[int]float64{1: 39, 2: 20, 4: 12, 100: 12} {
		if got := simulate(g, nodes); got != want {
			t.Errorf("makespan on %d nodes = %v, want %v", nodes, got, want)
		}
	}
}

// simulate returns the makespan of a campaign on a number of nodes: the time in seconds until all tasks have ended.
// Each node does one task at a time. A free node takes the next task of the first array that may begin.
func simulate(g *cluster.Campaign, nodes int) (now float64) {
	left := make([]int, len(g.Arrays))  // number of tasks of an array that have not ended
	begun := make([]int, len(g.Arrays)) // number of tasks of an array that have begun
	for i, a := range g.Arrays {
		left[i] = a.Count
	}
	next := func() int {
		for i, a := range g.Arrays {
			if begun[i] < a.Count && !slices.ContainsFunc(a.After, func(b int) bool { return left[b] > 0 }) {
				return i
			}
		}
		return -1
	}
	for running := (ends{}); ; {
		if i := next(); i >= 0 && len(running) < nodes {
			heap.Push(&running, finish{now + g.Tasks[g.Arrays[i].First+begun[i]].Seconds, i})
			begun[i]++
			continue
		}
		if len(running) == 0 {
			return now
		}
		e := heap.Pop(&running).(finish)
		now = e.at
		left[e.array]--
	}
}

// finish is the time at which a task of an array will end.
type finish struct {
	at    float64
	array int
}

// ends is a heap of the times at which the running tasks will end, the earliest first.
type ends []finish

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].at < e[j].at }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(finish)) }
func (e *ends) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
