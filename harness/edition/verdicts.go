package edition

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
)

// Verdicts compares the verdicts of an edition with those of the kept results.
type Verdicts struct {
	Experiments int // number of experiments whose claims were judged
	After       []claims.Verdict
	Changes     []Change
	Papers      []Count
	Waiting     []string // complete experiments whose claims read experiments that are not complete
}

// Change is a claim whose verdict differs from that of the kept results.
type Change struct {
	ID            string // id of the claim, such as eg/fig06/c1
	Before, After claims.Verdict
}

// Count counts the verdicts of the judged experiments of one paper.
type Count struct {
	Paper         string
	Claims        int
	Before, After map[claims.Outcome]int
}

// Judge judges the claims of the complete experiments of an edition, and of those with failed runs. made are options
// that read the results of the edition first; kept are options that read only the kept results.
func (d *Edition) Judge(made, kept harness.Options) (*Verdicts, error) {
	kept.Kept, kept.Out = true, filepath.Join(d.Dir, ".none") // a folder without results
	made.Kept, made.Out = false, d.Dir
	out := &Verdicts{}
	var judged []*Experiment
	for _, e := range d.All {
		switch {
		case len(e.Plan.Spec.Claims) == 0 || e.State() != Done && e.State() != Failed:
		case slices.ContainsFunc(e.Reads, func(id string) bool { return !d.complete(id) }):
			out.Waiting = append(out.Waiting, e.ID)
		default:
			judged = append(judged, e)
		}
	}
	out.Experiments = len(judged)
	now, then := harness.NewReader(made), harness.NewReader(kept)
	before, after := make([][]claims.Verdict, len(judged)), make([][]claims.Verdict, len(judged))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, e := range judged {
		g.Go(func() (err error) {
			if after[i], err = verdicts(now, e); err != nil {
				return err
			}
			before[i], err = verdicts(then, e)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out.After = slices.Concat(after...)
	out.Changes, out.Papers = Compare(slices.Concat(before...), out.After)
	return out, nil
}

// complete reports whether the edition has all results of an experiment, which need not be part of this sitting.
func (d *Edition) complete(id string) bool {
	return slices.ContainsFunc(d.Record.Experiments, func(e Entry) bool { return e.ID == id && e.State == Done })
}

// verdicts judges the claims of an experiment. If there are no results, it returns no verdicts.
func verdicts(r *harness.Reader, e *Experiment) ([]claims.Verdict, error) {
	result, err := r.Read(e.Plan.Spec)
	if errors.Is(err, harness.ErrNoResults) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return result.Claims()
}

// Compare returns the claims whose verdicts differ, and the counts by paper, in the order of the verdicts after. A
// claim that only one list has differs, too.
func Compare(before, after []claims.Verdict) (changes []Change, papers []Count) {
	id := func(v claims.Verdict) string { return v.Experiment + "/" + v.Claim }
	old := map[string]claims.Verdict{}
	for _, v := range before {
		old[id(v)] = v
	}
	count := func(experiment string) *Count {
		paper, _, _ := strings.Cut(experiment, "/")
		i := slices.IndexFunc(papers, func(c Count) bool { return c.Paper == paper })
		if i < 0 {
			i = len(papers)
			papers = append(papers, Count{paper, 0, map[claims.Outcome]int{}, map[claims.Outcome]int{}})
		}
		return &papers[i]
	}
	for _, v := range after {
		c := count(v.Experiment)
		c.Claims++
		c.After[v.Verdict]++
		was := old[id(v)]
		delete(old, id(v))
		if was.Verdict != v.Verdict {
			changes = append(changes, Change{id(v), was, v})
		}
		if was.Verdict != "" {
			c.Before[was.Verdict]++
		}
	}
	for _, v := range before {
		if _, gone := old[id(v)]; gone {
			count(v.Experiment).Before[v.Verdict]++
			changes = append(changes, Change{ID: id(v), Before: v})
		}
	}
	return changes, papers
}
