package harness

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFindReadsEachScale checks that Find returns the results of each scale, of the smallest if none is given, without
// the runs of the caller's solvers, and reads them only once. It also checks that Runs finds runs in both folders by
// the beginning of their key.
func TestFindReadsEachScale(t *testing.T) {
	dir := t.TempDir()
	e := fileOf(t, atC+"solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 2}\n"+
		"scales: {smoke: {stop: {passes: 1}}, quick: {stop: {passes: 3}}}\n")
	made := map[string]*trace.File{}
	for _, scale := range e.Scales() {
		made[scale] = only(t, runIn(t, dir, at(t, e, scale)))
	}
	o := Options{Root: dir}
	o.With = append(o.With, &Walk{Step: 0.1})
	r := NewReader(o)
	found := map[string]*Result{}
	for _, scale := range []string{"quick", "", "smoke"} {
		result, err := r.Find(e.Name, scale)
		if err != nil {
			t.Fatal(err)
		}
		want := made[scale]
		if scale == "" {
			want = made["smoke"]
		}
		if f := only(t, result); f.Manifest.Key != want.Manifest.Key || result.Planned != 1 || result.reader != r {
			t.Errorf("scale %q: %s of %d runs, want %s, without those of the caller's solver", scale, f.Describe(),
				result.Planned, want.Describe())
		}
		found[scale] = result
	}
	if again, err := r.Find(e.Name, "quick"); err != nil || again != found["quick"] {
		t.Errorf("the second Find reads the results again (%v)", err)
	}
	for scale, result := range found {
		seen := result.Evidence()
		other, err := seen.Other(e.Name) // what a claim reads of another experiment
		if err != nil || seen.Set != result.Set || other != found[cmp.Or(scale, "smoke")].Set && other != found[""].Set ||
			other.Curves[0].Labels["scale"] != cmp.Or(scale, "smoke") {
			t.Errorf("scale %q: a claim reads the results %+v, %v; want those of the same scale", scale, other, err)
		}
		if text, err := seen.Printed("spec.yaml"); err != nil || !strings.HasPrefix(string(text), "apiVersion: ") {
			t.Errorf("the file beside the spec is %.20q, %v", text, err)
		}
	}
	if _, err := r.Find(e.Name, "large"); err == nil {
		t.Error("Find at a scale that does not exist: no error")
	}
	kept := *made["smoke"]
	if _, err := store.Keep(dir).Write("test/tiny", "smoke", []*trace.File{&kept}, false); err != nil {
		t.Fatal(err)
	}
	key := made["smoke"].Manifest.Key
	list, err := r.Runs(key[:8])
	if err != nil || len(list) != 2 || list[0].Path != made["smoke"].Path || list[1].Path == list[0].Path ||
		list[1].Manifest.Key != key {
		t.Errorf("runs with the key %s: %d, %v; want the made one and then the kept one", key[:8], len(list), err)
	}
	if list, err = r.Runs(made["quick"].Manifest.Key); err != nil || len(list) != 1 {
		t.Errorf("runs with the key of scale quick: %d, %v; want 1", len(list), err)
	}
	if _, err = r.Runs("no such key"); !errors.Is(err, ErrNoResults) {
		t.Errorf("no run: error %v, want an ErrNoResults", err)
	}
}
