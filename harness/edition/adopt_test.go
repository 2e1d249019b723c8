package edition

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// TestAdopt checks which experiments a copied record has: those of this call, those of earlier calls that the edition
// still has, and none that it has to make again.
func TestAdopt(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "paper")
	if err := Adopt(from, to, []string{"a/b"}); err != nil {
		t.Errorf("a folder without an edition: %v, want no error", err)
	}
	if _, err := Read(to); !errors.Is(err, ErrNoEdition) {
		t.Errorf("a record of no edition: %v, want an ErrNoEdition", err)
	}
	for _, c := range []struct {
		states map[string]string // of the experiments of the edition
		ids    []string
		want   string
	}{
		{map[string]string{"a/one": Done, "a/two": Done, "a/three": Begun}, []string{"a/two"}, "[a/two]"},
		{map[string]string{"a/one": Done, "a/two": Done, "a/three": Done}, []string{"a/one"}, "[a/one a/two]"},
		{map[string]string{"a/one": Waiting, "a/two": Done, "a/three": Done}, []string{"a/three"}, "[a/three a/two]"},
	} {
		r := &Record{Format: format, Scale: "paper"}
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
	}
}
