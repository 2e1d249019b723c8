package datasets_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestLinksAreNotQuoted checks that an error about a file quotes no text of the file if its path leads through a link
// out of the spec's folder. Errors about other files must quote the text.
func TestLinksAreNotQuoted(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "own"), []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"file": filepath.Join(outside, "secret"), "folder": outside, "inside": "own"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for path, quotes := range map[string]bool{"own": true, "inside": true, "file": false, "folder/secret": false,
		filepath.Join(dir, "file"): false, filepath.Join(outside, "secret"): true} {
		_, err := datasets.Source{Dir: dir}.ReadOwn(t.Context(), path, func(path string, r io.Reader) error {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Error(err)
			}
			return &datasets.SyntaxError{Path: path, Line: 1, Column: 1, Msg: `"` + string(text) + ` \" more" has no colon`}
		})
		if err == nil || strings.Contains(err.Error(), `secret \" more" has`) != quotes ||
			strings.Contains(err.Error(), ": … has no colon (the text is not quoted") == quotes {
			t.Errorf("%s: error %v; want quotes: %v", path, err, quotes)
		}
	}
}

// TestLinksOutOfTheWorkingFolder checks the same for relative paths without a folder of the spec, which are relative to
// the working folder.
func TestLinksOutOfTheWorkingFolder(t *testing.T) {
	outside, work := t.TempDir(), t.TempDir()
	t.Chdir(work)
	for _, path := range []string{filepath.Join(outside, "secret"), "own"} {
		if err := os.WriteFile(path, []byte("secret"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outside, "secret"), "link"); err != nil {
		t.Skip(err)
	}
	for path, quotes := range map[string]bool{"own": true, "link": false, filepath.Join(work, "link"): false,
		filepath.Join(outside, "secret"): true} {
		_, err := datasets.Source{}.ReadOwn(t.Context(), path, func(path string, _ io.Reader) error {
			return &datasets.SyntaxError{Path: path, Line: 1, Column: 1, Msg: `label "secret" is unknown, as is "more"`}
		})
		want := `label "secret" is unknown, as is "more"`
		if !quotes {
			want = "label … is unknown, as is … (the text is not quoted, since the file is a link out of the spec's folder)"
		}
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", path, err, want)
		}
	}
}
