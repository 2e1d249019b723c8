package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
)

// PlanCampaign plans the runs that are not finished, for processes on machines that share the folder of the runs
// (cluster.Plan). The specs were changed by set, and by seed unless it is nil. It returns nil if all runs are finished.
func PlanCampaign(ctx context.Context, specs []*lang.Spec, set []string, seed *uint64, perTask int,
	opts ...Option) (*cluster.Campaign, error) {
	o := newOptions(opts)
	if err := checkClean(o); err != nil {
		return nil, err
	}
	var experiments []cluster.Experiment
	for _, s := range specs {
		if err := Foresee(s); err != nil {
			return nil, err
		}
		e := cluster.Experiment{Spec: cluster.Spec{ID: s.ID, Scale: s.Scale, Set: set, Seed: seed}, Now: s}
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
			if e.Now, err = specOf(e.Spec); err != nil { // as tasks will see it, whose working directory may be another
				return nil, err
			}
		}
		known, err := store.Keep(o.root).Read(s.ID, s.Scale)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		e.Known = known
		if there, err := store.Open(o.Out).Folder(s.ID, s.Scale).Runs(); err == nil {
			for _, f := range there.Files {
				e.Known = append(e.Known, f)
			}
		}
		experiments = append(experiments, e)
	}
	return cluster.Plan(ctx, experiments, o.Options, perTask)
}

// CampaignSpecs reads the experiments of a campaign as they were when it was planned.
func CampaignSpecs(g *cluster.Campaign) ([]*lang.Spec, error) {
	var specs []*lang.Spec
	for _, e := range g.Specs {
		s, err := specOf(e)
		if err != nil {
			return nil, err
		}
		specs = append(specs, s)
	}
	return specs, nil
}

// specOf reads an experiment of a campaign. One that comes with the program is taken from there, since it may do what
// others may not.
func specOf(e cluster.Spec) (*lang.Spec, error) {
	var found *Experiment
	var err error
	if e.File == "" {
		found, err = Find(e.ID)
	} else {
		found, err = parsed(e.File, []byte(e.Text))
	}
	if err != nil {
		return nil, err
	}
	s, err := found.At(e.Scale, e.Set)
	if err == nil && e.Seed != nil {
		s.Reseed(*e.Seed)
	}
	return s, err
}

// Task does a task of a campaign (cluster.Do) with this program, which must be the one that planned it.
func Task(ctx context.Context, g *cluster.Campaign, n int, opts ...Option) error {
	if n < 0 || n >= len(g.Tasks) {
		return fmt.Errorf("%s: no task %d; accepted: 0 to %d", g.Dir, n, len(g.Tasks)-1)
	}
	o := newOptions(opts)
	if err := checkClean(o); err != nil {
		return err
	}
	if err := g.Same(o.Catalogue); err != nil { // which may not even read the spec as it was read
		return errors.Join(err, g.Fail(n, err.Error()))
	}
	return g.Do(ctx, n, func(i int) (*lang.Spec, error) { return specOf(g.Specs[i]) }, o.Options)
}

// Made are the results of a spec that were made in Out, as Run returns them, without running anything.
func Made(s *lang.Spec, opts ...Option) (*Result, error) { return results(s, newOptions(opts)) }
