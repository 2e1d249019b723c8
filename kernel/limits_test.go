package kernel

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/kernel/protocol"
)

// specOf returns the text of a spec file with the experiment of a cell.
func specOf(id, cell string) string {
	return "apiVersion: gaplab/v1\nid: " + id + "\n" +
		strings.TrimPrefix(strings.ReplaceAll(cell, "\n  ", "\n"), "eg-digits:\n")
}

// TestCellsStayInTheFolder checks that a cell cannot name a file outside of the folder of the notebook, neither by a
// path nor by a symbolic link, and that it can name one inside.
func TestCellsStayInTheFolder(t *testing.T) {
	above := t.TempDir()
	dir := filepath.Join(above, "notebooks")
	spec := specOf("my/spec", digits)
	for path, text := range map[string]string{"secret.yaml": spec, "notebooks/sub/own.yaml": spec} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(above, path)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(above, path), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	for link, to := range map[string]string{"out": above, "link.yaml": filepath.Join(above, "secret.yaml"),
		"dangling.csv": filepath.Join(above, "new.csv"), "up.yaml": "../secret.yaml", "in": "sub"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	k := session(t)
	for _, code := range []string{digits, "%run sub/own.yaml", "%run in/own.yaml", "base: sub/own.yaml",
		"%export rows.csv", "%export sub/gap.svg", "%export in/rows.csv", "%claims sub/own.yaml --out=results"} {
		if got, err := do(t, k, code); err != nil {
			t.Errorf("%s: %v\n%s", code, err, got)
		}
	}
	const want = "the path leads out of the folder of the notebook; accepted: a path in this folder"
	for _, code := range []string{"%export ../../x.csv", "%export " + filepath.Join(above, "x.csv"), "%export out/x.svg",
		"%export dangling.csv", "%run ../secret.yaml", "%run " + filepath.Join(above, "secret.yaml"), "%run link.yaml",
		"%run up.yaml", "%run out/secret.yaml", "base: ../secret.yaml", "base: link.yaml", "%claims ../secret.yaml",
		"%show eg/fig06 --out ..", "%show eg/fig06 --out=" + above, "%run eg/fig06 --save-weights=../w.gz"} {
		_, err := do(t, k, code)
		var e *protocol.Error
		if !errors.As(err, &e) || !strings.Contains(strings.Join(append(e.Trace, e.Value), "\n"), want) {
			t.Errorf("%s: error %v, want %q", code, err, want)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(above, "*")); len(found) != 2 {
		t.Errorf("the folder above has %q, want nothing new", found)
	}
}

// TestCellsRunNoPrograms checks that no cell runs a program of the machine: neither by a spec, a flag nor a setting.
func TestCellsRunNoPrograms(t *testing.T) {
	t.Chdir(t.TempDir())
	k := session(t)
	touch := `[{name: external, command: [touch, ran, "{data}", "{model}"]}]`
	cell := strings.Replace(digits, "[{name: eg, eta: 0.5}]", touch, 1)
	if err := os.WriteFile("own.yaml", []byte(specOf("my/own", cell)), 0o666); err != nil {
		t.Fatal(err)
	}
	const unknown, changed = "runs a program of this machine", "so a cell cannot change its settings"
	for _, c := range []struct{ code, want string }{
		{cell, unknown},
		{cell + "  explore: {lambda: [0.1, 0.01]}\n", unknown},
		{"%run eg-digits", unknown},
		{"base: peers/two-classes", unknown},
		{"%run own.yaml", unknown},
		{"%run own.yaml --programs", "a cell cannot allow programs"},
		{"%run peers/two-classes --programs=true", "a cell cannot allow programs"},
		{"%run peers/two-classes", changed}, // session changes a setting
	} {
		_, err := do(t, k, c.code)
		var e *protocol.Error
		if !errors.As(err, &e) || !strings.Contains(strings.Join(append(e.Trace, e.Value), "\n"), c.want) {
			t.Errorf("%s: error %v, want %q", c.code, err, c.want)
		}
	}
	if _, err := os.Stat("ran"); err == nil {
		t.Error("a cell ran the program")
	}
}
