package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// executed names the test that executes the fenced blocks of a language on a page.
type executed struct {
	page, language string
	blocks         int // number of blocks; 0: any, since the test reads the page and executes all
	folder, test   string
}

// executions lists the tests that execute the blocks of the site's pages. The language "text" is here for blocks of
// text that begin with a command. Part faults of .ci/nightly runs the test of CONTRIBUTING.md, and part clusters that
// of Slurm.
func executions() []executed {
	const contributing = "TestExamplesOfContributing"
	return []executed{
		{"README.md", "sh", 0, "cmd/gaplab", "TestReadme"},
		{"README.md", "go", 1, "docs", "TestSolverOfTheReadme"},
		{"docs/REPRODUCE.md", "sh", 0, "cmd/gaplab", "TestReadme"},
		{"docs/OWN-DATA.md", "sh", 0, "cmd/gaplab", "TestReadme"},
		{"docs/OWN-DATA.md", "text", 0, "cmd/gaplab", "TestReadme"},
		{"docs/OWN-DATA.md", "yaml", 0, "docs", "TestSpecsOfThePages"},
		{"docs/GATE.md", "sh", 0, "cmd/gaplab", "TestReadme"},
		{"docs/GATE.md", "go", 1, "docs", "TestGateExample"},
		{"docs/GATE.md", "yaml", 1, "docs", "TestAction"},
		{"docs/EXTERNAL.md", "py", 1, "docs", "TestExternalPrograms"},
		{"docs/EXTERNAL.md", "cpp", 1, "docs", "TestExternalPrograms"},
		{"docs/EXTERNAL.md", "yaml", 1, "docs", "TestExternalPrograms"},
		{"docs/MISTAKES.md", "yaml", 1, "cmd/gaplab", "TestMistakes"},
		{"docs/CLUSTER.md", "sh", 3, "cmd/gaplab", "TestClusterPageKubernetes"},
		{"CONTRIBUTING.md", "sh", 4, "docs", contributing},
		{"CONTRIBUTING.md", "go", 7, "docs", contributing},
		{"CONTRIBUTING.md", "yaml", 1, "docs", contributing},
		{"CONTRIBUTING.md", "md", 1, "docs", contributing},
	}
}

// TestBlocksAreExecuted checks that a test executes each fenced block on the pages of the site.
func TestBlocksAreExecuted(t *testing.T) {
	t.Parallel()
	type key struct{ page, language string }
	found := map[key]int{}
	fence := regexp.MustCompile("(?ms)^[ \t]*(?:```|~~~)([^\n]*)\n(.*?)^[ \t]*(?:```|~~~)$")
	command := regexp.MustCompile(`^(\$|gaplab|go|curl|git|sh|bash) `)
	for _, p := range contents() {
		if p.Source == "" {
			continue
		}
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(p.Source)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			language := strings.TrimSpace(m[1])
			if language == "" {
				language = "text"
			}
			if language != "text" || command.MatchString(m[2]) {
				found[key{p.Source, language}]++
			}
		}
	}
	listed := map[key]bool{}
	for _, e := range executions() {
		k := key{e.page, e.language}
		listed[k] = true
		if n := found[k]; n == 0 || e.blocks > 0 && n != e.blocks {
			t.Errorf("%s has %d blocks of %s, want %d: let %s in %s execute each, and correct the list executions", e.page, n,
				e.language, max(e.blocks, 1), e.test, e.folder)
		}
		if !declares(t, e.folder, e.test, e.page) {
			t.Errorf("%s: no test %s in %s that names the page", e.page, e.test, e.folder)
		}
	}
	for k, n := range found {
		if !listed[k] {
			t.Errorf("%s has %d blocks of %s that no test executes: write a test, and add it to the list executions", k.page,
				n, k.language)
		}
	}
}

// declares reports whether a file with tests in a folder declares the test and names the page.
func declares(t *testing.T, folder, test, page string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+test+"(t *testing.T) {") &&
			strings.Contains(string(text), filepath.Base(page)) {
			return true
		}
	}
	return false
}
