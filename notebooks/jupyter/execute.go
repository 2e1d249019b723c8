package jupyter

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

// Home is the folder for Jupyter's files. The zero value is the user's home.
type Home struct{ dir string }

// Private returns a home whose files, including kernels, are in the folder dir. With this home, Jupyter does not use
// the user's folders.
func Private(dir string) (Home, error) {
	dir, err := filepath.Abs(dir)
	return Home{dir}, err
}

// Data returns Jupyter's data folder.
func (h Home) Data() (string, error) {
	if h.dir == "" {
		return DataFolder("")
	}
	return filepath.Join(h.dir, "data"), nil
}

// environment returns the environment variables for a program with the home h.
func (h Home) environment() []string {
	own := map[string]string{}
	if h.dir != "" {
		own = map[string]string{"JUPYTER_DATA_DIR": "data", "JUPYTER_CONFIG_DIR": "config", "JUPYTER_RUNTIME_DIR": "runtime",
			"IPYTHONDIR": "ipython"}
	}
	var out []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if _, ours := own[name]; ours || h.dir != "" && (name == "JUPYTER_PATH" || name == "JUPYTER_CONFIG_PATH") {
			continue
		}
		out = append(out, v)
	}
	for name, folder := range own {
		out = append(out, name+"="+filepath.Join(h.dir, folder))
	}
	return out
}

// Job is one notebook to execute.
type Job struct {
	Notebook    string        // path of the notebook
	To          string        // folder for the executed copy, which has the same file name
	Timeout     time.Duration // limit on the time of each cell; 0: no limit
	Environment []string      // environment variables in addition to those of the process
}

// FindConverter returns the path of jupyter-nbconvert, the program that executes notebooks.
func FindConverter() (string, error) {
	program, err := exec.LookPath("jupyter-nbconvert")
	if err != nil {
		return "", fmt.Errorf("jupyter-nbconvert: %w; on Debian and Ubuntu:\n"+
			"  apt-get install --no-install-recommends jupyter-nbconvert\nelsewhere:\n  pip install nbconvert", ErrMissing)
	}
	return program, nil
}

// Execute executes all cells of a notebook, even after a cell has failed. It returns the path of the executed copy, and
// the problems in it. An error means that the execution stopped early.
func Execute(ctx context.Context, j Job, home Home) (file string, problems []ipynb.Problem, err error) {
	program, err := FindConverter()
	if err != nil {
		return "", nil, err
	}
	name := filepath.Base(j.Notebook)
	file = filepath.Join(j.To, name)
	if err := os.RemoveAll(file); err != nil {
		return "", nil, err
	}
	timeout := "-1"
	if j.Timeout > 0 {
		timeout = fmt.Sprint(int(j.Timeout.Seconds()))
	}
	cmd := exec.CommandContext(ctx, program, "--log-level=WARN", "--to", "notebook", "--execute", "--allow-errors",
		"--ExecutePreprocessor.timeout="+timeout, "--ExecutePreprocessor.record_timing=False",
		"--output-dir", j.To, "--output", name, j.Notebook)
	cmd.Env = append(home.environment(), j.Environment...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the program then ends its kernel too
	cmd.WaitDelay = 10 * time.Second
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.Discard, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", nil, ctx.Err()
		}
		return "", nil, fmt.Errorf("%s: the execution stopped early (%w):\n%s", j.Notebook, err, tail(said.String(), 40))
	}
	nb, err := ipynb.ReadFile(file)
	if err != nil {
		return "", nil, err
	}
	return file, nb.CheckExecuted(), nil
}

// tail returns the last lines of a text.
func tail(text string, lines int) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
