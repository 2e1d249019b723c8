package plots

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected figures; look at them before you commit them")

// TestGolden checks that the figures of the gallery are drawn exactly as the files in testdata show.
func TestGolden(t *testing.T) {
	for _, s := range gallery() {
		t.Run(s.name, func(t *testing.T) {
			d, err := Draw(s.figure)
			if err != nil {
				t.Fatal(err)
			}
			got := d.SVG()
			path := filepath.Join("testdata", s.name+".svg")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the drawing differs from %s; first difference:\n%s", path, firstDifference(got, string(want)))
			}
			if dir := os.Getenv("GAPLAB_GALLERY"); dir != "" { // save the figures so that a person can look at them
				for _, format := range Formats() {
					if err := d.Save(filepath.Join(dir, s.name+"."+format)); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
}

// firstDifference returns the first line in which two texts differ.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got  " + g[i] + "\nwant " + w[i]
		}
	}
	return "one text is longer"
}
