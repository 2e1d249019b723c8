package kernel

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

// answers returns, for each exercise sheet, the correct answers in order. An answer is a line, which replaces a line of
// the sheet that ends in "your answer".
func answers() map[string][]string {
	return map[string][]string{
		"eg": {"= let times = 2.9;",
			"    - {as: mine, name: eg, eta: 0.5, start: 10, order: permutation}",
			"  regularisation: {convention: eg, C: 10}"},
		"cutting-plane": {"= let times = 2.8;",
			"  dataset: {name: digits, train: {grid: [250, 500, 1000, 2000]}, validation: 200}", "= let power = 0.15;",
			"    - {name: n-slack, eps: 0.01}", `= let fewer = "one-slack";`},
		"egr":   {"= let power = 2.2;", "= let times = 3;", "  solvers: [{as: mine, name: dcd}]"},
		"bethe": {"= let calls = 3;", `= let nearer = "RDA";`},
		"rsd":   {"= let times = 1.6;", "  model: {eta: 0.03}"},
	}
}

var full = flag.Bool("full", false, "execute all exercise sheets: ten seconds")

// TestExercises checks that each exercise prints "not yet" in the unchanged sheet, and "right" with the correct
// answers. Without -full it executes only the two sheets whose experiments take less than a second.
func TestExercises(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs experiments")
	}
	files, err := filepath.Glob("../notebooks/exercises/*.ipynb")
	if err != nil || len(files) != len(answers()) {
		t.Fatalf("found %d exercise sheets, error %v; want %d", len(files), err, len(answers()))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ipynb")
		t.Run(name, func(t *testing.T) {
			if !*full && name != "eg" && name != "rsd" {
				t.Skip("run go test ./kernel -run TestExercises -args -full")
			}
			nb, err := ipynb.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			results := t.TempDir() // the second session reads the results of the first
			judge(t, nb, results, nil, "not yet: ")
			judge(t, nb, results, answers()[name], "right")
		})
	}
}

// judge executes an exercise sheet in a new session, and checks that the result of each exercise begins with want. If
// answers is not nil, they replace the lines that end in "your answer".
func judge(t *testing.T, nb *ipynb.Notebook, results string, answers []string, want string) {
	t.Helper()
	k := session(t)
	k.host.Options.Root = results
	k.host.Run = nil // not used, since %run ID becomes the spec "base: ID" below
	verdicts := 0
	for _, c := range nb.Cells {
		if c.Type != "code" {
			continue
		}
		code := string(c.Source)
		if strings.HasPrefix(code, "%run ") {
			code = "base: " + strings.TrimPrefix(code, "%run ")
		}
		for line := range strings.Lines(string(c.Source)) {
			if strings.Contains(line, " your answer") && answers != nil {
				if len(answers) == 0 {
					t.Fatalf("no answer for %q", line)
				}
				code = strings.Replace(code, strings.TrimSuffix(line, "\n"), answers[0], 1)
				answers = answers[1:]
			}
		}
		got, err := do(t, k, code)
		if err != nil {
			t.Fatalf("%s: %v", code, err)
		}
		if strings.Contains(code, `"right"`) {
			verdicts++
			if !strings.Contains(got, "text/plain "+want) {
				t.Errorf("cell %s\nprinted %s\nwant %s", code, got, want)
			}
		}
	}
	if verdicts < 2 || len(answers) > 0 {
		t.Errorf("%d verdicts (want at least 2), %d unused answers (want 0)", verdicts, len(answers))
	}
}
