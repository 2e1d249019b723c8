package docs_test

import (
	"fmt"
	"go/format"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestSpecsOfThePages checks that the specs which docs/OWN-DATA.md shows as files have no faults at any scale. A yaml
// block without the name of a file is a part of a spec: with it in place of the same keys, a small spec has no faults.
func TestSpecsOfThePages(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test plans all specs of the pages")
	}
	inputs(t)
	specs := 0
	for _, b := range blocks(t, "docs/OWN-DATA.md") {
		if path.Ext(b.name) != ".yaml" {
			continue
		}
		specs++
		var spec struct{ Scales map[string]any }
		if err := yaml.Unmarshal([]byte(b.text), &spec); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
		file := filepath.Join(t.TempDir(), path.Base(b.name))
		write(t, file, []byte(b.text))
		for _, scale := range append(slices.Collect(maps.Keys(spec.Scales)), "paper") {
			expect(t, "", 0, gaplab(t), "run", file, "--scale", scale, "--dry-run")
		}
	}
	if specs < 2 {
		t.Errorf("found %d specs in docs/OWN-DATA.md; want at least 2", specs)
	}
	text, err := os.ReadFile("docs/OWN-DATA.md")
	if err != nil {
		t.Fatal(err)
	}
	parts, named := 0, regexp.MustCompile(`^# [\w./-]+\n`)
	for _, part := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if named.MatchString(part[1]) {
			continue
		}
		parts++
		var spec, own map[string]any
		for text, to := range map[string]*map[string]any{small: &spec, part[1]: &own} {
			if err := yaml.Unmarshal([]byte(text), to); err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
		}
		maps.Copy(spec, own)
		text, err := yaml.Marshal(spec)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "part.yaml")
		write(t, file, text)
		expect(t, "", 0, gaplab(t), "run", file, "--dry-run", "--programs")
	}
	if parts < 5 {
		t.Errorf("found %d parts of specs in docs/OWN-DATA.md; want at least 5", parts)
	}
}

// small is a spec whose keys the parts of specs on the pages replace.
const small = `apiVersion: gaplab/v1
id: my/part
dataset: {name: sparse-text}
model: {name: binary, loss: hinge}
regularisation: {convention: lambda, lambda: 0.1}
solvers: [{name: auto}]
stop: {passes: 2}
`

// TestSolverOfTheReadme compiles and runs the program in README.md exactly as printed, in a separate module. The saved
// figure must have a curve of the program's solver and one of EG, and no dual of the solver may be above a primal.
func TestSolverOfTheReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	root := inputs(t)
	i := slices.IndexFunc(blocks(t, "README.md"), func(b printed) bool { return b.name == "main.go" })
	if i < 0 {
		t.Fatal("README.md shows no main.go")
	}
	source := blocks(t, "README.md")[i].text
	if formatted, err := format.Source([]byte(source)); err != nil || string(formatted) != source {
		t.Errorf("README.md: gofmt would change main.go (%v)", err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), []byte(source))
	// the module has the same requirements as ours, so that nothing has to be downloaded
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			line := regexp.MustCompile(`(?m)^module (.*)$`)
			module := string(line.FindSubmatch(text)[1])
			text = line.ReplaceAll(text, []byte("module example.org/another"))
			text = regexp.MustCompile(`(?m)^tool .*$|(?s)^tool \(.*?\n\)`).ReplaceAll(text, nil)
			text = fmt.Appendf(text, "\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root)
		}
		write(t, filepath.Join(dir, name), text)
	}
	t.Chdir(dir) // the program writes its results to the current folder
	for _, v := range []string{"GOFLAGS=-mod=mod " + os.Getenv("GOFLAGS"), "GOWORK=off", "GOPROXY=off", "GAPLAB_DATA="} {
		key, value, _ := strings.Cut(v, "=")
		t.Setenv(key, value)
	}
	expect(t, "", 0, "go", "run", ".")
	figure, err := os.ReadFile("mine.svg")
	if err != nil || !strings.Contains(string(figure), ">mine<") || !strings.Contains(string(figure), "C=10") {
		t.Errorf("%v; want the curves mine and C=10 in mine.svg:\n%.2000s", err, figure)
	}
	traces, err := filepath.Glob("results/runs/eg/fig06/smoke/*.jsonl")
	if err != nil || len(traces) != 2 {
		t.Fatalf("traces %q, %v; want one of EG and one of mine", traces, err)
	}
	for _, name := range traces {
		rows, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(rows), `"status":"done"`) ||
			strings.Contains(string(rows), "above primal") {
			t.Errorf("%s: %v; want a run that is done, and no dual above a primal:\n%.2000s", name, err, rows)
		}
	}
}
