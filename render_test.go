package gaplab_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/gaplab/gaplab/harness"
)

// TestTextsAreRendered: each text that has a template is what the template gives over the kept results, and each
// README.md has one, so that no number in it is typed by hand.
func TestTextsAreRendered(t *testing.T) {
	templates, err := harness.Templates(".")
	if err != nil {
		t.Fatal(err)
	}
	reports := harness.NewReports(harness.Root("results"))
	for _, name := range templates {
		template, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := reports.Render(name, string(template))
		if err != nil {
			t.Error(err)
			continue
		}
		rendered := strings.TrimSuffix(name, harness.TemplateEnding)
		committed, err := os.ReadFile(rendered)
		if err != nil {
			t.Error(err)
		}
		if d := diff.Diff(rendered, committed, "rendered", []byte(text)); d != nil {
			t.Errorf("%s is not what %s gives: edit the template, then `gaplab render`\n%s", rendered, name, d)
		}
	}
	pages := readmes(t)
	if len(pages) < 6 {
		t.Errorf("only %d files README.md: this test does not find them", len(pages))
	}
	for _, page := range pages {
		if !slices.Contains(templates, page+harness.TemplateEnding) {
			t.Errorf("%s has no template %[1]s%s: its numbers are typed by hand", page, harness.TemplateEnding)
		}
	}
}
