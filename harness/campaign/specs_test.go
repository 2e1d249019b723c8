package campaign_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/campaign"
	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/lang"
)

const own = `apiVersion: gaplab/v1
id: my/spec
title: Mine
dataset: {name: digits}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: 0.1}
seeds: [1, 2]
solvers: [{name: eg}, {as: other, name: sgd, eta0: 1, seeds: [5, 6]}]
stop: {passes: 2}
`

// TestSpecs checks that a task reads each experiment of its campaign as the user planned it: at the same scale, with
// the same changes by --set and --seed, and, for a user's file, with the text that the file had when the campaign was
// planned.
func TestSpecs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "spec.yaml")
	if err := os.WriteFile(file, []byte(own), 0o666); err != nil {
		t.Fatal(err)
	}
	seed := uint64(7)
	for _, s := range []cluster.Spec{
		{ID: "eg/fig06", Scale: lang.ScaleSmoke},
		{ID: "eg/fig06", Scale: lang.ScaleQuick, Set: []string{"stop.passes=3"}},
		{ID: "eg/fig06", Scale: lang.ScaleSmoke, Seed: &seed},
		{ID: "my/spec", Scale: lang.ScaleOwn, File: file, Text: own, Set: []string{"stop.passes=3"}},
		{ID: "my/spec", Scale: lang.ScaleOwn, File: file, Text: own, Seed: &seed},
	} {
		name := s.ID
		if s.File != "" {
			name = s.File
		}
		e, err := harness.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.At(s.Scale, s.Set)
		if err != nil {
			t.Fatal(err)
		}
		if s.Seed != nil {
			want.Reseed(*s.Seed)
		}
		if s.File != "" {
			if err := os.WriteFile(file, []byte("changed since\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := campaign.Specs(&cluster.Campaign{Specs: []cluster.Spec{s}})
		if err != nil || len(got) != 1 {
			t.Fatalf("%+v: %d specs, %v; want 1", s, len(got), err)
		}
		if diff := cmp.Diff(runs(t, want), runs(t, got[0])); diff != "" || got[0].BuiltIn != want.BuiltIn {
			t.Errorf("%+v: built in %v, want %v; runs differ (-want +got):\n%s", s, got[0].BuiltIn, want.BuiltIn, diff)
		}
		if err := os.WriteFile(file, []byte(own), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// runs returns, for each run of a spec, a text of everything that determines its rows.
func runs(t *testing.T, s *lang.Spec) (out []string) {
	t.Helper()
	plan, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range plan {
		out = append(out, s.ID+" "+s.Scale+" "+string(r.Canonical()))
	}
	return out
}
