package edition

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/schedule"
)

// TestGroupsAtRandom compares the groups of random experiments with the components of the graph of what is linked, and
// checks that within a group an experiment comes after all that it follows, if that is possible, and that Order loses
// none.
func TestGroupsAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 28))
	several := 0
	for range 300 {
		var all []*Experiment
		for i := range 2 + rng.IntN(7) {
			plans := ""
			for _, p := range rng.Perm(10)[:rng.IntN(3)] {
				plans += string(rune('a' + p))
			}
			e := fresh(fmt.Sprintf("%c/%d", 'p'+rng.IntN(2), i), plans, rng.IntN(3) == 0)
			for j := range e.Runs {
				e.Runs[j].Own, e.Runs[j].Saves = rng.IntN(5) == 0, rng.IntN(3) == 0
			}
			if i > 0 && rng.IntN(5) == 0 {
				e.Reads = []string{"none/0", all[rng.IntN(i)].ID}
			}
			all = append(all, e)
		}
		reach := map[[2]*Experiment]bool{}
		for _, a := range all {
			for _, b := range all {
				reach[[2]*Experiment{a, b}] = a == b || linked(a, b)
				if a != b && linked(a, b) != linked(b, a) {
					t.Fatalf("%s and %s are linked one way only", a.ID, b.ID)
				}
			}
		}
		for _, via := range all {
			for _, a := range all {
				for _, b := range all {
					if reach[[2]*Experiment{a, via}] && reach[[2]*Experiment{via, b}] {
						reach[[2]*Experiment{a, b}] = true
					}
				}
			}
		}
		group := map[*Experiment]int{}
		for i, g := range grouped(all) {
			several += min(len(g)/3, 1)
			for _, e := range g {
				group[e] = i
			}
		}
		for _, a := range all {
			for _, b := range all {
				if (group[a] == group[b]) != reach[[2]*Experiment{a, b}] {
					t.Fatalf("%s and %s are in one group: %v", a.ID, b.ID, group[a] == group[b])
				}
			}
		}
		ordered := slices.Clone(all)
		Order(ordered, 1+rng.IntN(2))
		if len(group) != len(all) || !slices.Equal(slices.Sorted(slices.Values(strings.Fields(ids(ordered)))),
			slices.Sorted(slices.Values(strings.Fields(ids(all))))) {
			t.Fatalf("the order %s of %s", ids(ordered), ids(all))
		}
		before := map[[2]*Experiment]bool{} // the pairs of which the first must come after the second, also by way of others
		for _, a := range all {
			for _, b := range all {
				before[[2]*Experiment{a, b}] = a != b && follows(a, b)
			}
		}
		for _, via := range all {
			for _, a := range all {
				for _, b := range all {
					if before[[2]*Experiment{a, via}] && before[[2]*Experiment{via, b}] {
						before[[2]*Experiment{a, b}] = true
					}
				}
			}
		}
		if slices.ContainsFunc(all, func(e *Experiment) bool { return before[[2]*Experiment{e, e}] }) {
			continue // they follow each other in a circle
		}
		for i, a := range ordered {
			for _, b := range ordered[i+1:] {
				if follows(a, b) {
					t.Fatalf("in the order %s, %s comes before %s, which it follows", ids(ordered), a.ID, b.ID)
				}
				if group[a] != group[b] && slices.ContainsFunc(ordered[i+1:], func(c *Experiment) bool {
					return group[c] == group[a]
				}) && group[ordered[i+1]] != group[a] {
					t.Fatalf("in the order %s, the group of %s is not together", ids(ordered), a.ID)
				}
			}
		}
	}
	if several < 50 {
		t.Errorf("%d groups with three experiments or more, want more", several)
	}
}

// TestFollows checks when an experiment must come after another one, and when two share a run.
func TestFollows(t *testing.T) {
	for _, c := range []struct {
		name           string
		change         func(e, other *Experiment)
		follows, share bool
	}{
		{"the other one saves", func(_, _ *Experiment) {}, true, true},
		{"reads the other one", func(e, o *Experiment) { e.Reads, o.Runs = []string{"x/y", "p/other"}, nil }, true, false},
		{"is read", func(e, o *Experiment) { o.Reads, o.Runs = []string{"p/e"}, nil }, false, false},
		{"another paper", func(_, o *Experiment) { o.ID = "q/other" }, false, false},
		{"timed", func(e, _ *Experiment) { e.Timed = true }, false, true},
		{"both timed", func(e, o *Experiment) { e.Timed, o.Timed = true, true }, true, true},
		{"the other one is timed", func(_, o *Experiment) { o.Timed = true }, true, true},
		{"saves, too", func(e, _ *Experiment) { e.Runs[1].Saves = true }, false, true},
		{"its own run", func(e, _ *Experiment) { e.Runs[1].Own = true }, false, false},
		{"the other's own run", func(_, o *Experiment) { o.Runs[1].Own = true }, false, false},
		{"both own", func(e, o *Experiment) { e.Runs[1].Own, o.Runs[1].Own = true, true }, false, false},
		{"finished", func(_, o *Experiment) { o.Runs[1] = run("b", 1, &schedule.Made{}); o.Runs[1].Saves = true }, false,
			true},
		{"nobody saves", func(_, o *Experiment) { o.Runs[1].Saves = false }, false, true},
		{"other settings", func(_, o *Experiment) { o.Runs[1].Plan = "d" }, false, false},
	} {
		e, other := fresh("p/e", "ab", false), fresh("p/other", "xb", false)
		other.Runs[1].Saves = true
		c.change(e, other)
		if got := follows(e, other); got != c.follows {
			t.Errorf("%s: it must come after the other one: %v, want %v", c.name, got, c.follows)
		}
		if share(e, other) != c.share || share(other, e) != c.share || share(e, e) {
			t.Errorf("%s: they share a run: %v, want %v", c.name, share(e, other), c.share)
		}
	}
}
