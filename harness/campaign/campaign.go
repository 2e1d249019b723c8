// Package campaign plans campaigns (see package cluster) and does their tasks, with the experiments and the catalogue
// of this program.
//
//	c, err := campaign.Plan(ctx, plans, nil, nil, 1, options) // plans the runs that have no result
//	err = campaign.Task(ctx, c, 17, options)
package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
)

// Plan plans a campaign of the runs that have no result (cluster.Plan), with perTask units in each task. The plans must
// have been made with the options o. set and seed are the changes by --set and --seed that the user made to the specs
// of the plans (seed nil: not given); each task makes the same changes again. Plan returns nil if all runs have a
// result.
func Plan(ctx context.Context, plans []*harness.Plan, set []string, seed *uint64, perTask int,
	o harness.Options) (*cluster.Campaign, error) {
	if err := o.CheckClean(); err != nil {
		return nil, err
	}
	options := o.Schedule()
	var experiments []cluster.Experiment
	for _, p := range plans {
		s := p.Spec
		e := cluster.Experiment{Spec: cluster.Spec{ID: s.ID, Scale: s.Scale, Set: set, Seed: seed}, Now: p.Plan}
		if !s.BuiltIn {
			file, err := filepath.Abs(s.File)
			if err != nil {
				return nil, err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			e.File, e.Text = file, string(text)
			again, err := specOf(e.Spec) // as a task will read it, perhaps in another working directory
			if err != nil {
				return nil, err
			}
			if p, err = harness.NewPlan(again, o); err != nil {
				return nil, err
			}
			e.Now = p.Plan
		}
		known, err := store.Keep(cmp.Or(o.Root, harness.ResultsFolder())).Read(s.ID, s.Scale)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		e.Known = known
		if there, err := store.Open(options.Out).Folder(s.ID, s.Scale).Runs(); err == nil {
			for _, f := range there.Files {
				e.Known = append(e.Known, f)
			}
		}
		experiments = append(experiments, e)
	}
	return cluster.Plan(ctx, experiments, options, perTask)
}

// Specs returns the specs of a campaign's experiments as they were when the campaign was planned.
func Specs(c *cluster.Campaign) ([]*lang.Spec, error) {
	var specs []*lang.Spec
	for _, e := range c.Specs {
		s, err := specOf(e)
		if err != nil {
			return nil, err
		}
		specs = append(specs, s)
	}
	return specs, nil
}

// specOf reads the spec of an experiment of a campaign. It reads the spec of a built-in experiment from this program,
// because only a built-in experiment may run other programs without the user's permission.
func specOf(e cluster.Spec) (*lang.Spec, error) {
	var f *lang.File
	if e.File == "" {
		found, err := harness.Find(e.ID)
		if err != nil {
			return nil, err
		}
		f = found.File
	} else {
		var err error
		if f, err = lang.Parse(e.File, []byte(e.Text), harness.Catalogue()); err != nil {
			return nil, err
		}
	}
	s, err := f.At(e.Scale, e.Set)
	if err == nil && e.Seed != nil {
		s.Reseed(*e.Seed)
	}
	return s, err
}

// Task does task n of a campaign (cluster.Campaign.Do) with this program. The same program must have planned the
// campaign.
func Task(ctx context.Context, c *cluster.Campaign, n int, o harness.Options) error {
	if n < 0 || n >= len(c.Tasks) {
		return fmt.Errorf("%s has no task %d; accepted: 0 to %d", c.Dir, n, len(c.Tasks)-1)
	}
	if err := o.CheckClean(); err != nil {
		return err
	}
	options := o.Schedule()
	if err := c.Same(options.Catalogue); err != nil { // another program might read the spec differently
		return errors.Join(err, c.Fail(n, err.Error()))
	}
	return c.Do(ctx, n, func(i int) (*lang.Spec, error) { return specOf(c.Specs[i]) }, options)
}
