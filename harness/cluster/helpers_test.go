package cluster_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// beginning is a spec with two problems. The runs of the second problem start from the final weights of the runs of the
// first problem.
const beginning = `
apiVersion: gaplab/v1
id: own/from
dataset: {name: points, train: 30, validation: 20}
model: {name: classifier, loss: log}
regularisation: {convention: eg, C: 1}
stop: {passes: 5}
problems:
  first: {solvers: [{as: first, name: descent, step: 9}]}
  again: {from: first, model: {name: again, loss: log}, solvers: [{as: again, name: still}]}
`

// queue is a cluster.Queue that runs its jobs in this process, in the order of submission, when run is called.
type queue struct {
	t    *testing.T
	do   func(n int) error // function that does task n
	sent []cluster.Submission
	ran  map[string]int // by the name of an array, the number of its jobs that have run
}

func (q *queue) Submit(_ context.Context, a cluster.Submission) (string, error) {
	q.sent = append(q.sent, a)
	return fmt.Sprint(len(q.sent)), nil
}

func (q *queue) Phases(context.Context, []string) (map[string]map[int]cluster.Phase, error) {
	out := map[string]map[int]cluster.Phase{}
	for i, a := range q.sent {
		name := fmt.Sprint(i + 1)
		out[name] = map[int]cluster.Phase{}
		for n := q.ran[name]; n < a.Count; n++ {
			out[name][n] = cluster.Queued
		}
	}
	return out, nil
}

// Cancel ends arrays in the given order. It fails the test if an array that waits for the ended one would start.
func (q *queue) Cancel(_ context.Context, jobs []string) error {
	for _, j := range jobs {
		n, err := strconv.Atoi(j)
		if err != nil {
			return err
		}
		for i, a := range q.sent {
			if a.Count > 0 && slices.Contains(a.AfterJobs, j) {
				q.t.Errorf("array %s was cancelled before array %d, which waits for it", j, i+1)
			}
		}
		q.sent[n-1].Count = 0
	}
	return nil
}

// run runs all jobs. It fails the test if an array must wait for an array that was submitted later.
func (q *queue) run() {
	q.ran = map[string]int{}
	for i, a := range q.sent {
		for _, b := range a.AfterJobs {
			if n, err := strconv.Atoi(b); err != nil || n > i {
				q.t.Errorf("array %d waits for array %s, which was submitted later", i+1, b)
			}
		}
		if last := len(a.Command) - 1; a.Command[last-1] != "--first" || a.Command[last] != fmt.Sprint(a.First) {
			q.t.Errorf("array %d has the command %q, want --first %d at its end", i+1, a.Command, a.First)
		}
		for n := range a.Count {
			if err := q.do(a.First + n); err != nil {
				q.t.Errorf("task %d: %v", a.First+n, err)
			}
			q.ran[fmt.Sprint(i+1)]++
		}
	}
}

// only returns a function for Do that always returns s, the only spec of a campaign.
func only(s *lang.Spec) func(int) (*lang.Spec, error) {
	return func(int) (*lang.Spec, error) { return s, nil }
}

// plan plans a campaign of specs. The folder of the runs is dir.
func plan(t *testing.T, dir string, perTask int, specs ...*lang.Spec) *cluster.Campaign {
	t.Helper()
	return planWith(t, toy.Options(dir), perTask, specs...)
}

// planWith plans a campaign of specs with the options o.
func planWith(t *testing.T, o schedule.Options, perTask int, specs ...*lang.Spec) *cluster.Campaign {
	t.Helper()
	g, err := cluster.Plan(t.Context(), experiments(t, o, specs...), o, perTask)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// experiments returns the experiments of specs, as Plan needs them.
func experiments(t *testing.T, o schedule.Options, specs ...*lang.Spec) (all []cluster.Experiment) {
	t.Helper()
	for _, s := range specs {
		p, err := schedule.NewPlan(s, o)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, cluster.Experiment{Spec: cluster.Spec{ID: s.ID, Scale: s.Scale}, Now: p})
	}
	return all
}
