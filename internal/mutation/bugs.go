// Package mutation measures how well the nets of the module catch a wrong change. It plants bugs in a copy of the
// module, one at a time, and notes the first net that catches each: the compiler, the tests of the package, the
// conformance suites, all tests, the gate, or what claims say of the kept results.
//
//	go run ./internal/mutation/plant          # what has no result yet; then docs/PLANTED.md
//	go run ./internal/mutation/plant -renew   # all, those with the oldest result first
//
// The bugs are a list of our own, in bugs.yaml. Tools that mutate Go (go-mutesting, gremlins, ooze) change operators,
// constants and statements wherever they find one: tens of thousands of programs here, of which most fail at once or
// compute the same, and each waits for the tests. What goes wrong in a harness of experiments is a change of meaning: a
// count of something else, a key that forgets a setting, a split that leaks, a tolerance of the wrong number. Only who
// knows the code can plant that; ooze takes mutators of one's own, but there would be one for each bug. Nor does any of
// them cast nets in the order of their cost, which makes a bug a matter of seconds.
package mutation

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

// Bug is a wrong change of one file.
type Bug struct {
	ID    string `yaml:"id"`
	Class string `yaml:"class"` // one of Classes
	Wrong string `yaml:"wrong"` // what is wrong, in one line
	File  string `yaml:"file"`  // from the module's root, slash-separated
	Old   string `yaml:"old"`   // stands exactly once in the file
	New   string `yaml:"new"`
	// Results: rows, verdicts, tables, figures or predictions come out otherwise, and not only messages, or what the gate
	// lets pass.
	Results bool `yaml:"results"`
	// Gate names the experiments whose smoke runs use the part; nil: all.
	Gate []string `yaml:"gate"`
	// Quick: cheap nets catch it, and it is planted before each merge.
	Quick bool `yaml:"quick"`
	// Survives says why no net is to catch it; "": one is.
	Survives string `yaml:"survives"`
}

// Classes are the kinds of bugs, in the order of the page.
func Classes() []string {
	return []string{"solver", "oracle", "metric", "clock", "count", "key", "reader", "claim"}
}

//go:embed bugs.yaml
var files embed.FS

// Bugs are all of the list.
func Bugs() ([]Bug, error) {
	text, err := files.ReadFile("bugs.yaml")
	if err != nil {
		return nil, err
	}
	var bugs []Bug
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&bugs); err != nil {
		return nil, fmt.Errorf("bugs.yaml: %w", err)
	}
	var errs []error
	known := map[string]bool{}
	for _, b := range bugs {
		if err := b.check(); err != nil {
			errs = append(errs, err)
		}
		if known[b.ID] {
			errs = append(errs, fmt.Errorf("bugs.yaml: two bugs are called %s", b.ID))
		}
		known[b.ID] = true
	}
	return bugs, errors.Join(errs...)
}

// check refuses a bug that says too little, or nothing.
func (b Bug) check() error {
	switch {
	case b.ID == "" || b.Wrong == "" || b.File == "" || b.Old == "":
		return fmt.Errorf("bugs.yaml: bug %q: want id, wrong, file and old", b.ID)
	case !slices.Contains(Classes(), b.Class):
		return fmt.Errorf("bugs.yaml: bug %s: class %q; accepted: %s", b.ID, b.Class, strings.Join(Classes(), ", "))
	case b.Old == b.New:
		return fmt.Errorf("bugs.yaml: bug %s changes nothing", b.ID)
	case !strings.HasSuffix(b.File, ".go") || strings.HasSuffix(b.File, "_test.go"):
		return fmt.Errorf("bugs.yaml: bug %s: file %s: want a file of Go, and no test", b.ID, b.File)
	}
	return nil
}

// Changed is the text of the bug's file below root with the bug in it. It is an error if the old text does not stand in
// it exactly once.
func (b Bug) Changed(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(b.File)))
	if err != nil {
		return "", fmt.Errorf("bug %s: %w", b.ID, err)
	}
	if n := strings.Count(string(text), b.Old); n != 1 {
		return "", fmt.Errorf("bug %s: its old text stands %d times in %s: want once", b.ID, n, b.File)
	}
	return strings.Replace(string(text), b.Old, b.New, 1), nil
}

// Package is the folder of the bug's file as go test takes it: ./solvers/eg.
func (b Bug) Package() string { return "./" + path.Dir(b.File) }

// Text is a hash of the change: a result is that of one change.
func (b Bug) Text() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{b.File, b.Old, b.New}, "\x00")))
	return hex.EncodeToString(sum[:6])
}
