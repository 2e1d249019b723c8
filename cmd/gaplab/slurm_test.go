package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/cluster/slurm/slurmtest"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// fortySpec is an experiment with forty short runs.
const fortySpec = `apiVersion: gaplab/v1
id: my/forty
dataset: {name: digits, train: 200, validation: 50}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [100, 30, 10, 3]}
repeat: {seeds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 5}
figure: {x: passes, y: gap_percent}
claims:
  - {id: c1, says: All runs come near., assert: 'all(series, final(#, "gap") < 2)'}
`

// brokenSpec is an experiment with one run, whose solver is a program that fails.
const brokenSpec = `apiVersion: gaplab/v1
id: my/broken
dataset: {name: digits, train: 200, validation: 50}
model: {name: multiclass, loss: hinge}
regularisation: {convention: eg, C: 1}
solvers: [{name: external, command: [sh, -c, exit 7, '{data}', '{model}']}]
stop: {passes: 3}
`

// onSlurm runs a command in a folder, with access to a cluster, and returns its exit code and output.
func onSlurm(t *testing.T, c *slurmtest.Cluster, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	cmd := command(dir, args...)
	cmd.Env = append(cmd.Env, "SLURM_CONF="+filepath.Join(c.Dir, "slurm.conf"))
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	_ = cmd.Run() // the error is in the exit code
	if cmd.ProcessState == nil {
		t.Fatalf("gaplab %v has not started", args)
	}
	return cmd.ProcessState.ExitCode(), out.String(), said.String()
}

// sameRuns checks that the results in two folders are the same, apart from times.
func sameRuns(t *testing.T, got, want string) {
	t.Helper()
	a, b := timeless(t, got), timeless(t, want)
	if len(a) != len(b) {
		t.Errorf("%d results in %s, but %d in %s", len(a), got, len(b), want)
	}
	for name, text := range b {
		if a[name] != text {
			here, there := strings.Split(a[name], "\n"), strings.Split(text, "\n")
			for i := range min(len(here), len(there)) {
				if here[i] != there[i] {
					t.Errorf("%s differs in line %d: in %s\n%s\nin %s\n%s", name, i+1, got, here[i], want, there[i])
					break // a line can be long
				}
			}
			if len(here) != len(there) {
				t.Errorf("%s: %d lines in %s, but %d in %s", name, len(here)-1, got, len(there)-1, want)
			}
		}
	}
}

// timeless returns the results in a folder by file name. It removes the fields that depend on time, on the machine, on
// other runs at the same time, or on the experiment: several experiments can have the same run, and one of them makes
// it.
func timeless(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no results in %s: %v", dir, err)
	}
	out := map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			var of map[string]any
			if err := json.Unmarshal(line, &of); err != nil {
				t.Fatalf("%s: %s: %v", name, line, err)
			}
			delete(of, "digest") // the digest depends on times as well
			for _, part := range of {
				object, _ := part.(map[string]any)
				for _, key := range []string{"command", "start", "sitting", "load", "workers", "processors", "alone", "gc",
					"least", "peak_bytes", "resumed", "experiment", "order", "labels"} {
					// Keep the labels of the last line, which state whether the run won a comparison.
					if key != "labels" || object["plan"] != nil {
						delete(object, key)
					}
				}
				if file, ok := object["weights"].(string); ok { // the file's name depends on the experiment, so compare the content
					w, err := store.ReadWeights(filepath.Join(dir, file))
					if err != nil {
						t.Fatal(err)
					}
					object["weights"] = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, w.W)))
				}
				maps.DeleteFunc(object, func(key string, _ any) bool { return trace.Clock(key) })
			}
			kept, err := json.Marshal(of)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.Base(name)] += string(kept) + "\n"
		}
	}
	return out
}

// TestSlurm submits forty runs, and one that fails, to a Slurm cluster of two nodes. It checks that the forty results
// equal those of one process, that the failed run is reported and not repeated, and that the next campaign contains
// only the run without a result.
func TestSlurm(t *testing.T) {
	if testing.Short() {
		t.Skip("this test starts a Slurm")
	}
	c := slurmtest.Start(t)
	dir, alone := folderWith(t, "forty.yaml", fortySpec), folderWith(t, "forty.yaml", fortySpec)
	if err := os.WriteFile(filepath.Join(dir, "broken.yaml"), []byte(brokenSpec), 0o666); err != nil {
		t.Fatal(err)
	}
	want := func(text string, patterns ...string) {
		t.Helper()
		for _, p := range patterns {
			if !regexp.MustCompile("(?m)" + p).MatchString(text) {
				t.Errorf("no %q in\n%s", p, text)
			}
		}
	}
	code, stdout, stderr := onSlurm(t, c, dir, "run", "forty.yaml", "broken.yaml", "--programs", "--launcher", "slurm",
		"--wait", "--slurm-array", "4", "--slurm-arg", "--comment=forty")
	if code != term.ExitFailed {
		t.Fatalf("exit code %d, want %d\n%s%s%s", code, term.ExitFailed, stdout, stderr, c.Log())
	}
	want(stdout, `^tasks   41, for 41 runs$`, `^  c1  reproduced`, `^figure  results/figures/my/forty-own.svg$`)
	want(stderr, `\d+ done, (\d+ running, )?\d+ queued$`, `^\S+: 40 done, 1 failed$`,
		`^gaplab: my/broken: .*external.*failed`)
	if code, stdout, _ = onSlurm(t, c, dir, "status"); code != term.ExitFine {
		t.Errorf("status: exit code %d", code)
	}
	want(stdout, `^tasks   40 done, 1 failed$`, `^runs    40 of 41 have a result$`,
		`  failed  my/broken: external .* exit status 7`)
	if log, _ := filepath.Glob(filepath.Join(dir, "results/runs/.grids/*/log/*")); len(log) != 41 {
		t.Errorf("%d logs of tasks, want 41", len(log))
	}
	succeeds(t, alone, "run", "forty.yaml")
	sameRuns(t, filepath.Join(dir, "results/runs/my/forty/own"), filepath.Join(alone, "results/runs/my/forty/own"))
	_, stdout, _ = onSlurm(t, c, dir, "run", "forty.yaml", "broken.yaml", "--programs", "--launcher", "slurm")
	want(stdout, `^tasks   1, for 1 run; 40 had finished before`, `^job     \d+: 1 task from task 0$`,
		`^collect gaplab`)
	if code, stdout, stderr = onSlurm(t, c, dir, "cancel"); code != term.ExitFine {
		t.Errorf("cancel: exit code %d\n%s%s", code, stdout, stderr)
	}
	clusterPage(t, c)
}
