package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/trace"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gaplab": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("GAPLAB_DATA", "")
			env.Setenv("REAL_DATA", os.Getenv("GAPLAB_DATA"))
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "data" {
				return false, fmt.Errorf("unknown condition %q; accepted: data (GAPLAB_DATA names a folder)", name)
			}
			return os.Getenv("GAPLAB_DATA") != "", nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"perturb": perturb,
			"weights": weights,
			"lines":   lines,
		},
	})
}

// exits N PROGRAM ARGS... runs a program and wants its exit code to be N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGS...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var code *exec.ExitError
		if !errors.As(err, &code) {
			ts.Fatalf("%v", err)
		}
		got = code.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d; want %d", got, want)
	}
}

// perturb FOLDER makes each primal in the traces of a folder larger, as a solver that got worse would.
func perturb(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: perturb FOLDER")
	}
	files, err := trace.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, f := range files {
		for _, row := range f.Rows {
			row.Values[trace.Primal] *= 1.5
		}
		ts.Check(f.Save(f.Path))
	}
}

// weights FOLDER sets WEIGHTS to the one weights file of a folder.
func weights(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: weights FOLDER")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*.weights.json.gz"))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%d weights files in %s; want one", len(files), args[0])
	}
	ts.Setenv("WEIGHTS", files[0])
}

// lines N FILE wants a file, or stdout, to have so many lines.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines N FILE")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[1]), "\n"); got != want {
		ts.Fatalf("%s has %d lines; want %d", args[1], got, want)
	}
}

// fullDisk refuses what is written to it.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestLostOutput(t *testing.T) {
	var stderr bytes.Buffer
	sys := system{out: fullDisk{}, err: &stderr, getenv: func(string) string { return "" }}
	for _, args := range [][]string{{"version"}, {"list"}, {"list", "--format", "json"}, {"list", "--format", "csv"},
		{"schema"}, {"--help"}} {
		stderr.Reset()
		if code := run(t.Context(), sys, args); code != term.ExitFailed {
			t.Errorf("%v on a full disk: exit code %d; want %d", args, code, term.ExitFailed)
		}
		if want := "gaplab: standard output: no space left on device\n"; stderr.String() != want {
			t.Errorf("%v on a full disk: %q; want %q", args, stderr.String(), want)
		}
	}
}
