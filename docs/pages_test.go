// Package docs_test checks that what the pages of the module print is so: commands, examples, and numbers.
package docs_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inputs goes to the module's root, and returns it. These tests run the go command, which sees all sources, while go
// test takes their results from its cache until a file changes that a test itself has looked at. So it looks at all
// files but those of single data sets, models and solvers, on which no page rests but by way of the others: whoever
// edits one solver does not wait for this package.
func inputs(t *testing.T) string {
	t.Helper()
	t.Chdir("..")
	for _, room := range []string{"catalogue", "cmd", "docs", "experiments", "harness", "inference", "internal", "plots",
		"results/paper", "models/modeltest", "solvers/solvertest"} {
		err := filepath.WalkDir(filepath.FromSlash(room), func(_ string, _ fs.DirEntry, err error) error { return err })
		if err != nil {
			t.Fatal(err)
		}
	}
	pages := []string{"README.md", "README.md.tmpl", "CONTRIBUTING.md", "go.mod", "go.sum"}
	core := expect(t, "", 0, "go", "list", "-f", `{{range .GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, ".", "./datasets",
		"./models", "./solvers")
	for _, name := range append(pages, strings.Fields(core)...) {
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// printed is a fenced block of a page whose first line is a comment with the name of its file.
type printed struct{ name, text string }

// blocks are those of a page, in its order.
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

// expect runs a program, whose output must have a text, and whose exit code is known.
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

// write writes a file, and the folders that lead to it.
func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
