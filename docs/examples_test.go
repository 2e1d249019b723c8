package docs_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGateExample runs the tests of the module examples/gate. They must pass unchanged. If the solver is made slower,
// they must fail, and the message must have the curve, the point on it, the ratio of the work and a figure. They must
// also fail without a reference.
func TestGateExample(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a test")
	}
	example := filepath.Join(inputs(t), "examples", "gate")
	for _, name := range []string{"go.mod", "go.sum", "nesterov.go", "nesterov_test.go", "digits.yaml",
		"testdata/smoke/ours/digits.jsonl"} {
		if _, err := os.Stat(filepath.Join(example, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(filepath.Join("docs", "GATE.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?ms)^```go\n(.*?)^```$").FindAllStringSubmatch(string(page), -1)
	tested, err := os.ReadFile(filepath.Join(example, "nesterov_test.go"))
	if err != nil || len(shown) != 1 || !strings.Contains(string(tested), shown[0][1]) {
		t.Errorf("%v: docs/GATE.md shows %q, want one block of Go, as in examples/gate/nesterov_test.go", err, shown)
	}
	for _, v := range []string{"GOWORK=off", "GOPROXY=off", "GAPLAB_UPDATE="} {
		key, value, _ := strings.Cut(v, "=")
		t.Setenv(key, value)
	}
	t.Chdir(example)
	expect(t, "", 0, "go", "vet", "./...")
	dir := t.TempDir()
	compiled := filepath.Join(dir, "as-it-is")
	expect(t, "", 0, "go", "test", "-vet=off", "-c", "-o", compiled, ".")
	out := expect(t, "--- PASS: TestConvergence/nesterov_lambda=0.01_seed=1", 0, compiled, "-test.v")
	if strings.Contains(out, "moved") {
		t.Errorf("a curve moved in the unchanged example:\n%s", out)
	}

	text, err := os.ReadFile("nesterov.go")
	if err != nil {
		t.Fatal(err)
	}
	slower := strings.Replace(string(text), "beta := (1 - root) / (1 + root)", "beta := 0.9 * (1 - root) / (1 + root)", 1)
	if slower == string(text) {
		t.Fatal("nesterov.go has no line beta := …")
	}
	write(t, filepath.Join(dir, "nesterov.go"), []byte(slower))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(example, "nesterov.go"): filepath.Join(dir, "nesterov.go")}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), overlay)
	out = expect(t, "nesterov lambda=0.1 seed=1 differs from its reference: at epoch 2 (2 passes): primal ", 1,
		"go", "test", "-vet=off",
		"-overlay", filepath.Join(dir, "overlay.json"), "./...")
	for _, want := range []string{", was ", "tolerance", "in the end gap ", "a factor of 1.6", "moved.svg"} {
		if !strings.Contains(out, want) {
			t.Errorf("failure without %q:\n%s", want, out)
		}
	}

	// Without a reference, the message names the command that writes one.
	without := t.TempDir()
	spec, err := os.ReadFile("digits.yaml")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(without, "digits.yaml"), spec)
	t.Chdir(without)
	expect(t, "GAPLAB_UPDATE=1 go test -run '^TestConvergence$'", 1, compiled)
	t.Setenv("GAPLAB_UPDATE", "1")
	expect(t, "wrote testdata/smoke/ours/digits.jsonl", 0, compiled, "-test.v")
	t.Setenv("GAPLAB_UPDATE", "")
	expect(t, "PASS", 0, compiled)
}

// TestExternalPrograms compiles and runs the programs of EXTERNAL.md, with the spec that it shows.
func TestExternalPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	inputs(t)
	dir, claimed := t.TempDir(), 0
	for _, b := range blocks(t, "docs/EXTERNAL.md") {
		write(t, filepath.Join(dir, b.name), []byte(b.text))
		claimed++
	}
	if claimed != 3 {
		t.Fatalf("%d files on the page, want 3: a program in Python, a program in C++, and a spec", claimed)
	}
	program := gaplab(t)
	t.Chdir(dir)
	for _, name := range []string{"python3", "c++"} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(name); err != nil {
				t.Skipf("%s is not installed", name)
			}
			if name == "c++" {
				expect(t, "", 0, "c++", "-std=c++17", "-O2", "-o", "dcd", "dcd.cpp")
			}
			expect(t, "runs a program of this machine", 2, program, "run", "others.yaml")
			out := expect(t, "c1  reproduced", 0, program, "run", "others.yaml", "--programs", "--out", t.TempDir())
			variant := regexp.QuoteMeta(strings.TrimSuffix(name, "3"))
			if !regexp.MustCompile("(?m)^ +" + variant + " +(done +)?[0-9]").MatchString(out) {
				t.Errorf("the run has not ended:\n%s", out)
			}
		})
	}
}
