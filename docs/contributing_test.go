package docs_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExamplesOfContributing adds each example of CONTRIBUTING.md exactly as printed, files and entries of the
// catalogue, to a copy of the module that only the compiler sees, and puts it through the suites. Then it builds the
// program, which has a paper more, in a folder of its own and nowhere else, and lists, runs and judges it.
func TestExamplesOfContributing(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	root := inputs(t)
	dir := t.TempDir()
	replace, names := map[string]string{}, map[string]string{}
	var packages, tests []string
	for _, b := range blocks(t, "CONTRIBUTING.md") {
		original := filepath.Join(root, filepath.FromSlash(b.name))
		text := []byte(b.text)
		if path.Dir(b.name) == "catalogue" {
			text, names[b.name] = withEntry(t, original, b.text)
		} else if _, err := os.Stat(original); err == nil {
			t.Errorf("%s: there is such a file already: the example replaces it", b.name)
		}
		if path.Ext(b.name) == ".go" {
			if formatted, err := format.Source(text); err != nil || !bytes.Equal(formatted, text) {
				t.Errorf("%s: not as gofmt has it (%v)", b.name, err)
			}
			packages = append(packages, "./"+path.Dir(b.name))
			if strings.HasSuffix(b.name, "_test.go") {
				tests = append(tests, "./"+path.Dir(b.name))
			}
		}
		copied := filepath.Join(dir, filepath.FromSlash(b.name))
		write(t, copied, text)
		replace[original] = copied
	}
	if len(names) != 3 || len(tests) != 1 || len(replace) != 9 {
		t.Fatalf("found %d entries, %d tests, %d files; want 3, 1 and 9: is CONTRIBUTING.md read as it was meant?",
			len(names), len(tests), len(replace))
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay, program := filepath.Join(dir, "overlay.json"), filepath.Join(t.TempDir(), "gaplab")
	write(t, overlay, text)
	build := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./cmd/gaplab")
	var said bytes.Buffer
	build.Stdout, build.Stderr = &said, &said
	if err := build.Start(); err != nil {
		t.Fatal(err)
	}

	slices.Sort(packages)
	// Vet compiles first: what does not compile is said once.
	expect(t, "", 0, "go", append([]string{"vet", "-overlay", overlay}, slices.Compact(packages)...)...)
	if t.Failed() {
		build.Wait()
		t.FailNow()
	}
	var parts []string
	for _, name := range names {
		parts = append(parts, name)
	}
	slices.Sort(parts)
	suites := "^(TestConformance|TestModels|TestDataSets)$/^(" + strings.Join(parts, "|") + ")$"
	out := expect(t, "PASS", 0, "go", "test", "-vet=off", "-v", "-overlay", overlay, "-run", suites, "./catalogue")
	for suite, list := range map[string]string{"TestConformance": "solvers", "TestModels": "models",
		"TestDataSets": "datasets"} {
		if part := names["catalogue/"+list+".go"]; !strings.Contains(out, "--- PASS: "+suite+"/"+part+" ") {
			t.Errorf("%s of %s has not passed:\n%s", suite, part, out)
		}
	}
	for _, b := range blocks(t, "CONTRIBUTING.md") {
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)`).FindAllStringSubmatch(b.text, -1) {
			expect(t, "--- PASS: "+m[1], 0, "go", "test", "-vet=off", "-v", "-overlay", overlay, "-run", "^"+m[1]+"$",
				"./"+path.Dir(b.name))
		}
	}

	if err := build.Wait(); err != nil {
		t.Fatalf("go build: %v\n%s", err, said.String())
	}
	results := t.TempDir()
	readme := filepath.Join(dir, "experiments", "circles", "README.md")
	for _, c := range []struct {
		args, want string
		exit       int
	}{
		{"list circles", "circles/fig1", 0},
		{"list", "circles/fig1", 0},
		{"show circles/fig1", "Gradient descent and L-BFGS", 0},
		{"run circles --scale smoke --out " + results, "c1  reproduced", 0},
		{"claims circles/fig1 --scale smoke --out " + results, "reproduced", 0},
		{"run circles --scale paper --out " + results, "c1  reproduced", 0},
		{"render " + readme + ".tmpl --out " + results, readme, 0},
		{"run nopaper", "circles", 2},
		{"schema", `"` + names["catalogue/solvers.go"] + `"`, 0},
	} {
		expect(t, c.want, c.exit, program, strings.Fields(c.args)...)
	}
}

// withEntry is a file of the catalogue with one entry more at the end of its list, and the name of what it adds.
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
