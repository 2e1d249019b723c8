package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"path"
	"slices"
	"time"

	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
)

// Experiment is an experiment to plan: its spec as a task reads it, its plan, and its earlier runs.
type Experiment struct {
	Spec
	Now   *schedule.Plan
	Known []*trace.File
}

// Plan writes a campaign of all runs of the experiments that have no result, with perTask (at least 1) units of
// schedule.Plan.Divide in a task. It returns nil if all runs have one.
func Plan(ctx context.Context, experiments []Experiment, o schedule.Options, perTask int) (*Campaign, error) {
	m := &Campaign{Created: time.Now().UTC().Format(time.RFC3339), Command: o.Command, Revisions: map[string]int{},
		Sources: map[string]string{}, Options: Options{o.Weights, o.SameCode, o.Clean, o.SaveEvery}}
	m.Commit, _ = origin.Revision()
	if o.Catalogue.Program != nil {
		m.Program = o.Catalogue.Program()
	}
	var all []lot
	for i, e := range experiments {
		d, err := e.Now.Divide(ctx, e.Known)
		if err != nil {
			return nil, err
		}
		e.Runs, e.Done = d.Runs, d.Done
		m.Specs = append(m.Specs, e.Spec)
		m.components(e.Now)
		all = append(all, lots(i, d)...)
	}
	slices.SortStableFunc(all, func(a, b lot) int {
		return cmp.Or(a.kind.compare(b.kind), cmp.Compare(b.seconds(), a.seconds()))
	})
	all = m.merged(all)
	of := map[[2]int][]int{} // arrays of a stage of an experiment that has several
	for len(all) > 0 {
		k := all[0].kind
		n := 1
		for n < len(all) && all[n].kind == k {
			n++
		}
		a := Array{First: len(m.Tasks), Alone: k.alone, Workers: k.workers}
		known := true
		for _, t := range tasks(all[:n], perTask) {
			m.Tasks = append(m.Tasks, t)
			a.Seconds, known = max(a.Seconds, t.Seconds), known && t.Seconds > 0
		}
		for _, l := range all[:n] {
			a.Memory = max(a.Memory, l.memory)
		}
		if !known {
			a.Seconds = 0
		}
		if a.Memory > 0 {
			a.Memory += a.Memory/2 + 200e6 // earlier runs need not have held the most
		}
		a.Count = len(m.Tasks) - a.First
		if k.chain >= 0 {
			a.After = of[[2]int{k.chain, k.stage - 1}]
			of[[2]int{k.chain, k.stage}] = append(of[[2]int{k.chain, k.stage}], len(m.Arrays))
		}
		m.Arrays, all = append(m.Arrays, a), all[n:]
	}
	if len(m.Tasks) == 0 {
		return nil, nil
	}
	return m, m.write(o.Out)
}

// components records the revisions and sources of the parts that an experiment uses.
func (m *Campaign) components(p *schedule.Plan) {
	list := p.Options.Catalogue
	for _, r := range p.Runs {
		for _, part := range list.Components(r) {
			m.Revisions[part.Name] = part.Revision
			if _, seen := m.Sources[part.Name]; !seen && list.Sources != nil {
				m.Sources[part.Name] = list.Sources(part.Package)
			}
		}
	}
}

// kind is what the tasks of an array have in common. Experiments with several stages have their own arrays and come
// first, as their later stages wait. All other experiments share arrays. Tasks whose time or memory differ much are
// in different arrays, so that short tasks do not ask for what long ones need.
type kind struct {
	chain   int // experiment; -1: of all those with one stage
	stage   int
	alone   bool
	workers int
	hours   int // class of the expected time, by factors of four
	memory  int // class of the memory, by factors of two
}

func (k kind) compare(l kind) int {
	free := func(k kind) int { return map[bool]int{true: 1}[k.chain < 0] }
	return cmp.Or(cmp.Compare(free(k), free(l)), cmp.Compare(k.chain, l.chain), cmp.Compare(k.stage, l.stage),
		cmp.Compare(l.hours, k.hours), cmp.Compare(l.memory, k.memory), cmp.Compare(l.workers, k.workers),
		cmp.Compare(map[bool]int{true: 1}[l.alone], map[bool]int{true: 1}[k.alone]))
}

// lot is a unit with its kind.
type lot struct {
	schedule.Unit
	kind
	spec   int
	memory int64
	guests []Shard // that use its result
}

func (l lot) seconds() float64 { return l.Unit.Seconds }

func lots(spec int, d *schedule.Division) (out []lot) {
	chain := -1
	for _, unit := range d.Units {
		if unit.Stage > 0 {
			chain = spec
		}
	}
	for _, unit := range d.Units {
		out = append(out, lot{Unit: unit, spec: spec, memory: d.Memory, kind: kind{chain: chain, stage: unit.Stage,
			alone: d.Alone, workers: unit.Workers, hours: timeClass(unit.Seconds), memory: bits.Len64(uint64(d.Memory))}})
	}
	return out
}

// timeClass returns 0 for up to a quarter of an hour or an unknown time, and one more for each factor of four.
func timeClass(seconds float64) int {
	if seconds <= 900 {
		return 0
	}
	return int(math.Ceil(math.Log2(seconds/900) / 2))
}

// merged leaves one unit of those that make the same run for several experiments of a paper: the others follow in its
// task, where they find the result, as they would in one process. A run that has a machine for itself also serves
// experiments that do not need that, but not the other way round. Units of experiments with several stages stay.
func (m *Campaign) merged(lots []lot) (out []lot) {
	name := func(l lot) string {
		s := m.Specs[l.spec]
		return fmt.Sprint(path.Dir(s.ID), " ", s.Scale, " ", l.Runs[0].Key)
	}
	hosts := map[string]int{} // lot that makes a run
	for i, l := range lots {
		h, there := hosts[name(l)]
		if l.Shared && (!there || l.alone && !lots[h].alone) {
			hosts[name(l)] = i
		}
	}
	for i, l := range lots {
		if h := hosts[name(l)]; l.Shared && l.chain < 0 && h != i && lots[h].spec != l.spec {
			lots[h].guests = append(lots[h].guests, l.shard())
		}
	}
	for i, l := range lots {
		if h := hosts[name(l)]; !l.Shared || l.chain >= 0 || h == i || lots[h].spec == l.spec {
			out = append(out, l)
		}
	}
	return out
}

func (l lot) shard() Shard { return Shard{l.spec, l.Trials, l.Runs} }

// tasks returns units of one kind as tasks, perTask in each.
func tasks(lots []lot, perTask int) (out []Task) {
	for piece := range slices.Chunk(lots, perTask) {
		var t Task
		known := true
		for _, l := range piece {
			t.Seconds, known = t.Seconds+l.seconds(), known && l.seconds() > 0
			if last := len(t.Shards) - 1; last >= 0 && t.Shards[last].Spec == l.spec && t.Shards[last].Trials == l.Trials {
				t.Shards[last].Runs = append(t.Shards[last].Runs, l.Runs...)
			} else {
				t.Shards = append(t.Shards, l.shard())
			}
			t.Shards = append(t.Shards, l.guests...)
		}
		if !known {
			t.Seconds = 0
		}
		out = append(out, t)
	}
	return out
}
