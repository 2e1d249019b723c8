//go:build unix

package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// converter replaces jupyter-nbconvert by a shell script.
func converter(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jupyter-nbconvert"), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// TestExecute checks that the executed copy is read and checked, and that an execution that stops early gives an error
// with the last lines of the program's output.
func TestExecute(t *testing.T) {
	home, err := Private(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, script, problem, fails string
	}{
		{"well", `for f; do :; done; while [ "$1" != --output-dir ]; do shift; done; cp "$f" "$2/a.ipynb"`, "", ""},
		{"a cell that failed", `while [ "$1" != --output-dir ]; do shift; done; cp ` + testdata(t, "panic") + ` "$2/a.ipynb"`,
			"cell 4", ""},
		{"stopped early", "seq 100 >&2; exit 3", "", "stopped early (exit status 3):\n61\n"},
		{"no copy", "exit 0", "", "no such file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			converter(t, tt.script)
			notebook := filepath.Join(t.TempDir(), "a.ipynb")
			text, err := os.ReadFile(testdata(t, "ok"))
			if err == nil {
				err = os.WriteFile(notebook, text, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, problems, err := Execute(t.Context(), Job{Notebook: notebook, To: t.TempDir()}, home)
			if (err != nil) != (tt.fails != "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("error %v, want %q", err, tt.fails)
			}
			if (len(problems) > 0) != (tt.problem != "") ||
				len(problems) > 0 && !strings.Contains(problems[0].String(), tt.problem) {
				t.Errorf("problems %v, want %q", problems, tt.problem)
			}
		})
	}
}

func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "ipynb", "testdata", name+".ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestExecuteIsInterrupted checks that an execution ends with its context.
func TestExecuteIsInterrupted(t *testing.T) {
	converter(t, "sleep 60 & trap 'kill $!; exit 130' INT; wait")
	home, err := Private(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, _, err := Execute(ctx, Job{Notebook: testdata(t, "ok"), To: t.TempDir()}, home); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestHome checks that a private home is used instead of the folders that environment variables name.
func TestHome(t *testing.T) {
	t.Setenv("JUPYTER_DATA_DIR", "/elsewhere")
	t.Setenv("JUPYTER_PATH", "/elsewhere")
	home, err := Private("own")
	if err != nil {
		t.Fatal(err)
	}
	list := home.environment()
	data, err := home.Data()
	if err != nil || !filepath.IsAbs(data) || !slices.Contains(list, "JUPYTER_DATA_DIR="+data) ||
		slices.ContainsFunc(list, func(v string) bool { return strings.Contains(v, "/elsewhere") }) {
		t.Errorf("data folder %q, %v, environment %q; want the private home only", data, err, list)
	}
	if at, err := (Home{}).Data(); err != nil || at != "/elsewhere" {
		t.Errorf("the user's data folder = %q, %v; want /elsewhere", at, err)
	}
	if at, err := DataFolder("/opt/x"); err != nil || at != "/opt/x/share/jupyter" {
		t.Errorf("DataFolder(/opt/x) = %q, %v; want /opt/x/share/jupyter", at, err)
	}
}

// TestLauncher checks that the script that starts a kernel puts the kernel's own programs first on the path, removes
// GOWORK, and works in a folder with a space and an apostrophe in its name.
func TestLauncher(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's here")
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho \"$PATH|$GOWORK|$*\"\n"
	if err := os.WriteFile(filepath.Join(bin, "gonb"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	start, err := launcher(dir, "/opt/go/bin/go")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	out, err := exec.Command(start, "--kernel", "a file").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path, rest, _ := strings.Cut(strings.TrimSpace(string(out)), "|")
	if !strings.HasPrefix(path, bin+":") || !strings.HasSuffix(path, ":/opt/go/bin") || rest != "|--kernel a file" {
		t.Errorf("the kernel printed PATH|GOWORK|arguments %s; want its own bin first, no GOWORK, and the arguments", out)
	}
}

// TestInstall checks that Install creates a folder below the data folder, with the kernel's spec and its logo.
func TestInstall(t *testing.T) {
	data := t.TempDir()
	dir, err := Install(Spec{Name: "k", Display: "K", Language: "k", Argv: []string{"k", "{connection_file}"},
		Logo: []byte("<svg/>")}, data)
	if err != nil || dir != filepath.Join(data, "kernels", "k") {
		t.Fatalf("Install = %s, error %v; want the folder kernels/k below %s", dir, err, data)
	}
	var spec struct {
		Argv    []string `json:"argv"`
		Display string   `json:"display_name"`
	}
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err == nil {
		err = json.Unmarshal(text, &spec)
	}
	if err != nil || len(spec.Argv) != 2 || spec.Display != "K" {
		t.Errorf("kernel.json = %s, error %v; want the command and the name K", text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "logo-svg.svg")); err != nil {
		t.Error(err)
	}
}
