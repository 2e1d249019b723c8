package ipynb_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

// TestCommitted checks that the committed notebooks have no outputs, use the module of their checkout, and have cells
// with the tag figure.
func TestCommitted(t *testing.T) {
	paths, err := filepath.Glob("../*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatal("no notebooks found beside this package")
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			nb, err := ipynb.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range nb.CheckStripped() {
				t.Error(p)
			}
			if nb.Figures() == 0 {
				t.Errorf("no cell has the tag %q", ipynb.FigureTag)
			}
			for _, c := range nb.Cells {
				if nb.Metadata.Kernel.Name != "gonb" {
					break // its cells are YAML and import nothing
				}
				if c.Type != "code" {
					continue
				}
				if !strings.Contains(string(c.Source), "go work use") || !strings.Contains(string(c.Source), "%noautoget") {
					t.Errorf("first code cell = %q, want go work use (which connects this module with that of the cells) and "+
						"%%noautoget in it", c.Source)
				}
				break
			}
		})
	}
}
