package cluster

import (
	"context"
	"time"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Missing is a run of a campaign that has not ended.
type Missing struct {
	Task int
	ID   string // of the experiment
	Name string // its labels
	Why  string // the failure that its task reported; "": none
}

// Missing lists the runs without an end. If the task of a missing result is done, the file may only be seen late, and
// Missing waits for it.
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

// missing also reports whether the task of one of them is done.
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
					failed(folders[p.Spec], r.Key) || failed(folders[p.Spec], r.Plan) { // it has no weights to begin with
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

// failed reports whether the last run under a key has failed.
func failed(f *store.Folder, key string) bool {
	last, err := f.Unfinished(key)
	return err == nil && last != nil && last.Status() == trace.Failed
}
