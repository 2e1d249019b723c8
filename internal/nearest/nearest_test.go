package nearest_test

import (
	"testing"

	"github.com/gaplab/gaplab/internal/nearest"
)

// TestDidYouMean checks that words with one or two wrong letters are recognised in upper and lower case, and that a
// word unlike all candidates is not.
func TestDidYouMean(t *testing.T) {
	words := []string{"passes", "gap", "epochs", "eg/fig06"}
	for word, want := range map[string]string{
		"pases": `, did you mean "passes"?`, "PASSES": `, did you mean "passes"?`, "psases": `, did you mean "passes"?`,
		"gpa": `, did you mean "gap"?`, "eg/fig6": `, did you mean "eg/fig06"?`, "g": "", "": "", "seconds": "",
	} {
		if got := nearest.DidYouMean(word, words); got != want {
			t.Errorf("DidYouMean(%q) = %q, want %q", word, got, want)
		}
	}
}
