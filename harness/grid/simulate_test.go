package grid_test

import (
	"container/heap"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/grid"
)

// TestSimulate: with the longest first, four nodes come close to the sum of their work, and stages cost what they must.
func TestSimulate(t *testing.T) {
	g := &grid.Grid{}
	add := func(after []int, seconds ...float64) {
		a := grid.Array{First: len(g.Tasks), Count: len(seconds), After: after}
		for _, s := range seconds {
			g.Tasks = append(g.Tasks, grid.Task{Seconds: s})
		}
		g.Arrays = append(g.Arrays, a)
	}
	add(nil, 4, 4)                      // trials
	add([]int{0}, 8)                    // what is chosen
	add(nil, 5, 5, 3, 3, 2, 2, 1, 1, 1) // all others
	for nodes, want := range map[int]float64{1: 39, 2: 20, 4: 12, 100: 12} {
		if got := simulate(g, nodes, 0); got != want {
			t.Errorf("%d nodes: %v, want %v", nodes, got, want)
		}
	}
	if got := simulate(g, 1, 0.5); got != 39+0.5*12 {
		t.Errorf("with half a second for each task: %v", got)
	}
}

// simulate is the time that nodes take for a grid, one task on each at a time, by the seconds of its tasks and what each
// costs besides: the first task, in the order of the arrays, whose array may begin, on the first node that is free.
func simulate(g *grid.Grid, nodes int, each float64) (end float64) {
	left := make([]int, len(g.Arrays))  // tasks of an array that have not ended
	begun := make([]int, len(g.Arrays)) // those that have begun
	for i, a := range g.Arrays {
		left[i] = a.Count
	}
	var running ends
	now := 0.0
	for {
		next := slices.IndexFunc(g.Arrays, func(a grid.Array) bool {
			i := slices.IndexFunc(g.Arrays, func(b grid.Array) bool { return b.First == a.First })
			return begun[i] < a.Count && !slices.ContainsFunc(a.After, func(b int) bool { return left[b] > 0 })
		})
		if next >= 0 && len(running) < nodes {
			heap.Push(&running, ending{now + each + g.Tasks[g.Arrays[next].First+begun[next]].Seconds, next})
			begun[next]++
			continue
		}
		if len(running) == 0 {
			return now
		}
		e := heap.Pop(&running).(ending)
		now = e.at
		left[e.array]--
	}
}

// ending is when a task of an array will end.
type ending struct {
	at    float64
	array int
}

// ends are those of running tasks, the next one first.
type ends []ending

func (e ends) Len() int           { return len(e) }
func (e ends) Less(i, j int) bool { return e[i].at < e[j].at }
func (e ends) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *ends) Push(x any)        { *e = append(*e, x.(ending)) }
func (e *ends) Pop() any {
	last := len(*e) - 1
	x := (*e)[last]
	*e = (*e)[:last]
	return x
}
