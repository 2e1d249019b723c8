package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestJupyterConformance runs the Jupyter project's conformance tests, if they are installed (Debian's package
// python3-jupyter-kernel-test).
func TestJupyterConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test runs Jupyter")
	}
	python := ""
	for _, p := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(p, "-c", "import jupyter_kernel_test").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		t.Skip("jupyter_kernel_test is not installed (Debian's package python3-jupyter-kernel-test)")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "gaplab")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/gaplab").CombinedOutput(); err != nil {
		t.Fatalf("go build ./cmd/gaplab: %v\n%s", err, out)
	}
	environment := append(os.Environ(), "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"), "JUPYTER_PATH=",
		"JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "runtime"), "IPYTHONDIR="+filepath.Join(dir, "ipython"))
	install := exec.Command(program, "notebook", "install", "--kernel", "gaplab")
	install.Env = environment
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("gaplab notebook install: %v\n%s", err, out)
	}
	script, err := filepath.Abs("testdata/conformance.py")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(python, script)
	run.Env, run.Dir = environment, dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("conformance.py: %v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
}
