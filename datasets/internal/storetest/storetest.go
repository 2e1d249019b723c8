// Package storetest makes files for tests: plain, compressed, and in archives.
package storetest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Write writes the file name in the test folder dir, and creates the folder of the file if necessary.
func Write(t testing.TB, dir, name, content string) {
	t.Helper()
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Gzip returns content in gzip format.
func Gzip(content string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(content))
	w.Close()
	return b.String()
}

// Member is a file in an archive.
type Member struct{ Name, Content string }

// Zip returns a zip archive of the members, in the given order. A name that ends in a slash is a folder.
func Zip(t testing.TB, members ...Member) string {
	t.Helper()
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, m := range members {
		w, err := archive.Create(m.Name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.Content); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
