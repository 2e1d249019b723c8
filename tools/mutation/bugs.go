package main

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// bug is a change of the code that makes one file wrong.
type bug struct {
	ID    string `yaml:"id"`
	Class string `yaml:"class"` // kind of bug, one of classes()
	Wrong string `yaml:"wrong"` // what is wrong, in one line
	File  string `yaml:"file"`  // path from the root of the checkout, with slashes
	Old   string `yaml:"old"`   // the correct text, which occurs exactly once in the file
	New   string `yaml:"new"`
	// Results states whether the bug changes rows, verdicts, tables, figures or predictions. If it is false, the bug
	// changes only messages or what the gate accepts.
	Results bool `yaml:"results"`
	// Gate names the experiments whose smoke runs execute the changed code; nil: all experiments.
	Gate []string `yaml:"gate"`
	// Quick states whether .ci/run plants the bug. Then one of the cheap checks must catch it.
	Quick bool `yaml:"quick"`
	// Survives is the reason why no check needs to catch the bug. If it is empty, one of the checks must catch it.
	Survives string `yaml:"survives"`
}

// classes returns the kinds of bugs, in the order of the page.
func classes() []string {
	return []string{"solver", "oracle", "metric", "clock", "count", "key", "reader", "claim"}
}

//go:embed bugs.yaml
var files embed.FS

// readBugs returns all bugs of the list, and all errors in it.
func readBugs() ([]bug, error) {
	text, err := files.ReadFile("bugs.yaml")
	if err != nil {
		return nil, err
	}
	var bugs []bug
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&bugs); err != nil {
		return nil, fmt.Errorf("bugs.yaml: %w", err)
	}
	var errs []error
	for i, b := range bugs {
		errs = append(errs, b.check())
		if indexOf(bugs, b.ID) != i {
			errs = append(errs, fmt.Errorf("bugs.yaml: two bugs have the id %s", b.ID))
		}
	}
	return bugs, errors.Join(errs...)
}

// indexOf returns the index of a bug in the list, or -1 if there is no such bug.
func indexOf(bugs []bug, id string) int {
	return slices.IndexFunc(bugs, func(b bug) bool { return b.ID == id })
}

// check returns an error if the entry of a bug is incomplete or wrong.
func (b bug) check() error {
	switch {
	case b.ID == "" || b.Wrong == "" || b.File == "" || b.Old == "":
		return fmt.Errorf("bugs.yaml: bug %q needs id, wrong, file and old", b.ID)
	case !slices.Contains(classes(), b.Class):
		return fmt.Errorf("bugs.yaml: bug %s: class %q; accepted: %s", b.ID, b.Class, strings.Join(classes(), ", "))
	case b.Old == b.New:
		return fmt.Errorf("bugs.yaml: bug %s: old and new are the same text", b.ID)
	case !strings.HasSuffix(b.File, ".go") || strings.HasSuffix(b.File, "_test.go"):
		return fmt.Errorf("bugs.yaml: bug %s: file %s; accepted: a Go file that is not a test", b.ID, b.File)
	}
	return nil
}

// changed returns the text of the bug's file, read below root, with the bug in it. The text Old must occur in the file
// exactly once.
func (b bug) changed(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(b.File)))
	if err != nil {
		return "", fmt.Errorf("bug %s: %w", b.ID, err)
	}
	if n := strings.Count(string(text), b.Old); n != 1 {
		return "", fmt.Errorf("bug %s: its old text occurs %d times in %s, not once: adapt the bug in bugs.yaml",
			b.ID, n, b.File)
	}
	return strings.Replace(string(text), b.Old, b.New, 1), nil
}

// pkg returns the package of the bug's file as an argument of go test, such as ./solvers/eg.
func (b bug) pkg() string { return "./" + path.Dir(b.File) }

// hash returns a hash of the change of the code. A stored result is valid only for the change with this hash.
func (b bug) hash() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{b.File, b.Old, b.New}, "\x00")))
	return hex.EncodeToString(sum[:6])
}
