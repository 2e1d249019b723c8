package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Note records the latest key of a run. plan is the hash of the settings of the run; key is the hash of the settings
// and the data. If the data change, key changes and plan does not. Readers look up here which of a run's keys is the
// latest.
func (f *Folder) Note(plan, key string) error {
	root, err := f.store.opened(true)
	if err != nil {
		return err
	}
	if f.index()[plan] == key {
		return nil
	}
	if err := root.MkdirAll(filepath.FromSlash(f.name), 0o777); err != nil {
		return err
	}
	file, err := root.OpenFile(filepath.FromSlash(f.file(indexed)), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "%s %s\n", plan, key)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// index returns, for the hash of the settings of each run, the latest key that was noted. It ignores damaged lines. If
// a line is missing, Runs may return the newest run instead.
func (f *Folder) index() map[string]string {
	keys := map[string]string{}
	root, err := f.store.opened(false)
	if err != nil {
		return keys
	}
	file, err := openRegular(root, f.file(indexed))
	if err != nil {
		return keys
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return keys
	}
	for line := range strings.Lines(string(text)) {
		if plan, key, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ok {
			keys[plan] = key
		}
	}
	return keys
}
