package gate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestGroupsOfSeeds checks a comparison over seeds of several solvers whose runs are mixed: each group has its own
// place, that of its first run; a group that differs becomes one comparison, a group without a difference and one with
// too few seeds remain as they are, and a curve without a reference is a group of its own.
func TestGroupsOfSeeds(t *testing.T) {
	type group struct {
		c         float64
		seeds     int
		ref, seed uint64 // of the random numbers
		slower    float64
		want      []string // the curves of its comparisons, each with whether it is the same
	}
	var refs, fresh [][]*trace.File
	var want []string
	for i, g := range []group{
		{1, 10, 1, 3, 1.6, []string{"moved"}}, {2, 10, 1, 1, 1, slices.Repeat([]string{"same"}, 10)},
		{3, 10, 1, 2, 1, []string{"same"}}, {4, 4, 1, 3, 1.6, slices.Repeat([]string{"moved"}, 4)},
	} {
		ref := seeded(rand.New(rand.NewPCG(g.ref, 1)), g.seeds, 1)
		now := seeded(rand.New(rand.NewPCG(g.seed, 1)), g.seeds, g.slower)
		for k := range ref {
			for _, f := range []*trace.File{ref[k], now[k]} {
				f.Manifest.Plan = fmt.Sprint(i, " ", k)
				f.Manifest.Labels["C"] = g.c
			}
		}
		refs, fresh = append(refs, ref), append(fresh, now)
		for k, says := range g.want {
			name := fmt.Sprintf("a C=%v", g.c)
			if len(g.want) > 1 {
				name += fmt.Sprint(" seed=", k)
			}
			want = append(want, name+" "+says)
		}
	}
	mixed := func(list [][]*trace.File) (out []*trace.File) {
		for k := range 10 {
			for _, runs := range list {
				if k < len(runs) {
					out = append(out, runs[k])
				}
			}
		}
		return out
	}
	added := run(5)
	added.Manifest.Plan, added.Manifest.Labels = "new", map[string]any{"as": "new", "seed": 1.}
	want = append(want, "new seed=1 moved")
	var got []string
	for _, c := range gate.OverSeeds(gate.Within())("p/a", mixed(refs), append(mixed(fresh), added)) {
		got = append(got, c.Curve+map[bool]string{true: " same", false: " moved"}[c.OK])
	}
	if !slices.Equal(got, want) {
		t.Errorf("comparisons\n%q, want\n%q", got, want)
	}
}

// TestChangedCode checks that only a curve that differs lists the components whose code has changed, and that Exact
// compares the labels and the counts of the end lines, and the digest of a reference rather than that of its rows.
func TestChangedCode(t *testing.T) {
	for _, compare := range []func(string, []*trace.File, []*trace.File) []gate.Comparison{gate.Within(), gate.Exact} {
		for _, moved := range []bool{false, true} {
			ref, now := run(5).Reference(200), run(5)
			ref.Manifest.Sources = map[string]string{"solver a": "old", "model m": "same", "data set d": "old"}
			now.Manifest.Sources = map[string]string{"solver a": "new", "model m": "same", "data set d": "new"}
			if moved {
				now.Rows[4].Values[trace.Primal] *= 2
			}
			c := compare("p/a", []*trace.File{ref}, []*trace.File{now})[0]
			changed := slices.Sorted(slices.Values(c.Changed))
			if c.OK == moved || moved != slices.Equal(changed, []string{"data set d", "solver a"}) || !moved && changed != nil {
				t.Errorf("moved %v: comparison %+v, want the two components only if it differs", moved, c)
			}
		}
	}
	for want, edit := range map[string]func(f *trace.File){
		"": func(*trace.File) {},
		"the metric counts of its validation examples differ": func(f *trace.File) {
			f.End.Examples = map[string]trace.Examples{"error": {Of: "x", Num: []float64{1}, Den: []float64{2}}}
		},
		"it ended with the labels map[chosen:true]": func(f *trace.File) { f.End.Labels = map[string]any{"chosen": true} },
		"rows that are not in the thinned reference": func(f *trace.File) {
			f.Manifest.Exact = "another"
		},
	} {
		now := run(5)
		edit(now)
		if m := message(t, gate.Exact, run(5).Reference(200), now); !strings.HasPrefix(m, want) || want == "" && m != "" {
			t.Errorf("message %q, want %q", m, want)
		}
	}
}
