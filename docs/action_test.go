package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// action holds the fields of action.yml that this test reads.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Uses, Shell, Run string
			Env              map[string]string
		}
	}
}

// TestAction runs the steps of action.yml as GitHub does: with bash, and with the inputs in the environment. If there
// is no reference, the step must fail with an annotation. With a reference, it must pass and write a summary and JUnit
// XML. The test also checks that the workflow in GATE.md sets only existing inputs.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	root := inputs(t)
	var a action
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &a); err != nil || a.Runs.Using != "composite" {
		t.Fatalf("action.yml: error %v, runs.using is %q; want a composite action", err, a.Runs.Using)
	}
	workflow(t, a)

	dir, temp := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "specs", "tiny.yaml"), []byte(`apiVersion: gaplab/v1
id: ours/tiny
dataset: {name: digits, train: 60, validation: 20}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: 0.1}
solvers: [{name: lbfgs}]
stop: {passes: 5}
`))
	// steps runs the steps whose shell is bash, as GitHub's runner does. The output of the last step must contain want.
	steps := func(given map[string]string, exit int, want string) {
		t.Helper()
		for _, s := range a.Runs.Steps {
			if s.Run == "" {
				continue
			}
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp,
				"GITHUB_STEP_SUMMARY="+filepath.Join(temp, "summary.md"))
			for name, from := range s.Env {
				input := strings.TrimSuffix(strings.TrimPrefix(from, "${{ inputs."), " }}")
				in, known := a.Inputs[input]
				if !known {
					t.Fatalf("%s is %s: there is no such input", name, from)
				}
				value := in.Default
				if v, ok := given[input]; ok {
					value = v
				}
				cmd.Env = append(cmd.Env, name+"="+value)
			}
			out, err := cmd.CombinedOutput()
			last := strings.Contains(s.Run, " check ")
			if last && (cmd.ProcessState.ExitCode() != exit || !strings.Contains(string(out), want)) || !last && err != nil {
				t.Errorf("%v: %v; want exit code %d, and %q in\n%s", given, err, exit, want, out)
			}
		}
	}
	given := map[string]string{"experiments": "specs/tiny.yaml\n", "exact": "true", "junit": "gate.xml", "figure": "moved"}
	steps(given, 4, "::error file=specs/tiny.yaml,title=ours/tiny::no results")
	update := exec.Command(filepath.Join(temp, "gaplab"), "baseline", "update", "specs/tiny.yaml", "--allow-dirty")
	update.Dir = dir
	if out, err := update.CombinedOutput(); err != nil {
		t.Fatalf("gaplab baseline update: %v\n%s", err, out)
	}
	steps(given, 0, "")
	steps(map[string]string{"experiments": "specs/tiny.yaml", "against": "elsewhere"}, 2,
		"elsewhere is neither a folder nor a git revision")
	for _, name := range []string{filepath.Join(dir, "gate.xml"), filepath.Join(temp, "summary.md")} {
		if text, err := os.ReadFile(name); err != nil || len(text) == 0 {
			t.Errorf("%s: error %v, %d bytes; want a file with text", name, err, len(text))
		}
	}
}

// workflow checks that the example of GATE.md sets only inputs of the action.
func workflow(t *testing.T, a action) {
	t.Helper()
	used := 0
	for _, b := range blocks(t, "docs/GATE.md") {
		if filepath.Ext(b.name) != ".yml" {
			continue
		}
		var w struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]string
				}
			}
		}
		if err := yaml.Unmarshal([]byte(b.text), &w); err != nil {
			t.Fatal(err)
		}
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				if !strings.HasPrefix(s.Uses, "gaplab/gaplab@") {
					continue
				}
				used++
				for name := range s.With {
					if _, known := a.Inputs[name]; !known {
						t.Errorf("docs/GATE.md: the action has no input %s", name)
					}
				}
			}
		}
	}
	if used != 2 {
		t.Errorf("docs/GATE.md uses the action %d times; want 2", used)
	}
}
