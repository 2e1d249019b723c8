package cluster_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/cluster"
)

// TestSubmission checks what a queue gets for each combination of the user's options. The pieces of an array must have
// each task once. They must have the requests of the array, but at least the threads that the user asked for. They must
// wait for all pieces of the arrays whose results they use; if tasks are limited, for the piece before them.
func TestSubmission(t *testing.T) {
	arrays := []cluster.Array{{First: 0, Count: 5, Workers: 1, Memory: 7, Seconds: 3},
		{First: 5, Count: 2, Workers: 4, After: []int{0}, Alone: true}, {First: 7, Count: 3, Workers: 2}}
	for _, largest := range []int{0, 1, 2, 5, 9} {
		for _, workers := range []int{0, 1, 3, 8} {
			for _, atOnce := range []int{0, 2} {
				dir := t.TempDir()
				if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o777); err != nil {
					t.Fatal(err)
				}
				how := cluster.How{Command: []string{"gaplab"}, AtOnce: atOnce, Workers: workers, Largest: largest}
				q, g := &queue{t: t}, &cluster.Campaign{Dir: dir, ID: "c", Arrays: arrays}
				if _, err := g.Submit(t.Context(), q, how); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(submissions(dir, arrays, how), q.sent); diff != "" {
					t.Errorf("%+v: submissions (-want +got):\n%s", how, diff)
				}
			}
		}
	}
}

// TestCancel checks that Cancel ends all arrays that were submitted, and those that wait for others first (see
// queue.Cancel). Without jobs it does not ask the queue.
func TestCancel(t *testing.T) {
	arrays := []cluster.Array{{First: 0, Count: 3}, {First: 3, Count: 2, After: []int{0}},
		{First: 5, Count: 1, After: []int{1}}}
	for _, how := range []cluster.How{{}, {Largest: 1}, {AtOnce: 1}} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o777); err != nil {
			t.Fatal(err)
		}
		q, g := &queue{t: t}, &cluster.Campaign{Dir: dir, ID: "c", Arrays: arrays}
		if jobs, err := g.Cancel(t.Context(), nil); err != nil || len(jobs) > 0 {
			t.Errorf("Cancel before Submit = %v, %v, want no jobs", jobs, err)
		}
		want, err := g.Submit(t.Context(), q, how)
		if err != nil {
			t.Fatal(err)
		}
		if jobs, err := g.Cancel(t.Context(), q); err != nil || !slices.Equal(jobs, want) {
			t.Errorf("%+v: Cancel = %v, %v, want %v", how, jobs, err, want)
		}
		for i, a := range q.sent {
			if a.Count > 0 {
				t.Errorf("%+v: array %d has %d jobs after Cancel, want none", how, i+1, a.Count)
			}
		}
	}
}

// submissions returns the submissions of a campaign without pieces that are too large. A queue names them from 1.
func submissions(dir string, arrays []cluster.Array, how cluster.How) (out []cluster.Submission) {
	pieces := map[int][]string{} // the names of the pieces of each array
	for i, a := range arrays {
		for from := 0; from < a.Count; {
			piece := cluster.Submission{Array: a, Name: "c", Log: filepath.Join(dir, "log"), AtOnce: how.AtOnce}
			piece.First += from
			if piece.Count -= from; how.Largest > 0 {
				piece.Count = min(piece.Count, how.Largest)
			}
			if piece.Workers < how.Workers {
				piece.Workers = how.Workers
			}
			piece.Command = []string{"gaplab", "--first", fmt.Sprint(piece.First)}
			for _, b := range a.After {
				piece.AfterJobs = append(piece.AfterJobs, pieces[b]...)
			}
			if how.AtOnce > 0 && len(out) > 0 {
				piece.AfterJobs = []string{fmt.Sprint(len(out))}
			}
			out, from = append(out, piece), from+piece.Count
			pieces[i] = append(pieces[i], fmt.Sprint(len(out)))
		}
	}
	return out
}
