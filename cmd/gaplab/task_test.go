package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

// stateSpec is an experiment with one run that takes some seconds, by a solver that saves checkpoints.
const stateSpec = `apiVersion: gaplab/v1
id: my/state
dataset: {name: digits, train: 1000, validation: 50}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: 1}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 1000}
record: {every: {passes: 10}}
`

// plannedCampaign plans a campaign of a spec in a temporary folder, and returns the folder and the campaign's folder.
func plannedCampaign(t *testing.T, spec string, args ...string) (dir, campaign string) {
	t.Helper()
	dir = folderWith(t, "spec.yaml", spec)
	succeeds(t, dir, append([]string{"run", "spec.yaml", "--launcher", "none", "--save-every", "10ms"}, args...)...)
	found, _ := filepath.Glob(filepath.Join(dir, "results/runs/.grids/*"))
	if len(found) != 1 {
		t.Fatalf("campaigns %q; want one", found)
	}
	return dir, found[0]
}

// signalled starts a task, sends it a signal after it has saved a new checkpoint, and returns its exit code and
// messages.
func signalled(t *testing.T, cmd *exec.Cmd, signal os.Signal) (code int, stderr string) {
	t.Helper()
	states := filepath.Join(cmd.Dir, "results/runs/my/state/own/*.state")
	before, _ := filepath.Glob(states)
	var last time.Time
	if len(before) > 0 {
		if info, err := os.Stat(before[0]); err == nil {
			last = info.ModTime()
		}
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	for range 6000 {
		if files, _ := filepath.Glob(states); len(files) > 0 {
			if info, err := os.Stat(files[0]); err == nil && info.ModTime().After(last) {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code shows the outcome
	return cmd.ProcessState.ExitCode(), said.String()
}

// TestTaskSignals checks three cases. A terminated task must save a checkpoint of its run, and resume from it the next
// time. A job whose time limit is reached must be queued again, but at most --requeues times. The rows must be the same
// as those of a run without interruption.
func TestTaskSignals(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test starts ten processes and stops them")
	}
	dir, campaign := plannedCampaign(t, stateSpec)
	asked := filepath.Join(t.TempDir(), "asked")
	// A substitute for the program scontrol of Slurm: it fails at the first call and succeeds at all others.
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >> %s\n[ $(wc -l < %[1]s) -gt 1 ]\n", asked)
	tools := folderWith(t, "scontrol", script)
	job := func(restarts int, args ...string) *exec.Cmd {
		cmd := command(dir, append([]string{"task", campaign, "0", "--requeues", "2"}, args...)...)
		cmd.Env = append(cmd.Env, "PATH="+tools+":"+os.Getenv("PATH"), "SLURM_ARRAY_JOB_ID=5", "SLURM_ARRAY_TASK_ID=17",
			fmt.Sprint("SLURM_RESTART_COUNT=", restarts))
		return cmd
	}
	for i, c := range []struct {
		cmd    *exec.Cmd
		signal os.Signal
		code   int
		says   string
	}{
		{command(dir, "task", campaign, "0"), syscall.SIGTERM, term.ExitTerminated, "task 0: terminated"},
		{command(dir, "task", campaign, "0"), syscall.SIGINT, term.ExitInterrupted, "task 0: interrupted"},
		{command(dir, "task", campaign, "0"), syscall.SIGUSR1, term.ExitTerminated, "task 0: its time is over"},
		{job(0), syscall.SIGTERM, term.ExitTerminated, "task 0: terminated"},
		{job(1), syscall.SIGUSR1, term.ExitTerminated, "task 0: its time is over; queued again"},
		{job(2), syscall.SIGUSR1, term.ExitFailed, "task 0: its time ran out 3 times"},
	} {
		code, stderr := signalled(t, c.cmd, c.signal)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, want %d and %q:\n%s", c.signal, code, c.code, c.says, stderr)
		}
		if i > 0 && !strings.Contains(stderr, "resumed from ") {
			t.Errorf("%v: the task started from the beginning:\n%s", c.signal, stderr)
		}
	}
	if text, err := os.ReadFile(asked); err != nil || string(text) != "requeue 5_17\nrequeue 5_17\n" {
		t.Errorf("arguments of scontrol = %q, error %v; want two requeues of the job", text, err)
	}
	var said bytes.Buffer
	out := job(3)
	out.Stderr = &said
	if _ = out.Run(); out.ProcessState.ExitCode() != term.ExitFailed ||
		!strings.Contains(said.String(), "queued again 2 times") {
		t.Errorf("after too many requeues: exit code %d\n%s", out.ProcessState.ExitCode(), &said)
	}
	if status := succeeds(t, dir, "status"); !strings.Contains(status, "queued again 2 times without ending") {
		t.Errorf("gaplab status does not show why the task failed:\n%s", status)
	}
	succeeds(t, dir, "task", campaign, "0") // a user may start the task, even if its job was queued again too often
	alone := folderWith(t, "spec.yaml", stateSpec)
	succeeds(t, alone, "run", "spec.yaml")
	sameRuns(t, filepath.Join(dir, "results/runs/my/state/own"), filepath.Join(alone, "results/runs/my/state/own"))
	if left, _ := filepath.Glob(filepath.Join(dir, "results/runs/my/state/own/*.part.jsonl")); len(left) > 0 {
		t.Errorf("temporary files that are left: %q", left)
	}
}
