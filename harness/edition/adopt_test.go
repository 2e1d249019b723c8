package edition

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// TestAdopt checks which experiments a copied record has: those of this call, those of earlier calls, from this folder
// or from another one, and none that this folder has to make again. It has the sittings of all.
func TestAdopt(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "paper")
	if err := Adopt(from, to, []string{"a/b"}); err != nil {
		t.Errorf("a folder without an edition: %v, want no error", err)
	}
	if _, err := Read(to); !errors.Is(err, ErrNoEdition) {
		t.Errorf("a record of no edition: %v, want an ErrNoEdition", err)
	}
	for i, c := range []struct {
		states map[string]string // of the experiments of the edition
		ids    []string
		want   string
	}{
		{map[string]string{"a/one": Done, "a/two": Done, "a/three": Begun}, []string{"a/two"}, "[a/two]"},
		{map[string]string{"a/one": Done, "a/two": Done, "a/three": Done}, []string{"a/one"}, "[a/one a/two]"},
		{map[string]string{"a/one": Waiting, "a/two": Done, "a/three": Done}, []string{"a/three"}, "[a/three a/two]"},
		{map[string]string{"b/one": Done, "b/two": Begun}, []string{"b/one"}, "[a/three a/two b/one]"},
		{map[string]string{"a/two": Begun, "b/one": Done}, nil, "[a/three b/one]"},
	} {
		began := fmt.Sprint("sitting ", i)
		r := &Record{Format: format, Scale: "paper", Sittings: []Session{{Began: began}}}
		for id, state := range c.states {
			r.Experiments = append(r.Experiments, Entry{ID: id, State: state})
		}
		if err := r.write(from); err != nil {
			t.Fatal(err)
		}
		if err := Adopt(from, to, c.ids); err != nil {
			t.Fatal(err)
		}
		kept, err := Read(to)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range kept.Experiments {
			ids = append(ids, e.ID)
		}
		if got := fmt.Sprint(ids); got != c.want {
			t.Errorf("after %v the record has %s, want %s", c.ids, got, c.want)
		}
		if n := len(kept.Sittings); n != i+1 || kept.Sittings[i].Began != began {
			t.Errorf("after %v the record has %d sittings, %v; want %d", c.ids, n, kept.Sittings, i+1)
		}
	}
}
