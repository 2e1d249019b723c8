package results_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/shipped"
	"github.com/gaplab/gaplab/results"
)

// TestReferences checks that the embedded references are the files in the folder smoke, without exception.
func TestReferences(t *testing.T) {
	n := 0
	err := fs.WalkDir(os.DirFS("."), "smoke", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		n++
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if got, err := results.References.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not embedded as it is: %v", name, err)
		}
		return nil
	})
	if err != nil || n < 100 {
		t.Errorf("%d references, %v; want at least 100", n, err)
	}
}

// TestSum checks that the embedded checksum is that of the archive of these results.
func TestSum(t *testing.T) {
	sum, err := shipped.Sum(os.DirFS("."), results.Archived())
	if err != nil || sum != results.Sum() {
		t.Errorf("the archive has SHA-256 %s, %v; %s has %s; run: go run ./cmd/gaplab baseline archive", sum, err,
			results.SumFile, results.Sum())
	}
}

// TestScales checks that all results in git are either references or in the archive.
func TestScales(t *testing.T) {
	out, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		t.Skip("this is not a checkout of git: ", err)
	}
	for name := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		scale, _, found := strings.Cut(path.Clean(name), "/")
		if found && scale != "smoke" && !slices.Contains(results.Archived(), scale) {
			t.Errorf("%s is neither embedded nor in the archive", name)
		}
	}
}
