package store

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Runs contains the runs of a folder.
type Runs struct {
	Files map[string]*trace.File // the runs, by plan key (hash of the settings)
	// Left names the files that are not in Files, each with the reason: it is damaged, is not a trace, has another layout
	// or a wrong name.
	Left []string
	// Damaged contains, by plan key, the reason why the file of the plan's latest key (see Note) could not be read. Left
	// names this file too.
	Damaged map[string]string
}

// Runs reads all runs of the folder and returns one for each plan: the run whose key was noted last for the plan (see
// Note) or, if there is no such run, the newest. Of two runs with the same key, a result is preferred to an unfinished
// run. A file that cannot be read is listed in Left. If the folder does not exist, the error is fs.ErrNotExist.
func (f *Folder) Runs() (*Runs, error) {
	root, err := f.store.opened(false)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(root.FS(), f.name)
	if err != nil {
		return nil, err
	}
	runs := &Runs{Files: map[string]*trace.File{}, Damaged: map[string]string{}}
	keys, unreadable := f.index(), map[string]string{} // unreadable: reasons, by the key in the file's name
	for _, e := range entries {
		name := e.Name()
		if path.Ext(name) != ending || strings.HasPrefix(name, ".") || e.IsDir() {
			continue
		}
		file, err := f.store.read(f.file(name))
		switch {
		case errors.Is(err, fs.ErrNotExist): // another process has renamed the file since it was listed
			continue
		case err != nil && strings.HasSuffix(name, part) && !errors.Is(err, trace.ErrFormat):
			continue // a process is writing it
		case err != nil:
			why := reason(filepath.Join(f.Dir(), name), err)
			runs.Left = append(runs.Left, fmt.Sprintf("%s (%s)", name, why))
			unreadable[strings.TrimSuffix(name, ending)] = name + ": " + strings.TrimPrefix(why, "damaged: ")
			continue
		}
		if strings.HasSuffix(name, part) && Counts(file) {
			file.End = nil // a file without its final name is not a result: its process was killed, or will rename it soon
		}
		plan := file.Manifest.Plan
		if old := runs.Files[plan]; old == nil || better(file, old, keys[plan]) {
			runs.Files[plan] = file
		}
	}
	for plan, key := range keys {
		if text, ok := unreadable[key]; ok {
			runs.Damaged[plan] = text
			delete(runs.Files, plan) // an earlier run must not replace the damaged run
		}
	}
	return runs, nil
}

// better reports whether a is preferred to b as the run of a plan. key is the key that was noted last for the plan.
func better(a, b *trace.File, key string) bool {
	if x, y := a.Manifest.Key == key, b.Manifest.Key == key; x != y {
		return x
	}
	if x, y := Counts(a), Counts(b); x != y && a.Manifest.Key == b.Manifest.Key {
		return x
	}
	return a.Manifest.Start > b.Manifest.Start
}

// reason returns the reason in err why the file was left out, without the file's path.
func reason(path string, err error) string {
	text := strings.TrimPrefix(err.Error(), path)
	if after, ok := strings.CutPrefix(text, ": "); ok {
		text = after
	} else if after, ok := strings.CutPrefix(text, ":"); ok {
		text = "line " + after
	}
	var outside *fs.PathError
	if errors.As(err, &outside) {
		text = outside.Err.Error() // a link that leads out of the folder, or no permission
	}
	return strings.TrimSpace(text)
}

// Share looks for the result of a key in the other experiments of the paper. It selects the first result for which fits
// returns true. It adds the file of this result to the folder, by a hard link if possible, else by a copy. It returns
// nil if there is no such result.
func (f *Folder) Share(key string, fits func(*trace.File) bool) (*trace.File, error) {
	root, err := f.store.opened(true)
	if err != nil {
		return nil, err
	}
	// Each candidate is opened by its name: fs.Glob would read all names of every experiment's folder.
	paper := path.Dir(path.Dir(f.name))
	experiments, err := fs.ReadDir(root.FS(), paper)
	if err != nil {
		return nil, nil // no experiment of the paper has results
	}
	for _, experiment := range experiments {
		from := path.Join(paper, experiment.Name(), f.scale, key+ending)
		if path.Dir(from) == f.name {
			continue
		}
		file, err := f.store.read(from)
		if err != nil || !Counts(file) || !fits(file) {
			continue
		}
		if err := root.MkdirAll(filepath.FromSlash(f.name), 0o777); err != nil {
			return nil, err
		}
		if file.End.Weights != "" {
			name := path.Base(file.End.Weights)
			if err := f.bring(path.Join(path.Dir(from), name), name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		if err := f.bring(from, key+ending); err != nil {
			return nil, err
		}
		return f.Finished(key)
	}
	return nil, nil
}

// bring links a file of the store into the folder, or copies it if it cannot be linked.
func (f *Folder) bring(from, name string) error {
	root, err := f.store.opened(true)
	if err != nil {
		return err
	}
	to := filepath.FromSlash(f.file(name))
	err = root.Link(filepath.FromSlash(from), to)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := root.ReadFile(filepath.FromSlash(from))
	if err != nil {
		return err
	}
	return f.store.write(f.file(name), text)
}
