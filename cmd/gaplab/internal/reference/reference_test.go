package reference

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

func reference(t *testing.T) (*Reference, map[string]Example) {
	t.Helper()
	text, err := lang.Schema(harness.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(text)
	if err != nil {
		t.Fatal(err)
	}
	examples, err := r.Examples()
	if err != nil {
		t.Fatal(err)
	}
	return r, examples
}

// TestPage checks that docs/SPEC.md is what Markdown writes.
func TestPage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test renders the whole reference")
	}
	r, examples := reference(t)
	var b bytes.Buffer
	r.Markdown(&b, examples)
	page := filepath.Join("..", "..", "..", "..", "docs", "SPEC.md")
	old, err := os.ReadFile(page)
	if err != nil || !bytes.Equal(old, b.Bytes()) {
		t.Errorf("docs/SPEC.md is not up to date (%v); run: go run ./cmd/gaplab help spec --markdown > docs/SPEC.md", err)
	}
}

// TestExamples checks that each key has a description, and that each key whose value is no mapping has an example with
// this key.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test plans all examples")
	}
	r, examples := reference(t)
	if len(r.Keys) < 100 || len(r.Components) < 70 {
		t.Fatalf("%d keys and %d components; want at least 100 and 70", len(r.Keys), len(r.Components))
	}
	for _, k := range r.Keys {
		x, ok := examples[k.Path]
		leaf := !strings.HasSuffix(k.Type, "mapping") && !strings.HasSuffix(k.Type, "mappings")
		switch {
		case k.Says == "":
			t.Errorf("%s has no description", k.Path)
		case strings.HasPrefix(k.Path, "figure.panels[].") && !ok:
			// figure has the same key, with an example
		case ok != leaf:
			t.Errorf("%s (%s): example %q; want one if and only if the value is no mapping", k.Path, k.Type, x.YAML)
		}
		last := k.Path[strings.LastIndex(k.Path, ".")+1:]
		if ok && !strings.Contains(x.YAML, last+":") {
			t.Errorf("%s: the example %q does not have the key", k.Path, x.YAML)
		}
	}
	for _, c := range r.Components {
		for _, k := range c.Settings {
			if k.Says == "" || k.Type == "" {
				t.Errorf("%s %s: setting %s has the type %q and the description %q", c.Kind, c.Name, k.Path, k.Type, k.Says)
			}
			if c.Kind == "overlay" || k.Path == "templates" { // no component; a text that no spec sets
				continue
			}
			if x, ok := examples[c.Setting(k)]; !ok || !strings.Contains(x.YAML, k.Path+": ") ||
				!strings.Contains(x.YAML, ": "+c.Name+",") {
				t.Errorf("%s %s: setting %s (%s) has the example %q; want one with the name and the setting", c.Kind, c.Name,
					k.Path, k.Type, x.YAML)
			}
		}
	}
}

// TestMore runs the specs of this package.
func TestMore(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs all examples")
	}
	names, err := fs.Glob(more, "examples/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		e, err := harness.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.At("own", nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := harness.Run(context.Background(), s, harness.Options{Root: t.TempDir(), Workers: 2})
		if err == nil {
			err = r.Set.Err
		}
		if err != nil {
			t.Fatalf("running %s: %v", name, err)
		}
	}
}

// TestText checks the texts for the terminal: except for examples, no line exceeds the given width.
func TestText(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test renders the whole reference")
	}
	r, examples := reference(t)
	var b bytes.Buffer
	r.Spec(&b, 80, examples)
	r.List(&b, 80, examples)
	Expressions(&b, 80)
	if err := Columns(&b, os.DirFS("../../../.."), 80); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		n := len([]rune(strings.TrimSuffix(line, "\n")))
		if n > 80 && strings.HasPrefix(line, "    ") && !strings.Contains(line, "e.g. ") {
			t.Errorf("a line has %d characters, want at most 80: %s", n, line)
		}
	}
	for _, want := range []string{"record.every.growth: number > 1\n", "peak_bytes\n", "validation_f1", "\ncurve(",
		"  shrinking: true | false"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the texts", want)
		}
	}
}
