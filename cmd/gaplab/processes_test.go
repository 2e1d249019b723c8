package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/trace"
)

const sharedSpec = `apiVersion: gaplab/v1
id: my/shared
dataset: {name: digits, train: 300, validation: 50}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [100, 50, 20, 10, 5, 1]}
seeds: [1, 2]
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 60}
record: {every: {passes: 1}}
figure: {x: passes, y: gap_percent}
`

// chooserSpec is an experiment with a rule (choose) that compares runs and continues only the best. Otherwise it is
// like sharedSpec above.
const chooserSpec = `apiVersion: gaplab/v1
id: my/shared
dataset: {name: digits, train: 300, validation: 50}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [100, 1]}
solvers:
  - {as: a, name: eg, eta: {grid: [0.5, 0.25, 0.1]}}
  - {as: b, name: lbfgs}
choose: [{solver: a, over: eta, by: primal, at: {passes: 5}}]
stop: {passes: 40}
record: {every: {passes: 1}}
`

// TestProcesses checks that several processes on one folder share the runs of an experiment: each run is made once, by
// one of the processes, and all processes return the same results.
func TestProcesses(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test starts many processes")
	}
	for _, c := range []struct {
		name, spec      string
		processes, runs int
	}{
		{"many", sharedSpec, 8, 12},
		{"choice", chooserSpec, 4, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folderWith(t, "shared.yaml", c.spec)
			stdout, stderr := make([]bytes.Buffer, c.processes), make([]bytes.Buffer, c.processes)
			var wg sync.WaitGroup
			for i := range c.processes {
				wg.Go(func() {
					cmd := command(dir, "run", "shared.yaml", "-j", "1")
					cmd.Stdout, cmd.Stderr = &stdout[i], &stderr[i]
					if err := cmd.Run(); err != nil {
						t.Errorf("process %d: %v\n%s", i, err, &stderr[i])
					}
				})
			}
			wg.Wait()
			reused := 0
			for i := range stderr {
				if m := regexp.MustCompile(`(\d+) runs? had finished before`).FindStringSubmatch(stderr[i].String()); m != nil {
					n, err := strconv.Atoi(m[1])
					if err != nil {
						t.Fatal(err)
					}
					reused += n
				}
				if n := strings.Count(stderr[i].String(), "waiting for another process"); n > 1 {
					t.Errorf("process %d prints %d times that it waits", i, n)
				}
			}
			if made := c.processes*c.runs - reused; made != c.runs && c.name != "choice" {
				t.Errorf("runs made by all processes together = %d, want %d", made, c.runs)
			}
			folder := filepath.Join(dir, "results/runs/my/shared/own")
			files, err := trace.ReadDir(folder)
			if err != nil || len(files) != c.runs {
				t.Fatalf("%d traces, %v; want %d", len(files), err, c.runs)
			}
			for _, f := range files {
				if f.End == nil || f.End.Status != trace.Done || strings.Contains(f.Path, "part") {
					t.Errorf("%s ended as %s", f.Path, f.Status())
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "results/runs/.locks/*")); len(left) > 0 {
				t.Errorf("locks are left: %q", left)
			}
			alone := folderWith(t, "shared.yaml", c.spec)
			succeeds(t, alone, "run", "shared.yaml")
			same, err := trace.ReadDir(filepath.Join(alone, "results/runs/my/shared/own"))
			if err != nil {
				t.Fatal(err)
			}
			for i := range files {
				if d := trace.Diff(files[i], same[i]); d != "" {
					t.Errorf("%s: results of several processes and of one process differ: %s", files[i].Describe(), d)
				}
				if a, b := files[i].End.Labels["chosen"], same[i].End.Labels["chosen"]; a != b {
					t.Errorf("%s: chosen = %v with several processes, %v with one", files[i].Describe(), a, b)
				}
			}
		})
	}
}

// TestKillDuringForce checks that a process that is killed or interrupted while it repeats a finished run leaves the
// finished result unchanged.
func TestKillDuringForce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test stops long runs")
	}
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such signals")
	}
	spec := strings.Replace(strings.Replace(sharedSpec, "[100, 50, 20, 10, 5, 1]", "[1]", 1), "[1, 2]", "[1]", 1)
	spec = strings.Replace(strings.Replace(spec, "passes: 60", "passes: 400", 1), "train: 300", "train: 1000", 1)
	dir := folderWith(t, "shared.yaml", spec)
	succeeds(t, dir, "run", "shared.yaml")
	folder := filepath.Join(dir, "results/runs/my/shared/own")
	before := succeeds(t, dir, "export", "shared.yaml")
	for _, signal := range []os.Signal{os.Interrupt, os.Kill} {
		cmd := command(dir, "run", "shared.yaml", "--force")
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for begun := false; !begun; time.Sleep(5 * time.Millisecond) {
			drafts, _ := filepath.Glob(filepath.Join(folder, "*.part.jsonl"))
			for _, d := range drafts {
				text, err := os.ReadFile(d)
				begun = begun || err == nil && bytes.Count(text, []byte("\n")) > 3
			}
			if cmd.ProcessState != nil {
				t.Fatal("the process ended before the signal")
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the process ended before the signal")
		}
		if code := cmd.ProcessState.ExitCode(); signal == os.Interrupt && (code != term.ExitInterrupted ||
			!strings.Contains(said.String(), "my/shared: interrupted")) {
			t.Errorf("exit code %d:\n%s", code, &said)
		}
		if succeeds(t, dir, "export", "shared.yaml") != before {
			t.Error("the finished result has changed")
		}
		drafts, _ := filepath.Glob(filepath.Join(folder, "*.part.jsonl"))
		for _, d := range drafts {
			if err := os.Remove(d); err != nil {
				t.Fatal(err)
			}
		}
	}
	if out := succeeds(t, dir, "run", "shared.yaml"); !strings.Contains(out, "1 run had finished before") {
		t.Errorf("the finished run is repeated:\n%s", out)
	}
	succeeds(t, dir, "run", "shared.yaml", "--force")
	if left, _ := filepath.Glob(filepath.Join(folder, "*.part.jsonl")); len(left) > 0 {
		t.Errorf("drafts are left: %q", left)
	}
}
