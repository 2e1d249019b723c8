package docs_test

import "testing"

// TestTextsAreRendered: each text that has a template is what the template gives over the kept results.
func TestTextsAreRendered(t *testing.T) {
	inputs(t)
	expect(t, "", 0, "go", "run", "./cmd/gaplab", "render", "--check")
}
