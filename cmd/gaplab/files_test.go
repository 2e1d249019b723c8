package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWritten checks that a file is replaced as a whole or continued, and that its folder is made.
func TestWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "folder", "a.md")
	for _, step := range []struct {
		text string
		how  int
		want string
	}{
		{"a long text\n", os.O_APPEND, "a long text\n"}, {"more\n", os.O_APPEND, "a long text\nmore\n"},
		{"short", os.O_TRUNC, "short"}, {"", os.O_TRUNC, ""}, {"x", os.O_APPEND, "x"},
	} {
		if err := written(path, step.text, step.how); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != step.want {
			t.Errorf("after %q: %q, %v; want %q", step.text, got, err, step.want)
		}
	}
	if err := written(filepath.Dir(path), "x", os.O_TRUNC); err == nil {
		t.Error("a folder was written")
	}
}

// TestCopyFile checks that a copy has the content of the file, replaces another file, can be read by others, and leaves
// no draft behind, also if it fails.
func TestCopyFile(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "new", "to.gz")
	for _, text := range []string{"a long text", "short"} {
		if err := os.WriteFile(from, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := copyFile(from, to); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(to)
		if got, _ := os.ReadFile(to); err != nil || string(got) != text || info.Mode().Perm() != 0o644 {
			t.Errorf("the copy is %q with mode %v, error %v; want %q and 0644", got, info.Mode(), err, text)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "new", "full", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(from, filepath.Join(dir, "new", "full")); err == nil {
		t.Error("a folder that is not empty was replaced by a file")
	}
	if err := copyFile(filepath.Join(dir, "none"), to); err == nil {
		t.Error("a file that does not exist was copied")
	}
	if got, _ := os.ReadFile(to); string(got) != "short" {
		t.Errorf("after a failed copy, the file is %q", got)
	}
	if list, _ := os.ReadDir(filepath.Join(dir, "new")); len(list) != 2 {
		t.Errorf("%v is in the folder, want the copy and the folder full", list)
	}
}

// TestPlaces checks the helpers for paths.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if !isFile(file) || isFile(dir) || isFile(filepath.Join(dir, "b")) {
		t.Error("isFile: want true for a file, false for a folder and for nothing")
	}
	if folderOf(file) != dir || folderOf("") != "" || folderOf("a") != "." {
		t.Errorf("folders %q, %q and %q", folderOf(file), folderOf(""), folderOf("a"))
	}
	for path, want := range map[string]string{"/a/b/c": "c", "/a/b": ".", "/a/d/e": "../d/e", "x": "x"} {
		if got := relative("/a/b", filepath.FromSlash(path)); got != filepath.FromSlash(want) {
			t.Errorf("%s relative to /a/b: %s, want %s", path, got, want)
		}
	}
	for path, ok := range map[string]bool{"": true, file: true, filepath.Join(dir, "new"): true, dir: false,
		filepath.Join(dir, "no", "x"): false, filepath.Join(file, "x"): false} {
		if err := canWrite(path); (err == nil) != ok {
			t.Errorf("%q can be written: error %v, want none: %v", path, err, ok)
		}
	}
}

// TestIDOfAFile checks the id of the spec that gaplab train writes for a file.
func TestIDOfAFile(t *testing.T) {
	for file, want := range map[string]string{"chunks.txt": "chunks", "a/b/es.conllu.gz": "es", ".hidden.csv": "hidden",
		"my data (2).csv": "my-data-2", "--x--.t": "x", "ä.txt": "data", "...": "data", "Iris_3": "Iris-3",
		strings.Repeat("a", 120) + ".csv":        strings.Repeat("a", 100),
		strings.Repeat("b", 99) + "_c":           strings.Repeat("b", 99),
		"x" + strings.Repeat("y z", 30) + ".tsv": "x" + strings.Repeat("y-z", 30)} {
		if got := idOf(file); got != want {
			t.Errorf("%s: id %s, want %s", file, got, want)
		}
	}
}

// TestFirstLinesOfAFile checks the lines from which gaplab train recognises the form of a file: at most 2,000 lines and
// 1 MB, without line ends and the mark of the byte order, and without a line that the limit cuts. A line that is not
// text is an error with its number.
func TestFirstLinesOfAFile(t *testing.T) {
	long := strings.Repeat("x", 1<<19-1) + "\n" // half of the limit
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil}, {"\n", []string{""}}, {"a", []string{"a"}}, {"a\n", []string{"a"}}, {"a\n\nb", []string{"a", "", "b"}},
		{"\ufeffa\r\nb \r\n", []string{"a", "b "}}, {long + "a\nb\n", []string{long[:1<<19-1], "a", "b"}},
		{long + long, []string{long[:1<<19-1], long[:1<<19-1]}}, {long + "a\n" + long, []string{long[:1<<19-1], "a"}},
		{strings.Repeat("w\n", 2001), slices.Repeat([]string{"w"}, 2000)},
	} {
		got, err := firstLines("f", strings.NewReader(c.text))
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%.20q: %d lines, %v; want %d", c.text, len(got), err, len(c.want))
		}
	}
	for text, want := range map[string]string{"a\nb\xffc\n": "f:2:1: ", "a\x00\n": "f:1:1: ", "a\nb\n\xe4": "f:3:1: "} {
		if _, err := firstLines("f", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want one that begins with %s", text, err, want)
		}
	}
}
