package report

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestPapers checks that a view has each paper once, in the order in which its experiments come first, and that each
// account gets the paper of its experiment. The user's experiments have a group of their own.
func TestPapers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := &view{}
		var want []string
		ids := []string{"eg/fig06", "eg/fig01", "rsd/fig1", "bethe/fig1", "my/own", "your/own"}
		for _, id := range rapid.SliceOfN(rapid.SampledFrom(ids), 1, 9).Draw(t, "ids") {
			key, _, _ := strings.Cut(id, "/")
			own := key == "my" || key == "your"
			if own {
				key = ownKey
			}
			if !slices.Contains(want, key) {
				want = append(want, key)
			}
			p := v.paper(&Account{Spec: &lang.Spec{ID: id, BuiltIn: !own}})
			if p.Key != key || p.Title == "" || (p.Citation == "") != own {
				t.Errorf("the paper of %s is %s, %q, %q; want %s, with a title, and with a citation if it is a paper", id, p.Key,
					p.Title, p.Citation, key)
			}
			if !slices.Contains(v.Papers, p) {
				t.Errorf("the view does not have the paper of %s", id)
			}
		}
		var got []string
		for _, p := range v.Papers {
			got = append(got, p.Key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the papers of the view are %v, want %v", got, want)
		}
	})
}

// TestOrigin checks that a view names each data set, commit and machine of all runs once, in the order of the runs, and
// that it is thinned if the curves of at least one account are.
func TestOrigin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := &view{}
		var want [3][]string
		thinned := false
		word := rapid.SampledFrom([]string{"", "a", "b", "c"})
		for range rapid.IntRange(0, 4).Draw(t, "accounts") {
			a := &Account{}
			for range rapid.IntRange(0, 3).Draw(t, "runs") {
				r := Run{Data: word.Draw(t, "data"), Commit: word.Draw(t, "commit"), Machine: word.Draw(t, "machine")}
				a.Runs = append(a.Runs, r)
				for i, s := range []string{r.Data, r.Commit, r.Machine} {
					if s != "" && !slices.Contains(want[i], s) {
						want[i] = append(want[i], s)
					}
				}
			}
			if n := rapid.IntRange(-1, 2).Draw(t, "thinned"); n >= 0 { // -1: no run has rows
				a.Explore = &explore.Data{Thinned: n}
				thinned = thinned || n > 0
			}
			v.origin(a)
		}
		for i, got := range [][]string{v.Data, v.Commits, v.Machines} {
			if !slices.Equal(got, want[i]) {
				t.Errorf("%s of the view: %q, want %q", []string{"data sets", "commits", "machines"}[i], got, want[i])
			}
		}
		if v.Thinned != thinned {
			t.Errorf("the view is thinned: %v, want %v", v.Thinned, thinned)
		}
	})
}
