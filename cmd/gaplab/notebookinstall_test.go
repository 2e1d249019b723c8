package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakeGo is a go command that writes its arguments to the file $GO_LOG, and writes a program gonb into $GOBIN. This
// program writes the folder of Jupyter and its arguments to the same file.
const fakeGo = `#!/bin/sh
echo "go $*" >>"$GO_LOG"
printf '#!/bin/sh\necho "gonb $JUPYTER_DATA_DIR $*" >>"$GO_LOG"\n' >"$GOBIN/gonb"
chmod +x "$GOBIN/gonb"
`

// TestInstallGoNB checks, with a go command that builds nothing, that the tools of the checkout around the working
// directory are built, that the kernel is installed in Jupyter's folder and nothing is written into the checkout, and
// that the working directory must be in a checkout.
func TestInstallGoNB(t *testing.T) {
	root, data, bin := t.TempDir(), filepath.Join(t.TempDir(), "jupyter"), t.TempDir()
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"notebooks/show", "tools", "deep/er"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range map[string]string{filepath.Join(root, "tools", "go.mod"): "module tools\n",
		filepath.Join(bin, "go"): fakeGo} {
		if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(t.TempDir(), "log")
	t.Setenv("GO_LOG", log)
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Chdir(filepath.Join(root, "deep", "er"))
	dir, err := system{}.installGoNB(t.Context(), data, io.Discard)
	if want := filepath.Join(data, "kernels", "gonb"); err != nil || dir != want {
		t.Errorf("the kernel is in %s, error %v; want %s", dir, err, want)
	}
	text, err := os.ReadFile(log)
	want := "go -C " + filepath.Join(root, "tools") + " install tool\ngonb " + data + " --install"
	if err != nil || !strings.HasPrefix(string(text), want) {
		t.Errorf("commands %q, error %v; want %q", text, err, want)
	}
	if _, err := os.Stat(filepath.Join(data, "kernels", "gonb", "kernel.json")); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(root); err != nil || len(entries) != 3 {
		t.Errorf("the checkout has %v, error %v; want only what it had", entries, err)
	}

	t.Chdir(bin)
	if _, err := (system{}).installGoNB(t.Context(), data, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "not in a checkout of gaplab") {
		t.Errorf("error outside of a checkout = %v", err)
	}
}

// TestInstallOwn checks that the kernel of experiments starts a copy of a program that go run or go test made, which is
// removed later.
func TestInstallOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test copies the program")
	}
	data := t.TempDir()
	dir, err := installOwn(data)
	if want := filepath.Join(data, "kernels", "gaplab"); err != nil || dir != want {
		t.Fatalf("the kernel is in %s, error %v; want %s", dir, err, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(program, "/go-build") {
		program = filepath.Join(dir, filepath.Base(program))
	}
	if info, err := os.Stat(program); err != nil || info.Mode()&0o100 == 0 || !strings.Contains(string(text), program) {
		t.Errorf("the kernel starts %s, error %v; want the program %s", text, err, program)
	}
}
