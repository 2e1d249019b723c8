package source_test

import (
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/internal/source"
)

// module returns the files of a Go module with the packages a, b and c; a imports b. change replaces or adds files.
func module(change map[string]string) fstest.MapFS {
	files := map[string]string{
		"a/a.go":      "package a\n\nimport \"m/b\"\n\n// One is b's.\nfunc One() int { return b.One }\n",
		"a/a_test.go": "package a\n",
		"b/b.go":      "package b\n\nconst One = 1\n",
		"c/c.go":      "package c\n\nconst Three = 3\n",
	}
	for name, text := range change {
		files[name] = text
	}
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func TestHash(t *testing.T) {
	of := func(change map[string]string, packages ...string) string {
		return source.New(module(change), "m").Hash(packages...)
	}
	plain := of(nil, "a")
	for name, tt := range map[string]struct {
		change map[string]string
		same   bool
	}{
		"comment": {map[string]string{"a/a.go": "package a\n\nimport \"m/b\"\n\nfunc One() int { return b.One }\n"},
			true},
		"layout":          {map[string]string{"b/b.go": "package b\nconst   One = 1 // one"}, true},
		"test":            {map[string]string{"a/a_test.go": "package a\n\nvar x = 1\n"}, true},
		"another package": {map[string]string{"c/c.go": "package c\n\nconst Three = 4\n"}, true},
		"code": {map[string]string{"a/a.go": "package a\n\nimport \"m/b\"\n\nfunc One() int { return -b.One }\n"},
			false},
		"imported code":   {map[string]string{"b/b.go": "package b\n\nconst One = 2\n"}, false},
		"a string's case": {map[string]string{"b/b.go": "package b\n\nconst One = 1\n\nconst s = \"a  b\"\n"}, false},
		"another file":    {map[string]string{"b/d.go": "package b\n"}, false},
	} {
		if got := of(tt.change, "a"); (got == plain) != tt.same {
			t.Errorf("%s: hash %s after the change, %s before; equal = %v, want %v", name, got, plain, got == plain, tt.same)
		}
	}
	if of(nil, "a", "c") == plain || of(nil, "m/a") != plain || of(nil, "c", "a") != of(nil, "a", "c") {
		t.Error("want another hash for more packages, and the same hash for an import path and for another order")
	}
	defer func() {
		if recover() == nil {
			t.Error("Hash of a missing package returned, want a panic")
		}
	}()
	of(nil, "nowhere")
}

// TestOwnSources checks that packages of the program itself are embedded and have different hashes.
func TestOwnSources(t *testing.T) {
	x := source.New(gaplab.Sources, gaplab.Module)
	if a, b := x.Hash("internal/source"), x.Hash(gaplab.Module+"/harness"); len(a) != 16 || a == b {
		t.Errorf("hashes = %q and %q, want different ones of 16 digits", a, b)
	}
}

func BenchmarkHash(b *testing.B) {
	for b.Loop() {
		source.New(gaplab.Sources, gaplab.Module).Hash("harness", "plots")
	}
}

// TestAll checks that every change of a file changes the hash of All, including changes of comments, except in tests.
func TestAll(t *testing.T) {
	plain := source.All(module(nil))
	for name, change := range map[string]map[string]string{
		"comment":  {"a/a.go": "package a\n\nimport \"m/b\"\n\nfunc One() int { return b.One }\n"},
		"new file": {"d/d.go": "package d\n"},
	} {
		if got := source.All(module(change)); got == plain || len(got) != 16 {
			t.Errorf("%s: hash %s after the change, want 16 digits other than %s", name, got, plain)
		}
	}
	if got := source.All(module(map[string]string{"a/a_test.go": "package a\n\n// Changed.\n"})); got != plain {
		t.Errorf("hash %s after a change of a test, want %s as before", got, plain)
	}
}

// TestHolds changes a folder that has the same files. Holds must notice other content and a missing file, and ignore
// tests and files that are new.
func TestHolds(t *testing.T) {
	missing := module(nil)
	delete(missing, "b/b.go")
	for name, c := range map[string]struct {
		folder fstest.MapFS
		want   bool
	}{
		"the same":     {module(nil), true},
		"new file":     {module(map[string]string{"d/d.go": "package d\n"}), true},
		"other test":   {module(map[string]string{"a/a_test.go": "package a // changed\n"}), true},
		"comment":      {module(map[string]string{"c/c.go": "package c\n\n// Three is 3.\nconst Three = 3\n"}), false},
		"missing file": {missing, false},
		"empty":        {fstest.MapFS{}, false},
	} {
		if got := source.Holds(c.folder, module(nil)); got != c.want {
			t.Errorf("%s: Holds = %v, want %v", name, got, c.want)
		}
	}
}
