package edition

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
)

// TestCompareAtRandom compares the changes and the counts of random verdicts of several papers with those of a second
// implementation, which looks up each claim in both lists.
func TestCompareAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	outcomes := []claims.Outcome{claims.Reproduced, claims.NotReproduced, claims.Tie}
	for range 200 {
		lists := map[bool][]claims.Verdict{}
		of := map[bool]map[string]claims.Verdict{false: {}, true: {}}
		var names []string
		for _, experiment := range []string{"p/e", "p/f", "q/e"} {
			for _, claim := range []string{"c1", "c2"} {
				names = append(names, experiment+"/"+claim)
				for _, after := range []bool{false, true} {
					if rng.IntN(4) > 0 {
						v := claims.Verdict{Experiment: experiment, Claim: claim, Verdict: outcomes[rng.IntN(len(outcomes))]}
						lists[after] = append(lists[after], v)
						of[after][experiment+"/"+claim] = v
					}
				}
			}
		}
		changes, papers := Compare(lists[false], lists[true])
		want := map[string]Change{}
		counts := map[string]Count{}
		for _, name := range names {
			before, was := of[false][name]
			after, is := of[true][name]
			if before.Verdict != after.Verdict {
				want[name] = Change{name, before, after}
			}
			if !was && !is {
				continue
			}
			paper := name[:1]
			c, ok := counts[paper]
			if !ok {
				c = Count{paper, 0, map[claims.Outcome]int{}, map[claims.Outcome]int{}}
			}
			if is {
				c.Claims++
				c.After[after.Verdict]++
			}
			if was {
				c.Before[before.Verdict]++
			}
			counts[paper] = c
		}
		got := map[string]Change{}
		for _, c := range changes {
			got[c.ID] = c
		}
		byPaper := map[string]Count{}
		for _, c := range papers {
			byPaper[c.Paper] = c
		}
		if len(changes) != len(want) || !reflect.DeepEqual(got, want) || len(papers) != len(counts) ||
			!reflect.DeepEqual(byPaper, counts) {
			t.Fatalf("%v and %v: changes %v, counts %v; want %v, %v", lists[false], lists[true], got, byPaper, want, counts)
		}
		last := -1 // the changes of claims that are there come in the order of the verdicts after, the others behind them
		for _, c := range changes {
			if at := slices.Index(names, c.ID); c.After.Verdict != "" {
				if at < last {
					t.Fatalf("the change of %s comes too late", c.ID)
				}
				last = at
			} else if last = len(names); !slices.Contains(names, c.ID) {
				t.Fatalf("a change of %q", c.ID)
			}
		}
	}
}
