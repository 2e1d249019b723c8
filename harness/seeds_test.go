package harness

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
)

var full = flag.Bool("full", false, "check experiments at all scales, and compare seeds as often as in docs/GATE.md")

// TestFalseAlarmsOfSeeds measures, for docs/GATE.md, how often gate.OverSeeds reports a difference where there is none.
// It compares real runs of a solver, ten random seeds with ten others, many times. It also checks that a smaller step
// size is detected.
func TestFalseAlarmsOfSeeds(t *testing.T) {
	if testing.Short() {
		t.Skip("this test runs solvers with many seeds, which takes seconds")
	}
	seeds, trials, most := 24, 50, 2 // at a rate of 1 %, three or more alarms in 50 trials have probability 1.4 %
	if *full {
		seeds, trials, most = 40, 500, 10
	}
	list := ""
	for i := range seeds {
		list += fmt.Sprint(i+1, ", ")
	}
	r := runText(t, atC+"solvers: [{name: eg, eta: 0.5}, {as: fixed, name: eg, eta: 0.2, rate: constant}, "+
		"{as: slower, name: eg, eta: 0.16, rate: constant}, {name: sdca}, {name: saga}]\n"+
		"seeds: ["+list+"]\nrecord: {every: {passes: 0.5}}\nstop: {gap: 1e-4, passes: 300}\n")
	bySolver := map[string][]*trace.File{}
	for _, f := range r.Files {
		as := fmt.Sprint(f.Manifest.Labels["as"])
		if f.Status() == trace.Done {
			bySolver[as] = append(bySolver[as], f)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	compare := Options{OverSeeds: true}.Gate()
	rate := func(a, b []*trace.File) (moved int) {
		for range trials {
			order := rng.Perm(seeds)
			var ref, now []*trace.File
			for i := range 10 {
				for from, to := range map[*trace.File]*[]*trace.File{a[order[i]]: &ref, b[order[10+i]]: &now} {
					own := *from
					own.Manifest.Plan, own.Manifest.Labels = fmt.Sprint(i), map[string]any{"as": "a", "seed": float64(i)}
					*to = append(*to, &own)
				}
			}
			got := compare("p/a", ref, now)
			if len(got) != 1 {
				t.Fatalf("%d comparisons, want one of the distribution over seeds", len(got))
			}
			if !got[0].OK {
				moved++
			}
		}
		return moved
	}
	for _, as := range []string{"eg", "fixed", "sdca", "saga"} {
		files := bySolver[as]
		if len(files) != seeds {
			t.Errorf("%s: %d runs ended, want all %d", as, len(files), seeds)
			continue
		}
		moved := rate(files, files)
		t.Logf("%s: %d false alarms in %d trials", as, moved, trials)
		if moved > most {
			t.Errorf("%s: %d false alarms in %d trials, want at most %d", as, moved, trials, most)
		}
	}
	moved := rate(bySolver["fixed"], bySolver["slower"])
	t.Logf("eg with a step that is a fifth smaller: %d alarms in %d trials", moved, trials)
	if moved < trials*9/10 {
		t.Errorf("eg with a step that is a fifth smaller: %d alarms in %d trials, want at least 90 %%", moved, trials)
	}
}
