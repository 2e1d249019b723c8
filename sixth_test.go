package gaplab_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAPaperIsItsFolder builds a program that has one paper more, in a folder of its own and nowhere else, and lists,
// runs and judges it.
func TestAPaperIsItsFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("it links a program")
	}
	dir, err := os.MkdirTemp("", "sixth")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	for name, text := range map[string]string{
		"README.md": "# A sixth paper\n\nA. Author and B. Author, *A Paper of a Test*, Journal 1, 2026.\n",
		"fig1.yaml": `apiVersion: gaplab/v1
id: sixth/fig1
title: The primal falls
paper: {key: sixth, figure: 1}
dataset: {name: digits, train: 50, validation: 0}
model: {name: multiclass, loss: log}
regularisation: {convention: lambda, lambda: 0.1}
solvers: [{name: lbfgs}]
stop: {passes: 20}
figure: {x: passes, y: primal}
claims:
  - {id: c1, says: it falls, assert: 'all(series, final(#, "primal") < 2.4)'}
scales:
  smoke: {stop: {passes: 5}}
`,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, "experiments", "sixth", name)] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "gaplab")
	if err := os.WriteFile(file, overlay, 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-overlay", file, "-o", program, "./cmd/gaplab")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	for _, c := range []struct{ args, want string }{
		{"list sixth", "sixth/fig1"},
		{"list", "sixth/fig1"},
		{"run sixth --scale smoke --out " + dir, "c1"},
		{"claims sixth/fig1 --scale smoke --out " + dir, "reproduced"},
		{"show sixth/fig1", "The primal falls"},
		{"run nopaper", "sixth"},
	} {
		cmd := exec.Command(program, strings.Fields(c.args)...)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if _, ran := err.(*exec.ExitError); err != nil && !ran || !strings.Contains(string(text), c.want) {
			t.Errorf("gaplab %s: %v; want %q in\n%s", c.args, err, c.want, text)
		}
	}
}
