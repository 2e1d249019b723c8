package docs_test

import "testing"

// TestTextsAreRendered checks that each rendered text equals the result of its template over the kept results.
func TestTextsAreRendered(t *testing.T) {
	inputs(t)
	t.Setenv("GOGC", "400") // all kept results fit into memory, and collecting garbage would take a quarter of the time
	expect(t, "", 0, gaplab(t), "render", "--check")
}
