package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// check is a test of the program that may catch a bug.
type check struct {
	name  string
	about string
	// run runs the check in the folder of a copy of the program, with or without the bug.
	run func(ctx context.Context, dir string, b bug) (outcome, error)
	// compares states how the check catches a bug: true if its output with the bug differs from its output without it,
	// false if the check fails.
	compares bool
}

// outcome is what a check found.
type outcome struct {
	failed bool
	by     string // the first test that failed, or the first curve that differs
	text   string // the output, for checks that compare
}

// cheap is the number of checks that .ci/run runs: the first two in the list of the function checks, compile and unit.
const cheap = 2

// checks returns all checks, the cheapest first.
func checks() []check {
	return []check{
		{name: "compile", about: "`go vet` of the package", run: vet},
		{name: "unit", about: "`go test` of the package", run: unit},
		{name: "suites", about: "`go test` of the top folder: for solvers and models all conformance suites", run: suites},
		{name: "full", about: "`go test ./...`", run: full},
		{name: "gate", about: "`gaplab check --exact` of the experiments that execute the changed code", run: gate},
		{name: "claims", about: "`gaplab claims` of the kept results prints something different", run: claims,
			compares: true},
	}
}

// names returns the names of checks.
func names(list []check) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.name)
	}
	return out
}

// vet compiles the package with the bug.
func vet(ctx context.Context, dir string, b bug) (outcome, error) {
	out, err := command(ctx, dir, "go", "vet", b.pkg())
	return outcome{failed: err != nil, by: firstLine(out, "#")}, fault(ctx, err)
}

// unit runs the tests of the package with the bug, first only with -short, then all.
func unit(ctx context.Context, dir string, b bug) (outcome, error) {
	if short, err := test(ctx, dir, "-short", "-timeout=5m", b.pkg()); short.failed || err != nil {
		return short, err
	}
	return test(ctx, dir, "-timeout=10m", b.pkg())
}

// suites runs the tests of the top-level folder that contains the bug. It also runs the tests of other folders whose
// conformance suites use the solvers, models or data sets of this folder.
func suites(ctx context.Context, dir string, b bug) (outcome, error) {
	top, _, _ := strings.Cut(b.File, "/")
	folders := []string{"./" + top + "/..."}
	switch top {
	case "models", "solvers", "inference":
		folders = []string{"./models/...", "./solvers/...", "./inference/...", "./catalogue/..."}
	case "datasets":
		folders = append(folders, "./catalogue/...")
	}
	return test(ctx, dir, append([]string{"-timeout=10m"}, folders...)...)
}

// full runs all tests of the main module.
func full(ctx context.Context, dir string, _ bug) (outcome, error) {
	return test(ctx, dir, "-timeout=15m", "./...")
}

// test runs go test.
func test(ctx context.Context, dir string, args ...string) (outcome, error) {
	out, err := command(ctx, dir, "go", append([]string{"test", "-failfast"}, args...)...)
	return outcome{failed: err != nil, by: failure(out)}, fault(ctx, err)
}

// gate compares smoke runs of the experiments in b.Gate with their references.
func gate(ctx context.Context, dir string, b bug) (outcome, error) {
	gaplab, err := built(ctx, dir)
	if err != nil {
		return outcome{}, err
	}
	defer os.Remove(gaplab)
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	out, err := command(ctx, dir, gaplab, append([]string{"check", "--exact", "--format=json"}, b.Gate...)...)
	return outcome{failed: err != nil, by: moved(out)}, fault(ctx, err)
}

// claims prints the verdicts of all claims on the results in git. It compares outputs, because some claims are not
// reproduced even without a bug.
func claims(ctx context.Context, dir string, _ bug) (outcome, error) {
	gaplab, err := built(ctx, dir)
	if err != nil {
		return outcome{}, err
	}
	defer os.Remove(gaplab)
	papers, err := os.ReadDir(filepath.Join(dir, "experiments"))
	if err != nil {
		return outcome{}, err
	}
	var all strings.Builder
	for _, p := range papers {
		if !p.IsDir() {
			continue
		}
		out, err := command(ctx, dir, gaplab, "claims", p.Name(), "--scale=paper", "--format=json")
		if err := fault(ctx, err); err != nil {
			return outcome{}, err
		}
		all.WriteString(out)
	}
	return outcome{text: all.String()}, nil
}

// built compiles gaplab in the folder dir to a temporary file and returns the path of this file.
func built(ctx context.Context, dir string) (path string, err error) {
	file, err := os.CreateTemp("", "gaplab-planted-*")
	if err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	if out, err := command(ctx, dir, "go", "build", "-o", file.Name(), "./cmd/gaplab"); err != nil {
		os.Remove(file.Name())
		return "", errors.Join(err, errors.New(out))
	}
	return file.Name(), nil
}

// command runs a program in the folder dir and returns its output. The environment has no GAPLAB_ variables, as on a
// machine without data sets. When the context ends, the program and all processes that it has started are killed.
func command(ctx context.Context, dir, name string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GAPLAB_") })
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 10 * time.Second
	err := cmd.Run()
	return out.String(), err
}

// fault returns an error if a check gave no outcome, because the round has ended or because the program cannot be
// started. A check that exceeds its own time limit gave an outcome: it has failed.
func fault(ctx context.Context, err error) error {
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case err == nil || errors.Is(cause, context.DeadlineExceeded):
		return nil
	case cause != nil:
		return cause
	case !errors.As(err, &exit):
		return err
	}
	return nil
}

// failure returns the first failed test in the output of go test, with its package.
func failure(out string) string {
	first := regexp.MustCompile(`(?m)^--- FAIL: (\S+)|^(panic: .*)$|^FAIL\t\S+ \[build failed\]`)
	found := first.FindStringSubmatchIndex(out)
	if found == nil {
		return firstLine(out, "ok")
	}
	name := "the compiler"
	for _, group := range []int{2, 4} {
		if found[group] >= 0 {
			name = out[found[group]:found[group+1]]
		}
	}
	if pkg := regexp.MustCompile(`(?m)^FAIL\t(\S+)`).FindStringSubmatch(out[found[0]:]); pkg != nil {
		name += " of " + strings.TrimPrefix(pkg[1], "github.com/gaplab/gaplab/")
	}
	return name
}

// moved returns the first curve in the output of the gate that differs from its reference. If there is none, moved
// returns the first message.
func moved(out string) string {
	for line := range strings.Lines(out) {
		var c struct {
			Experiment, Curve string
			OK                *bool
		}
		if json.Unmarshal([]byte(line), &c) == nil && c.OK != nil && !*c.OK {
			return c.Experiment + ", " + c.Curve
		}
	}
	return firstLine(out, "{")
}

// claimed returns the name of the claim in a line of verdicts, or the whole line if it names no claim.
func claimed(line string) string {
	var v struct{ Experiment, Claim string }
	if json.Unmarshal([]byte(line), &v) != nil || v.Claim == "" {
		return strings.TrimSpace(line)
	}
	return "claim " + v.Experiment + "/" + v.Claim
}

// firstLine returns the first line that is not empty and does not begin with the prefix.
func firstLine(out, prefix string) string {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}
