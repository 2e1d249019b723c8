package docs_test

import "testing"

// TestTextsAreRendered checks that each page that is rendered from a template agrees with the template and the kept
// results.
func TestTextsAreRendered(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all kept results")
	}
	inputs(t)
	t.Setenv("GOGC", "400") // all kept results fit into memory, and collecting garbage would take a quarter of the time
	expect(t, "", 0, gaplab(t), "render", "--check")
}
