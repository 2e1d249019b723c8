package docs_test

import (
	"bytes"
	"errors"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	follow = flag.Bool("contributing", false, "follow CONTRIBUTING.md in a copy of the module: a minute")
	full   = flag.Bool("full", false, "with -contributing: then run every test of the module")
)

// TestExamplesOfContributing follows CONTRIBUTING.md as a newcomer would, in a copy of the module. It adds each file
// and each entry of the catalogue exactly as printed, runs the commands in their order, and then runs every test that
// a new solver, model, data set, experiment or paper could break. With -full these are all tests of the module.
func TestExamplesOfContributing(t *testing.T) {
	if !*follow {
		t.Skip("it compiles a copy of the module: run go test ./docs -run TestExamplesOfContributing -args -contributing")
	}
	for _, name := range []string{"git", "sh"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	root := inputs(t)
	dir := copied(t, root)
	t.Setenv("GOFLAGS", "-trimpath -ldflags=-w") // with the same flags, every copy uses the same build cache
	t.Chdir(dir)
	git := func(args ...string) {
		expect(t, "", 0, "git", append([]string{"-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "gc.auto=0"},
			args...)...)
	}
	git("init", "-q")
	git("fetch", "-q", "--update-shallow", root, "HEAD") // with the history, which the results refer to
	git("reset", "-q", "--soft", "FETCH_HEAD")
	git("add", "-A")
	git("commit", "-qm", "before", "--allow-empty")
	t.Setenv("GIT_AUTHOR_NAME", "n")
	t.Setenv("GIT_AUTHOR_EMAIL", "n@example.org")
	t.Setenv("GIT_COMMITTER_NAME", "n")
	t.Setenv("GIT_COMMITTER_EMAIL", "n@example.org")

	files, entries := 0, map[string]string{}
	for _, b := range blocks(t, "CONTRIBUTING.md") {
		text := []byte(b.text)
		if path.Dir(b.name) == "catalogue" {
			text, entries[b.name] = withEntry(t, b.name, b.text)
		} else if _, err := os.Stat(b.name); err == nil {
			t.Errorf("%s exists: the example would replace it", b.name)
		}
		if path.Ext(b.name) == ".go" {
			if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
				t.Errorf("%s: gofmt would change it (%v)", b.name, err)
			}
		}
		write(t, b.name, text)
		files++
	}
	if len(entries) != 3 || files != 9 {
		t.Fatalf("CONTRIBUTING.md has %d entries and %d files; want 3 and 9", len(entries), files)
	}
	expect(t, "", 0, "go", "build", "./catalogue")
	if t.Failed() {
		t.FailNow() // do not report twice what does not compile
	}
	commands := shell(t, "CONTRIBUTING.md")
	if len(commands) != 4 {
		t.Fatalf("CONTRIBUTING.md prints %d blocks of commands; want 4: %q", len(commands), commands)
	}
	for _, c := range commands {
		expect(t, "", 0, "sh", "-e", "-c", c)
	}
	if t.Failed() {
		t.FailNow()
	}

	if *full {
		expect(t, "", 0, "go", "test", "./...")
		return
	}
	for list, suite := range map[string]string{"solvers": "TestConformance", "models": "TestModels",
		"datasets": "TestDataSets"} {
		part := entries["catalogue/"+list+".go"]
		expect(t, "--- PASS: "+suite+"/"+part+" ", 0, "go", "test", "-v", "-run", "^"+suite+"$/^"+part+"$", "./catalogue")
	}
	for _, args := range [][]string{
		{"-run", "^TestSteepest", "./solvers/gradient"},
		{"-skip", "^(TestConformance|TestModels|TestDataSets)$", "./catalogue"},
		{"./experiments", ".", "./cmd/gaplab/internal/reference"},
		{"-run", "^TestPredictAgreesWithTheRun$", "./harness"},
		{"-run", "^(TestMistakes|TestScripts)$", "./cmd/gaplab"},
		{"-run", "^TestCommittedFigures$/circles", "./plots"},
	} {
		expect(t, "ok", 0, "go", append([]string{"test", "-vet=off"}, args...)...)
	}
	for _, page := range []string{"README.md.tmpl", "experiments/circles/README.md.tmpl"} {
		expect(t, "", 0, "go", "run", "./cmd/gaplab", "render", "--check", page)
	}
}

// copied returns a folder with a copy of the module, without the files that git ignores.
func copied(t *testing.T, root string) string {
	t.Helper()
	dir := t.TempDir()
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	names, err := list.Output()
	if err != nil {
		t.Skipf("git ls-files: %v: this is no checkout", err)
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the file was removed, and this is not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// shell returns the fenced blocks with shell commands of a page, in the order of the page.
func shell(t *testing.T, page string) (out []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```sh\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	return out
}

// withEntry returns the text of a file of the catalogue with one more entry at the end of its list. name is the name of
// the data set, model or solver in that entry.
func withEntry(t *testing.T, file, entry string) (text []byte, name string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	end := -1
	ast.Inspect(parsed, func(n ast.Node) bool {
		if list, ok := n.(*ast.CompositeLit); ok && end < 0 {
			if array, ok := list.Type.(*ast.ArrayType); ok {
				if of, ok := array.Elt.(*ast.SelectorExpr); ok && of.Sel.Name == "Entry" {
					end = bytes.LastIndexByte(text[:set.Position(list.Rbrace).Offset], '\n') + 1
				}
			}
		}
		return true
	})
	if end < 0 {
		t.Fatalf("%s has no list of entries", file)
	}
	if m := regexp.MustCompile(`Name: +"([^"]+)"|\.(\w+)Entry\(\)`).FindStringSubmatch(entry); m != nil {
		name = m[1] + strings.ToLower(m[2])
	}
	if name == "" {
		t.Fatalf("%s: the entry has no name:\n%s", file, entry)
	}
	return slices.Concat(text[:end], []byte(entry), text[end:]), name
}
