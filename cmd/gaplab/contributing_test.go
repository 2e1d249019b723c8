package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// block is a fenced code block that begins with its file's name.
var block = regexp.MustCompile("(?s)```(go|yaml)\n(?://|#) (\\S+)\n(.*?)```")

// CONTRIBUTING's examples compile where it says that they belong, and its specs and README's are accepted.
func TestExamplesOfTheDocuments(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	packages := map[string]bool{}
	specs := 0
	for _, doc := range []string{"CONTRIBUTING.md", "README.md"} {
		text, err := os.ReadFile(filepath.Join(root, doc))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range block.FindAllStringSubmatch(string(text), -1) {
			kind, name, body := m[1], m[2], m[3]
			if kind == "yaml" {
				specs++
				file, err := lang.Parse(name, []byte(body), harness.Catalogue())
				if err != nil {
					t.Errorf("%s: %v", doc, err)
					continue
				}
				for _, scale := range file.Scales() {
					s, err := file.At(scale, nil)
					if err == nil {
						_, err = s.Plan()
					}
					if err != nil {
						t.Errorf("%s: %s at scale %s: %v", doc, name, scale, err)
					}
				}
				continue
			}
			file := filepath.Join(t.TempDir(), filepath.Base(name))
			if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
				t.Fatal(err)
			}
			replace[filepath.Join(root, name)] = file
			packages["./"+filepath.ToSlash(filepath.Dir(name))] = true
		}
	}
	if len(replace) < 3 || specs < 2 {
		t.Fatalf("found %d Go examples and %d specs; want at least 3 and 2", len(replace), specs)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"vet", "-overlay", file}
	for p := range packages {
		args = append(args, p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
