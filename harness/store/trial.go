package store

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Trial returns the run of a key up to the point of a choice; nil if no process has finished it.
func (f *Folder) Trial(key, point string) *trace.File {
	file, err := f.get(trialName(key, point))
	if err != nil || file == nil || file.End == nil {
		return nil // a damaged trial is repeated
	}
	return file
}

// KeepTrial ends the run at the point of a choice and saves it as a trial, which all processes that make the choice
// read. It returns the trial, or the result of the key if another process has published one meanwhile. The result of
// the key removes the trial.
func (d *Draft) KeepTrial(point string, end trace.End) (*trace.File, error) {
	root, err := d.folder.store.opened(true)
	if err != nil {
		return nil, err
	}
	if err := root.MkdirAll(filepath.FromSlash(d.folder.file(trials)), 0o777); err != nil {
		return nil, err
	}
	return d.move(trialName(d.key, point), end)
}

func trialName(key, point string) string { return path.Join(trials, key+"."+point+ending) }

// DropTrials removes all trials of a key.
func (f *Folder) DropTrials(key string) {
	for _, name := range f.names(trials) {
		if strings.HasPrefix(name, key+".") {
			f.remove(path.Join(trials, name))
		}
	}
	f.remove(trials) // if it is empty
}
