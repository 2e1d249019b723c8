package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestFiles checks that the page about files has each key that encoding/json writes, and no other.
func TestFiles(t *testing.T) {
	t.Parallel()
	body, err := files("..")
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	var check func(s reflect.Type)
	check = func(s reflect.Type) {
		for i := range s.NumField() {
			f := s.Field(i)
			if f.Anonymous {
				check(f.Type)
				continue
			}
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "-" || name == "" {
				continue
			}
			want++
			if !strings.Contains(string(body), "<tr><td><code>"+name+"</code></td>") {
				t.Errorf("the page lacks the key %s of %s", name, s)
			}
		}
	}
	for _, v := range []any{trace.Manifest{}, trace.End{}, store.Weights{}, edition.Record{}} {
		check(reflect.TypeOf(v))
	}
	if got := strings.Count(string(body), "<tr><td><code>"); got != want {
		t.Errorf("the page has %d keys; the structs have %d", got, want)
	}
}
