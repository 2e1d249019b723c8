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

// Experiment is an experiment to plan.
type Experiment struct {
	Spec                 // the experiment as a task will read it
	Now   *schedule.Plan // the plan of its runs
	Known []*trace.File  // earlier runs, from which times and memory are estimated
}

// Plan plans a campaign of all runs of the experiments that have no result, and writes its manifest. Each task contains
// perTask units of schedule.Plan.Divide; perTask must be at least 1. Plan returns nil if all runs have a result.
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
	of := map[[2]int][]int{} // indices of arrays by {experiment, stage}; only experiments with several stages
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
			a.Memory += a.Memory/2 + 200e6 // add a margin, because a run may need more memory than earlier runs
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

// components records the revisions and source hashes of the components that an experiment uses.
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

// kind contains the properties that all tasks of an array share. Each experiment with several stages has its own
// arrays, which come first, because later stages must wait for them. All other experiments share arrays. Tasks whose
// times or memory differ much are in different arrays. Thus a small task does not request the time or memory of a large
// one.
type kind struct {
	chain   int // index of the experiment if it has several stages; -1 if it has one
	stage   int
	alone   bool
	workers int
	hours   int // class of the expected time (see timeClass)
	memory  int // class k of the memory: at least 2^(k−1) and less than 2^k bytes
}

// compare compares two kinds by the order in which their arrays are submitted: first experiments with several stages,
// then tasks with a long time or much memory.
func (k kind) compare(l kind) int {
	free := func(k kind) int { return map[bool]int{true: 1}[k.chain < 0] }
	return cmp.Or(cmp.Compare(free(k), free(l)), cmp.Compare(k.chain, l.chain), cmp.Compare(k.stage, l.stage),
		cmp.Compare(l.hours, k.hours), cmp.Compare(l.memory, k.memory), cmp.Compare(l.workers, k.workers),
		cmp.Compare(map[bool]int{true: 1}[l.alone], map[bool]int{true: 1}[k.alone]))
}

// lot is a unit of work (see schedule.Unit) with its kind.
type lot struct {
	schedule.Unit
	kind
	spec   int
	memory int64
	guests []Shard // shards of other experiments that contain the same run and use its result
}

func (l lot) seconds() float64 { return l.Unit.Seconds }

// lots returns the units of work of an experiment (see schedule.Unit) with their kinds. spec is the experiment's index.
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

// timeClass returns the class of an expected time. The class is 0 if the time is at most a quarter of an hour or not
// known, and increases by one for each factor of four.
func timeClass(seconds float64) int {
	if seconds <= 900 {
		return 0
	}
	return int(math.Ceil(math.Log2(seconds/900) / 2))
}

// merged finds the runs that several experiments of a paper share, and assigns each of them to one task. This task then
// also processes the shards of the other experiments, which reuse the result. If one of the experiments measures times,
// it gets the task, because its runs need a machine to themselves; the other experiments can use such a run, too. An
// experiment with several stages makes all its runs itself.
func (m *Campaign) merged(lots []lot) (out []lot) {
	name := func(l lot) string {
		s := m.Specs[l.spec]
		return fmt.Sprint(path.Dir(s.ID), " ", s.Scale, " ", l.Runs[0].Key)
	}
	hosts := map[string]int{} // by the name of a run, the index (in lots) of the unit that makes it
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

// shard returns a shard with the runs of the unit.
func (l lot) shard() Shard { return Shard{l.spec, l.Trials, l.Runs} }

// tasks groups units of work of one kind into tasks, with perTask units in each.
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
