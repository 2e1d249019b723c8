package source_test

import (
	"testing"
	"testing/fstest"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/internal/source"
)

// module is a module of two packages, a importing b.
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
			t.Errorf("%s: hash %s, plain %s; want the same: %v", name, got, plain, tt.same)
		}
	}
	if of(nil, "a", "c") == plain || of(nil, "m/a") != plain || of(nil, "c", "a") != of(nil, "a", "c") {
		t.Error("packages are told apart by name, in any order, by folder or import path")
	}
	defer func() {
		if recover() == nil {
			t.Error("a package that is not there: want a panic")
		}
	}()
	of(nil, "nowhere")
}

// The program's own sources are embedded, every package of them.
func TestOwnSources(t *testing.T) {
	x := source.New(gaplab.Sources, gaplab.Module)
	if a, b := x.Hash("internal/source"), x.Hash(gaplab.Module+"/harness"); len(a) != 16 || a == b {
		t.Errorf("hashes %q, %q", a, b)
	}
}

func BenchmarkHash(b *testing.B) {
	for b.Loop() {
		source.New(gaplab.Sources, gaplab.Module).Hash("harness", "plots")
	}
}

// All tells any change apart, of comments and tests too.
func TestAll(t *testing.T) {
	plain := source.All(module(nil))
	for name, change := range map[string]map[string]string{
		"comment":  {"a/a.go": "package a\n\nimport \"m/b\"\n\nfunc One() int { return b.One }\n"},
		"test":     {"a/a_test.go": "package a\n\nvar x = 1\n"},
		"new file": {"d/d.go": "package d\n"},
	} {
		if got := source.All(module(change)); got == plain || len(got) != 16 {
			t.Errorf("%s: %s: want another than %s", name, got, plain)
		}
	}
}
