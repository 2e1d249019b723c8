package harness

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab"
)

// TestAnotherModuleUsesTheAPI builds and runs a program of another module, whose solver joins an experiment.
func TestAnotherModuleUsesTheAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("it links a program of another module, which takes seconds")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	copyFile(t, filepath.Join(dir, "main.go"), "testdata/othermodule/main.go", nil)
	copyFile(t, filepath.Join(dir, "go.sum"), filepath.Join(root, "go.sum"), nil)
	// The same requirements as ours, so that what our own build has fetched is enough.
	copyFile(t, filepath.Join(dir, "go.mod"), filepath.Join(root, "go.mod"), func(text []byte) []byte {
		text = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(text, []byte("module example.org/othermodule"))
		text = regexp.MustCompile(`(?m)^tool .*$|(?s)^tool \(.*?\n\)`).ReplaceAll(text, nil)
		return fmt.Appendf(text, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", gaplab.Module, gaplab.Module, root)
	})
	spec := filepath.Join(dir, "mine.yaml")
	text := atC + "solvers: [{name: eg, eta: 0.5}]\nstop: {passes: 20}\nfigure: {x: passes, y: primal}\n"
	if err := os.WriteFile(spec, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", ".", spec, filepath.Join(dir, "results"))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off", "GOPROXY=off", "GAPLAB_DATA=")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	want := regexp.MustCompile(
		`^2 lines\neg done passes=2\d*\.?\d* falls=true bounded=true\ndescent done passes=20 falls=true bounded=true\n$`)
	if !want.Match(out) {
		t.Errorf("it printed\n%s", out)
	}
}

// copyFile copies a file through edit.
func copyFile(t *testing.T, to, from string, edit func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if edit != nil {
		text = edit(text)
	}
	if err := os.WriteFile(to, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
