package cluster

import (
	"fmt"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/schedule"
)

// TestOrderOfKinds checks the order in which the arrays of different kinds are submitted, for each pair of kinds, and
// that no kind comes before itself.
func TestOrderOfKinds(t *testing.T) {
	kinds := []kind{ // in the order of submission
		{chain: 0, stage: 0, hours: 1},
		{chain: 0, stage: 1, hours: 9, memory: 9, workers: 9, alone: true},
		{chain: 2, stage: 0},
		{chain: -1, hours: 2},
		{chain: -1, hours: 1, memory: 31},
		{chain: -1, hours: 1, memory: 30, workers: 4, alone: true},
		{chain: -1, hours: 1, memory: 30, workers: 4},
		{chain: -1, hours: 1, memory: 30, workers: 1, alone: true},
		{chain: -1, hours: 1, memory: 30, workers: 1},
		{chain: -1},
	}
	for i, k := range kinds {
		for j, l := range kinds {
			want := max(-1, min(1, i-j))
			if got := k.compare(l); got != want {
				t.Errorf("%+v compared with %+v: %d, want %d", k, l, got, want)
			}
		}
	}
}

// TestTimeClass checks the borders of the classes of expected times.
func TestTimeClass(t *testing.T) {
	for seconds, want := range map[float64]int{0: 0, 900: 0, 901: 1, 3600: 1, 3601: 2, 14400: 2, 14401: 3, 57600: 3} {
		if got := timeClass(seconds); got != want {
			t.Errorf("the class of %v s is %d, want %d", seconds, got, want)
		}
	}
}

// drawn returns units of six experiments of two papers and two scales. Few keys, so that many units have the same run.
func drawn(r *rand.Rand) (m *Campaign, out []lot) {
	m = &Campaign{}
	for i := range 6 {
		m.Specs = append(m.Specs, Spec{ID: fmt.Sprintf("%c/e%d", "pq"[i/4], i), Scale: []string{"smoke", "paper"}[i/5]})
		k := kind{chain: -1, alone: r.IntN(3) == 0}
		if r.IntN(4) == 0 {
			k.chain = i
		}
		for _, key := range r.Perm(4)[:r.IntN(4)] {
			u := schedule.Unit{Shared: r.IntN(4) > 0, Seconds: float64(r.IntN(3)), Trials: r.IntN(3) == 0,
				Runs: []schedule.ShardRun{{Key: fmt.Sprint(key), Name: fmt.Sprintf("%d of e%d", key, i)}}}
			out = append(out, lot{Unit: u, kind: k, spec: i})
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return m, out
}

// TestMerged draws units of several experiments, and checks which of them are made by the task of another experiment:
// each run remains once; a unit moves only if it and its host may share the run, if both have the same run of the same
// paper and scale, and if its experiment has one stage; no unit that could move stays; and the host has the machine to
// itself if any of the units needs that.
func TestMerged(t *testing.T) {
	moved := 0
	for seed := range uint64(2000) {
		m, all := drawn(rand.New(rand.NewPCG(seed, 1)))
		units := map[string]lot{} // by the name of the run, which names its experiment
		name := func(l lot) string {
			s := m.Specs[l.spec]
			return path.Dir(s.ID) + " " + s.Scale + " " + l.Runs[0].Key
		}
		for _, l := range all {
			units[l.Runs[0].Name] = l
		}
		seen := map[string]bool{}
		hosts, alone, left := map[string]lot{}, map[string]bool{}, map[string][]lot{}
		for _, l := range all {
			alone[name(l)] = alone[name(l)] || l.Shared && l.alone
		}
		for _, host := range m.merged(slices.Clone(all)) {
			own := units[host.Runs[0].Name]
			for _, g := range host.guests {
				guest, there := units[g.Runs[0].Name]
				if !there || seen[g.Runs[0].Name] || !reflect.DeepEqual(g, guest.shard()) || !guest.Shared || !host.Shared ||
					guest.chain >= 0 || guest.spec == host.spec || name(guest) != name(host) {
					t.Fatalf("seed %d: the unit %+v is made with %+v", seed, guest, host)
				}
				seen[g.Runs[0].Name], moved = true, moved+1
			}
			if len(host.guests) > 0 && host.alone != alone[name(host)] {
				t.Fatalf("seed %d: the host %+v has the machine to itself: %v", seed, host, host.alone)
			}
			if len(host.guests) > 0 {
				hosts[name(host)] = host
			}
			if host.guests = nil; seen[own.Runs[0].Name] || !reflect.DeepEqual(host, own) {
				t.Fatalf("seed %d: %+v became %+v, or is there twice", seed, own, host)
			}
			seen[own.Runs[0].Name] = true
			if own.Shared {
				left[name(own)] = append(left[name(own)], own)
			}
		}
		if len(seen) != len(all) {
			t.Fatalf("seed %d: %d units, want %d", seed, len(seen), len(all))
		}
		for at, stay := range left {
			free := slices.DeleteFunc(stay, func(l lot) bool { return l.chain >= 0 })
			if _, hosted := hosts[at]; len(free) > 1 || hosted && len(free) == 1 && hosts[at].chain >= 0 {
				t.Fatalf("seed %d: the units %+v are made by themselves, although they have the same run", seed, free)
			}
		}
	}
	if moved < 1000 {
		t.Errorf("%d units moved, want more: the test is too weak", moved)
	}
}

// TestTasks checks that tasks have perTask units each, in their order; that the time of a task is the sum of the times
// of its units, or unknown if one of them is; and that units of one experiment that follow each other are one shard,
// but trials are never in a shard with other runs. The shards of guests follow those of their hosts.
func TestTasks(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		m, all := drawn(r)
		all = m.merged(all)
		perTask := 1 + r.IntN(4)
		got := tasks(all, perTask)
		if len(got) != (len(all)+perTask-1)/perTask {
			t.Fatalf("seed %d: %d tasks of %d units, want %d in each", seed, len(got), len(all), perTask)
		}
		for i, task := range got {
			piece := all[i*perTask : min(len(all), (i+1)*perTask)]
			var runs, want []string
			line := func(spec int, trials bool, r schedule.ShardRun) string { return fmt.Sprint(spec, trials, r) }
			seconds, known := 0.0, true
			for _, l := range piece {
				seconds, known = seconds+l.Unit.Seconds, known && l.Unit.Seconds > 0
				for _, s := range append([]Shard{l.shard()}, l.guests...) {
					want = append(want, line(s.Spec, s.Trials, s.Runs[0]))
				}
			}
			for k, s := range task.Shards {
				for _, run := range s.Runs {
					runs = append(runs, line(s.Spec, s.Trials, run))
				}
				if k > 0 && task.Shards[k-1].Spec == s.Spec && task.Shards[k-1].Trials == s.Trials {
					t.Errorf("seed %d: the shards %d and %d of task %d could be one: %+v", seed, k-1, k, i, task)
				}
			}
			if !known {
				seconds = 0
			}
			if !slices.Equal(runs, want) || task.Seconds != seconds {
				t.Errorf("seed %d: task %d has %v s and the runs %q; want %v s and %q", seed, i, task.Seconds, runs, seconds, want)
			}
		}
	}
}
