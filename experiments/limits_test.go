package experiments_test

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
)

// TestLimitedRunsAreReadByFinal checks that no claim takes the largest value of a column of times, calls or passes. For
// a run that its budget ended, final returns this value as a lower bound, whereas max returns it as a plain number.
func TestLimitedRunsAreReadByFinal(t *testing.T) {
	largest := regexp.MustCompile(`max\((curve\([^()]*\)|\w+|#)?\.(\w+_)?(seconds|calls|passes)\)`)
	err := fs.WalkDir(experiments.FS, ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		text, err := fs.ReadFile(experiments.FS, path)
		if found := largest.FindAllString(string(text), -1); len(found) > 0 {
			t.Errorf("%s: %s; write final(curve, column), which knows if a budget ended the run", path,
				strings.Join(found, ", "))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
