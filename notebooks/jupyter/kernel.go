// Package jupyter installs kernels where Jupyter and VS Code look for them, and executes notebooks with them.
//
//	at, err := jupyter.DataFolder("")                     // the user's folder
//	dir, err := jupyter.InstallGoNB(ctx, ".", at, os.Stderr)
//	home, err := jupyter.Private(cache)
//	file, problems, err := jupyter.Execute(ctx, jupyter.Job{Notebook: "notebooks/eg.ipynb", To: "out"}, home)
//
// The package runs Jupyter's own programs and does not depend on experiments.
package jupyter

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// DataFolder returns the folder in which Jupyter and VS Code look for kernels: share/jupyter below prefix or, if prefix
// is "", the folder of the user, which JUPYTER_DATA_DIR may name.
func DataFolder(prefix string) (string, error) {
	if prefix != "" {
		return filepath.Join(prefix, "share", "jupyter"), nil
	}
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		return filepath.Join(os.Getenv("APPDATA"), "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// GoNB is the name of the kernel of Go cells.
const GoNB = "gonb"

// ErrMissing is wrapped by the error for a program that is not installed. The text of the error tells how to install
// the program.
var ErrMissing = errors.New("not installed")

// InstallGoNB builds the kernel of Go cells and the tools that the kernel needs, and installs them below Jupyter's data
// folder. Their versions are those in the tools module of checkout, a copy of this project. InstallGoNB returns the
// kernel's folder, which contains all of them: remove the folder to remove the kernel. The output of the build is
// written to log.
func InstallGoNB(ctx context.Context, checkout, data string, log io.Writer) (dir string, err error) {
	goTool, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("go: %w; cells in Go are compiled: install it from https://go.dev/dl", ErrMissing)
	}
	if data, err = filepath.Abs(data); err != nil {
		return "", err
	}
	dir = filepath.Join(data, "kernels", GoNB)
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return "", err
	}
	run := func(log io.Writer, environment []string, name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Env = append(os.Environ(), environment...)
		cmd.Stdout, cmd.Stderr = log, log
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("%s %s: %w", filepath.Base(name), strings.Join(args, " "), err)
		}
		return nil
	}
	if err := run(log, []string{"GOBIN=" + bin, "GOFLAGS=", "GOWORK=off"}, goTool, "-C", filepath.Join(checkout, "tools"),
		"install", "tool"); err != nil {
		return "", err
	}
	// gonb --install writes the logos of the kernel and the command that starts it. The call of Install below replaces
	// this command. The output of gonb --install lists installed programs and programs that only editors need, so it is
	// shown only after a failure.
	var said bytes.Buffer
	if err := run(&said, []string{"JUPYTER_DATA_DIR=" + data}, filepath.Join(bin, "gonb"), "--install", "-force_deps",
		"-raw_error"); err != nil {
		return "", fmt.Errorf("%w\n%s", err, &said)
	}
	start, err := launcher(dir, goTool)
	if err != nil {
		return "", err
	}
	return Install(Spec{Name: GoNB, Display: "Go (GoNB)", Language: "go",
		Argv: []string{start, "--kernel", "{connection_file}", "-raw_error"}}, data)
}

// Spec describes how a kernel is started, and how a front end names it.
type Spec struct {
	Name     string   // name of the kernel's folder
	Display  string   // name that a front end displays
	Language string   // language of the cells
	Argv     []string // command that starts the kernel; {connection_file} is replaced by a path
	Logo     []byte   // logo as SVG; nil: none
}

// Install installs a kernel below Jupyter's data folder, and returns its folder.
func Install(s Spec, data string) (dir string, err error) {
	if data, err = filepath.Abs(data); err != nil {
		return "", err
	}
	dir = filepath.Join(data, "kernels", s.Name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if s.Logo != nil {
		if err := os.WriteFile(filepath.Join(dir, "logo-svg.svg"), s.Logo, 0o666); err != nil {
			return "", err
		}
	}
	text, err := json.MarshalIndent(map[string]any{"argv": s.Argv, "display_name": s.Display, "language": s.Language,
		"interrupt_mode": "message", "env": map[string]string{}}, "", "  ")
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "kernel.json"), append(text, '\n'), 0o666)
}

// launcher writes the script that starts the kernel. The script puts the programs of the kernel and the go command on
// the path, and removes environment variables that break cells.
func launcher(dir, goTool string) (start string, err error) {
	start = filepath.Join(dir, "launch")
	script := fmt.Sprintf("#!/bin/sh\nunset GOWORK\nexport GOFLAGS='-buildvcs=false -ldflags=-w -trimpath'\n"+
		"export PATH=%s:\"$PATH\":%s\nexec %s \"$@\"\n", quoted(filepath.Join(dir, "bin")), quoted(filepath.Dir(goTool)),
		quoted(filepath.Join(dir, "bin", "gonb")))
	return start, os.WriteFile(start, []byte(script), 0o777)
}

// quoted quotes a word for a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Installed reports whether a kernel is installed in one of the folders that Jupyter or VS Code search.
func Installed(name string) bool {
	folders := []string{"/usr/local/share/jupyter", "/usr/share/jupyter"}
	if own, err := DataFolder(""); err == nil {
		folders = append(folders, own)
	}
	folders = append(folders, filepath.SplitList(os.Getenv("JUPYTER_PATH"))...)
	for _, dir := range folders {
		if _, err := os.Stat(filepath.Join(dir, "kernels", name, "kernel.json")); err == nil {
			return true
		}
	}
	return false
}
