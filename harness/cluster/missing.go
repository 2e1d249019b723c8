package cluster

import (
	"context"
	"time"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Missing describes a run of a campaign that has not ended.
type Missing struct {
	Task int    // index of the task that should make the run
	ID   string // ID of the experiment
	Name string // labels of the run
	Why  string // failure that the task reported; "" if none
}

// Missing lists the runs that have not ended. On a network file system a result may become visible some time after its
// task is done. So if a task is done but one of its results is missing, Missing waits for the file, but at most for the
// time in the argument "late".
func (c *Campaign) Missing(ctx context.Context, late time.Duration) ([]Missing, error) {
	for until := time.Now().Add(late); ; {
		missing, underWay, err := c.missing()
		if err != nil || len(missing) == 0 || !underWay || time.Now().After(until) {
			return missing, err
		}
		select {
		case <-ctx.Done():
			return missing, context.Cause(ctx)
		case <-time.After(time.Second):
		}
	}
}

// missing lists the runs that have not ended. late reports whether the task of one of these runs is done, so that the
// result may become visible later.
func (c *Campaign) missing() (out []Missing, late bool, err error) {
	results := make([]map[string]bool, len(c.Specs))
	folders := make([]*store.Folder, len(c.Specs))
	runs := store.Open(c.Out())
	for i, s := range c.Specs {
		folders[i] = runs.Folder(s.ID, s.Scale)
		if results[i], err = namesIn(folders[i].Dir()); err != nil {
			return nil, false, err
		}
	}
	marks, err := c.marks()
	if err != nil {
		return nil, false, err
	}
	for n, t := range c.Tasks {
		for _, p := range t.Shards {
			for _, r := range p.Runs {
				if p.Trials || results[p.Spec][store.ResultName(r.Key)] ||
					// If a run failed because its initial weights are missing, the name of its file is the plan key (hash of the
					// settings).
					failed(folders[p.Spec], r.Key) || failed(folders[p.Spec], r.Plan) {
					continue
				}
				late = late || marks[done][n]
				m := Missing{Task: n, ID: c.Specs[p.Spec].ID, Name: r.Name}
				if marks[failure][n] {
					m.Why = c.why(n)
				}
				out = append(out, m)
			}
		}
	}
	return out, late, nil
}

// failed reports whether the last run with a key failed.
func failed(f *store.Folder, key string) bool {
	last, err := f.Unfinished(key)
	return err == nil && last != nil && last.Status() == trace.Failed
}
