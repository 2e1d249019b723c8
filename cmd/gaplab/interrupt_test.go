package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

const longSpec = `apiVersion: gaplab/v1
id: my/long
dataset: {name: digits, train: 2000, validation: 100}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [100, 1]}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 1e6}
figure: {x: passes, y: gap_percent}
`

// TestInterrupt interrupts, by the signal of Ctrl-C, a run that would take hours. It checks that the program ends soon
// with exit code 130, that the rows of the run can be read, and that the same command starts the run again.
func TestInterrupt(t *testing.T) {
	dir := folderWith(t, "long.yaml", longSpec)
	for range 2 {
		code, stdout, stderr := interrupted(t, dir, 1, "run", "long.yaml", "-j", "1")
		if code != term.ExitInterrupted {
			t.Errorf("exit code %d; want %d\n%s", code, term.ExitInterrupted, stderr)
		}
		if !strings.Contains(stderr, "gaplab: stopping at the next row") ||
			!strings.Contains(stderr, "gaplab: my/long: interrupted: 0 of 2 runs have ended; the same command makes") {
			t.Errorf("standard error does not report the interrupt, and how to continue:\n%s", stderr)
		}
		if !strings.Contains(stdout, "  interrupted  ") || strings.Contains(stdout, "figure") {
			t.Errorf("standard output has no interrupted run, or has a figure:\n%s", stdout)
		}
	}
	cmd := command(dir, "export", "long.yaml", "--partial")
	rows, err := cmd.Output()
	if err != nil || bytes.Count(rows, []byte("\n")) < 3 || !bytes.Contains(rows, []byte(",interrupted,")) {
		t.Errorf("export of the partial result: %v\n%s", err, rows)
	}
}

// TestInterruptTwice checks that a second signal ends the program at once.
func TestInterruptTwice(t *testing.T) {
	dir := folderWith(t, "long.yaml", longSpec)
	if code, _, stderr := interrupted(t, dir, 2, "run", "long.yaml", "-j", "2"); code != term.ExitInterrupted {
		t.Errorf("exit code %d; want %d\n%s", code, term.ExitInterrupted, stderr)
	}
}

// command returns a command line of gaplab in a folder.
func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("gaplab", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PWD="+dir, "GAPLAB_DATA=", "XDG_CACHE_HOME="+filepath.Join(dir, ".cache"))
	return cmd
}

// succeeds runs a command line of gaplab and returns its output. It fails the test if the exit code is not 0.
func succeeds(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := command(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("gaplab %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// folderWith returns a temporary folder with a file.
func folderWith(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// interrupted runs a command and sends it the given number of interrupts (signals) once its first rows are on disk.
func interrupted(t *testing.T, dir string, signals int, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this system has no interrupt for other processes")
	}
	traces := filepath.Join(dir, "results", "runs", "my", "long", "own")
	if err := os.RemoveAll(traces); err != nil {
		t.Fatal(err)
	}
	var out, err bytes.Buffer
	cmd := command(dir, args...)
	cmd.Stdout, cmd.Stderr = &out, &err
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	for range 6000 {
		if files, _ := filepath.Glob(filepath.Join(traces, "*.jsonl")); len(files) > 0 {
			if text, err := os.ReadFile(files[0]); err == nil && bytes.Count(text, []byte("\n")) > 3 {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	for range signals {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), err.String()
}

// TestStopping checks that only commands with runs speak of rows after an interrupt.
func TestStopping(t *testing.T) {
	for command, want := range map[string]string{"run eg/fig06": "stopping at the next row", "data fetch": "stopping",
		"serve a.yaml": "stopping after the requests in progress", "": "stopping"} {
		if got := stopping(strings.Fields(command)); got != want {
			t.Errorf("stopping(%q) = %q, want %q", command, got, want)
		}
	}
}
