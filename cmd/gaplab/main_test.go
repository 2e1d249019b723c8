package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gaplab": main})
}

// fresh is the flag that runs each command of the scripts in its own process.
var fresh = flag.Bool("fresh", false, "run each command of the scripts in its own process")

// TestScripts runs the scripts in testdata/script. There, "ok gaplab ARGS..." expects exit code 0, and "exits CODE
// gaplab ARGS..." expects the exit code CODE. Both run in the process of the test, which compiles the schema of specs
// only once. In contrast, "exec gaplab ARGS..." starts a process.
func TestScripts(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "script")) // commands change the working directory
	if err != nil {
		t.Fatal(err)
	}
	checkout, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("GAPLAB_DATA", "")
			env.Setenv("CHECKOUT", checkout)
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
			"ok":      ok,
			"exits":   exits,
			"sources": sources,
			"perturb": perturb,
			"damage":  damage,
			"weights": weights,
			"lines":   lines,
			"glob":    globbed,
		},
	})
}

// The command ok gaplab ARGS... of scripts runs gaplab and expects exit code 0.
func ok(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: ok gaplab [ARGS...]")
	}
	exits(ts, false, slices.Concat([]string{"0"}, args))
}

// The command sources FOLDER of scripts writes the Go files of the program into a new folder, which is then like the
// checkout that the program was built from.
func sources(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sources folder")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), gaplab.Sources))
}

// The command exits CODE gaplab ARGS... of scripts runs gaplab and expects the exit code CODE.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || args[1] != "gaplab" {
		ts.Fatalf("usage: exits CODE gaplab [ARGS...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitCode(ts, args[2:]); got != want {
		ts.Fatalf("exit code %d; want %d", got, want)
	}
}

// folder is a lock for the working directory of the process. A command of a script holds the lock while it works in the
// folder of the script.
var folder sync.Mutex

// exitCode runs a command in the script's folder and returns its exit code.
func exitCode(ts *testscript.TestScript, args []string) int {
	if *fresh {
		var exit *exec.ExitError
		if err := ts.Exec("gaplab", args...); errors.As(err, &exit) {
			return exit.ExitCode()
		} else {
			ts.Check(err)
		}
		return 0
	}
	folder.Lock()
	defer folder.Unlock()
	back, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(back)) }()
	// said is a copy of the output. The script can read its standard output and error only after this command has
	// returned.
	var said bytes.Buffer
	sys := system{in: strings.NewReader(""), out: io.MultiWriter(ts.Stdout(), &said),
		err: io.MultiWriter(ts.Stderr(), &said), getenv: ts.Getenv}
	code := run(context.Background(), sys, args)
	ts.Check(follow(ts.Getenv, said.String()))
	return code
}

// The command perturb FOLDER ID [COLUMN FACTOR] of scripts multiplies a column in the references of an experiment by a
// factor. By default it multiplies the primal by 1.5.
func perturb(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 2 {
		args = append(args, trace.Primal, "1.5")
	}
	if neg || len(args) != 4 {
		ts.Fatalf("usage: perturb FOLDER ID [COLUMN FACTOR]")
	}
	by, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	kept := store.Keep(ts.MkAbs(args[0]))
	files, err := kept.Read(args[1], "smoke")
	ts.Check(err)
	for _, f := range files {
		for _, row := range f.Rows {
			row.Values[args[2]] *= by
		}
	}
	_, err = kept.WriteAll("smoke", map[string][]*trace.File{args[1]: files}, true)
	ts.Check(err)
}

// The command damage FOLDER VARIANT of scripts changes one bit in the middle of each trace of the solver named VARIANT.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage FOLDER VARIANT")
	}
	files, err := trace.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	for _, f := range files {
		if f.Manifest.Labels["as"] == args[1] {
			text, err := os.ReadFile(f.Path)
			ts.Check(err)
			text[len(text)/2] ^= 1
			ts.Check(os.WriteFile(f.Path, text, 0o666))
		}
	}
}

// The command weights FOLDER of scripts sets the variable WEIGHTS to the path of the only weights file in a folder.
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

// globbed implements the command glob NAME PATTERN of scripts. It sets the variable NAME to the only file that matches
// a pattern.
func globbed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: glob NAME PATTERN")
	}
	files, err := filepath.Glob(ts.MkAbs(args[1]))
	ts.Check(err)
	if len(files) != 1 {
		ts.Fatalf("%d files match %s; want one", len(files), args[1])
	}
	ts.Setenv(args[0], files[0])
}

// The command lines N FILE of scripts checks that a file, or stdout, has N lines.
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

// fullDisk is a writer that fails as on a full disk.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestLostOutput checks that a full disk is reported, and ends the program with exit code 3.
func TestLostOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test lists all experiments again and again")
	}
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

// TestHelpFits checks that the help of every command fits into 80 columns.
func TestHelpFits(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		var help bytes.Buffer
		cmd.SetOut(&help)
		if err := cmd.Help(); err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(help.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
				t.Errorf("%s --help: a line of %d characters: %s", cmd.CommandPath(), n, line)
			}
		}
		for _, sub := range cmd.Commands() {
			if cmd.Name() != "completion" { // the help of completion comes from cobra
				visit(sub)
			}
		}
	}
	visit(newRoot(system{out: io.Discard, err: io.Discard, getenv: func(string) string { return "" }}))
}
