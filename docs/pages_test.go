// Package docs_test checks the commands, examples and numbers on the pages of the module.
package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// built is the folder with the compiled gaplab, which the tests of several pages run.
var built string

func TestMain(m *testing.M) {
	os.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -ldflags=-w") // linking is faster without debug information
	var err error
	if built, err = os.MkdirTemp("", "gaplab-docs-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(built)
	os.Exit(code)
}

// build compiles gaplab, only once. It must be called in the module's root.
var build = sync.OnceValues(func() (string, error) {
	name := filepath.Join(built, "gaplab")
	out, err := exec.Command("go", "build", "-o", name, "./cmd/gaplab").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return name, err
})

// gaplab returns the path of the compiled gaplab.
func gaplab(t *testing.T) string {
	t.Helper()
	name, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// inputs changes to the module's root and returns its path. It also opens the files on which the pages depend. The
// reason is the cache of go test: it repeats a test only if a file has changed that the test process itself has opened,
// but the tests of this package read these files through the go command. inputs leaves out the files of single data
// sets, models and solvers, since no page depends on these directly. So a change of one solver does not run this
// package again.
func inputs(t *testing.T) string {
	t.Helper()
	t.Chdir("..")
	if err := look(); err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// look opens the files on which the pages depend (see inputs), only once.
var look = sync.OnceValue(func() error {
	for _, folder := range []string{"catalogue", "cmd", "docs", "experiments", "harness", "inference", "internal", "plots",
		"results/paper", "models/modeltest", "solvers/solvertest"} {
		err := filepath.WalkDir(filepath.FromSlash(folder), func(_ string, _ fs.DirEntry, err error) error { return err })
		if err != nil {
			return err
		}
	}
	core, err := exec.Command("go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, ".", "./datasets",
		"./models", "./solvers").Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	names := append(strings.Fields(string(core)), "README.md", "README.md.tmpl", "CONTRIBUTING.md", "go.mod", "go.sum")
	for _, name := range names {
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			return err
		}
	}
	return nil
})

// printed is a file that a page shows in a fenced block: the first line of the block is a comment with the file's name.
type printed struct{ name, text string }

// blocks returns the fenced blocks of a page that show files, in order.
func blocks(t *testing.T, page string) (out []printed) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	fence := regexp.MustCompile("(?ms)^```(?:go|yaml|md|py|cpp)\n(?://|#|<!--) ([\\w./-]+)(?: -->)?\n(.*?)^```$")
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		out = append(out, printed{m[1], m[2]})
	}
	return out
}

// expect runs a program and returns its output. It checks the exit code, and that the output contains want.
func expect(t *testing.T, want string, exit int, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exit || !strings.Contains(string(out), want) {
		t.Errorf("%s %s: %v; want exit code %d, and %q in\n%s", filepath.Base(program), strings.Join(args, " "), err, exit,
			want, out)
	}
	return string(out)
}

// write writes a file and creates its folder.
func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
