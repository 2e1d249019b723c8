package cluster_test

import (
	"errors"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/solvers"
)

// TestFailedShards checks that a task makes its later shards although runs of earlier ones failed, that its error names
// all runs that failed, and that it stops if the spec of a shard cannot be read.
func TestFailedShards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var specs []*lang.Spec
	for _, id := range []string{"test/one", "test/two", "test/three"} {
		solver := "{as: wild, name: descent, step: 0.1}"
		if id == "test/three" {
			solver = "{as: tame, name: ascent}"
		}
		specs = append(specs, toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", id, 1)+"solvers: ["+solver+"]\nseeds: ["+
			map[string]string{"test/one": "1", "test/two": "2", "test/three": "3"}[id]+"]\nstop: {passes: 2}\n"))
	}
	g := plan(t, dir, 3, specs...)
	if len(g.Tasks) != 1 || len(g.Tasks[0].Shards) != 3 {
		t.Fatalf("tasks %+v, want one with three shards", g.Tasks)
	}
	lost := errors.New("no such spec")
	read := 0
	err := g.Do(t.Context(), 0, func(int) (*lang.Spec, error) { read++; return nil, lost }, toy.Options(dir))
	if s, bad := g.Status(t.Context(), nil); !errors.Is(err, lost) || read != 1 || bad != nil ||
		s.Tasks[0] != cluster.Failed || g.Why(0, cluster.Failed) != lost.Error() {
		t.Errorf("without specs: error %v after %d, status %+v, %v", err, read, s, bad)
	}
	events := 0
	o := toy.Options(dir, toy.OnEvent(func(schedule.Event) { events++ }))
	o.Wrap = func(s solvers.Solver) solvers.Solver {
		if _, wild := s.(*toy.Descent); !wild {
			return s
		}
		return toy.Scripted{Is: "wild", Do: func(_ toy.Given, yield func(solvers.Iterate, error) bool) {
			yield(solvers.Iterate{}, errors.New("always"))
		}}
	}
	err = g.Do(t.Context(), 0, func(i int) (*lang.Spec, error) { return specs[i], nil }, o)
	var failed *cluster.FailedError
	if !errors.As(err, &failed) || len(failed.Runs) != 2 || events == 0 {
		t.Fatalf("error %v after %d events, want one with two runs", err, events)
	}
	slices.Sort(failed.Runs)
	for i, want := range []string{"test/one: wild C=10 seed=1: failed: ", "test/two: wild C=10 seed=2: failed: "} {
		if !strings.HasPrefix(failed.Runs[i], want) || !strings.Contains(failed.Runs[i], "always") {
			t.Errorf("failed run %q, want %q", failed.Runs[i], want)
		}
	}
	toy.WantStatus(t, toy.Only(t, toy.Read(t, dir, specs[2])), trace.Done, "passes")
}

// TestManifestOfACampaign checks that each field of the manifest is filled in and is read from the disk as it was
// planned, and that the revisions and sources are those of all components of all specs.
func TestManifestOfACampaign(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := toy.Spec(t, toy.AtC+"solvers: [{name: ascent}, {as: w, name: whole, workers: 3}]\nstop: {passes: 1}\n")
	second := toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", "test/b", 1)+
		"solvers: [{name: descent, step: 0.1}]\nstop: {passes: 1}\nfigure: {x: seconds, y: primal}\n")
	toy.Run(t, dir, toy.Spec(t, strings.Replace(toy.AtC, "test/tiny", "test/b", 1)+
		"solvers: [{name: descent, step: 0.1}]\nstop: {passes: 1}\n"))
	o := toy.Options(dir)
	o.Command = []string{"gaplab", "run"}
	o.Catalogue.Program = func() string { return "program" }
	g := planWith(t, o, 1, first, second)
	opened, err := cluster.Open(g.Dir)
	if err != nil || !reflect.DeepEqual(opened, g) {
		t.Errorf("the campaign was read as\n%+v, %v, want\n%+v", opened, err, g)
	}
	if info, err := os.Stat(g.Dir + "/manifest.json"); err != nil || info.Mode().Perm()&0o222 != 0 {
		t.Errorf("the manifest may be written: %v, %v", info.Mode(), err)
	}
	want, sources := map[string]int{}, map[string]string{}
	for _, s := range []*lang.Spec{first, second} {
		runs, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range runs {
			for _, c := range o.Catalogue.Components(r) {
				want[c.Name], sources[c.Name] = c.Revision, o.Catalogue.Sources(c.Package)
			}
		}
	}
	if !maps.Equal(g.Revisions, want) || !maps.Equal(g.Sources, sources) || len(want) < 6 {
		t.Errorf("revisions %v, sources %v; want %v, %v", g.Revisions, g.Sources, want, sources)
	}
	if g.Created == "" || !slices.Equal(g.Command, o.Command) || g.Program != "program" || g.Format != cluster.Format ||
		len(g.Specs) != 2 || g.Specs[0].ID != "test/tiny" || g.Specs[1].ID != "test/b" || g.Specs[0].Runs != 2 ||
		g.Specs[1].Runs != 1 || g.Specs[0].Scale != "own" {
		t.Errorf("manifest %+v", g)
	}
	workers, alone := map[int]int{}, map[bool]int{}
	for _, a := range g.Arrays {
		workers[a.Workers] += a.Count
		alone[a.Alone] += a.Count
	}
	if !maps.Equal(workers, map[int]int{1: len(g.Tasks) - 1, 3: 1}) || alone[false] != 2 ||
		alone[true] != 1-g.Specs[1].Done {
		t.Errorf("tasks by threads %v, by whether they are alone %v", workers, alone)
	}
}
