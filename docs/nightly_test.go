package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNightly runs the script .ci/nightly with steps for this test only. A step that passes must write its line. A step
// that fails must make the script fail and write no line. The test also checks the exit codes of --status and of an
// unknown step.
func TestNightly(t *testing.T) {
	for _, name := range []string{"bash", "git"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{".ci/nightly", ".ci/steps.sh"} {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	write(t, filepath.Join(dir, ".ci", "parts.sh"), []byte(`parts=(good bad)
about() { echo "about $1"; }
part_good() { step 'true' 5 true; skip 'a step' 'no reason'; }
part_bad() { step 'false' 5 false; }
`))
	t.Chdir(dir)
	expect(t, "", 0, "git", "init", "-q")
	expect(t, "", 0, "git", "add", ".ci")
	expect(t, "", 0, "git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "parts")
	expect(t, "bad            about bad\n", 0, "bash", ".ci/nightly", "--list")
	expect(t, "good           never passed\n", 1, "bash", ".ci/nightly", "--status")
	expect(t, "no part other; accepted: good bad", 2, "bash", ".ci/nightly", "other")
	expect(t, "FAILED", 1, "bash", ".ci/nightly")
	text, err := os.ReadFile(filepath.Join(".ci", "passed"))
	if err != nil || !regexp.MustCompile(`^good \d{4}-\d\d-\d\d [0-9a-f]{12} \d+ 1\n$`).Match(text) {
		t.Errorf("%v: .ci/passed = %q, want one line, for the part good", err, text)
	}
	out := expect(t, "bad            never passed\n", 1, "bash", ".ci/nightly", "--status")
	if !strings.Contains(out, ", 1 steps skipped\n") {
		t.Errorf("status without the skipped step:\n%s", out)
	}
	expect(t, "passed", 0, "bash", ".ci/nightly", "good")
}
