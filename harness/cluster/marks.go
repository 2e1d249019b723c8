package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/replace"
)

// Extensions of the files that record the progress of tasks, in the folder tasks.
const (
	begun   = ".begun"
	done    = ".done"
	failure = ".failed"
)

// mark records that task n has begun, is done or has failed. It writes a file for the task: the argument "what" is the
// extension of its name, and text is its content. If the task begins or is done, mark removes the record of an earlier
// failure.
func (c *Campaign) mark(n int, what, text string) error {
	file := func(ending string) string { return filepath.Join(c.Dir, "tasks", fmt.Sprint(n)+ending) }
	if err := replace.WriteFile(file(what), []byte(text), 0o666); err != nil {
		return err
	}
	if what == done || what == begun {
		if err := os.Remove(file(failure)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// why returns the reason that a failed task recorded.
func (c *Campaign) why(n int) string {
	text, err := os.ReadFile(filepath.Join(c.Dir, "tasks", fmt.Sprint(n)+failure))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// marks returns, for each extension, the set of tasks that have a file with this extension.
func (c *Campaign) marks() (map[string]map[int]bool, error) {
	out := map[string]map[int]bool{begun: {}, done: {}, failure: {}}
	names, err := namesIn(filepath.Join(c.Dir, "tasks"))
	for name := range names {
		word, _, _ := strings.Cut(name, ".")
		if n, bad := strconv.Atoi(word); bad == nil && out[filepath.Ext(name)] != nil {
			out[filepath.Ext(name)][n] = true
		}
	}
	return out, err
}

// namesIn returns the set of file names in a folder, or nil if the folder does not exist.
func namesIn(dir string) (map[string]bool, error) {
	folder, err := os.Open(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	list, err := folder.Readdirnames(-1)
	names := make(map[string]bool, len(list))
	for _, name := range list {
		names[name] = true
	}
	return names, err
}
