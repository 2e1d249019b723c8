package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/gaplab/gaplab/internal/chromium"
)

// articles returns the folders of the articles.
func articles(t *testing.T) []string {
	t.Helper()
	texts, err := filepath.Glob("*/README.md")
	if err != nil || len(texts) == 0 {
		t.Fatalf("found %d articles, %v; want at least one", len(texts), err)
	}
	for i, text := range texts {
		texts[i] = filepath.Dir(text)
	}
	return texts
}

// TestPages checks that the page of each article contains its formulas as MathML and its figures, and loads nothing.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, folder := range articles(t) {
		page, err := html(folder)
		if err != nil {
			t.Errorf("%s: %v", folder, err)
			continue
		}
		if left := regexp.MustCompile(`\$[^$<>]*\$|src="[^d][^"]*"|<merror|[Cc]olor[:=] *"?red`).Find(page); left != nil {
			t.Errorf("%s: the page has %s; want MathML, and figures inside the page", folder, left)
		}
		for _, want := range []string{"<math", `<img src="data:image/svg`, "<h1", "References"} {
			if !bytes.Contains(page, []byte(want)) {
				t.Errorf("%s: the page has no %s", folder, want)
			}
		}
	}
}

// TestMissingFigure checks that a figure that is not there is an error.
func TestMissingFigure(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := []byte("# Title\n\n![A figure](nowhere.svg)\n")
	if err := os.WriteFile(filepath.Join(folder, "README.md"), text, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := html(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want that of the missing file", err)
	}
}

// TestLength checks that each article has at most eight printed pages. It needs Chromium.
func TestLength(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test prints in a browser")
	}
	for _, folder := range articles(t) {
		text, err := html(folder)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "article.html")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		printed, err := pdf(path)
		if errors.Is(err, chromium.ErrNone) {
			t.Skip(err)
		} else if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(printed, -1)); n == 0 || n > 8 {
			t.Errorf("%s has %d pages, want 1 to 8", folder, n)
		}
	}
}
