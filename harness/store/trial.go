package store

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Trial is the run of a key up to the point of a choice, if some process has got there; nil if none has.
func (f *Folder) Trial(key, point string) *trace.File {
	file, err := f.get(trialName(key, point))
	if err != nil || file == nil || file.End == nil {
		return nil // a damaged one is made again
	}
	return file
}

// KeepTrial ends the run at the point of a choice, for all processes that decide it, and returns the trial that stands.
// It is no result yet; the result of its key will remove it.
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

// DropTrials removes the trials of a key, which has a result.
func (f *Folder) DropTrials(key string) {
	for _, name := range f.names(trials) {
		if strings.HasPrefix(name, key+".") {
			f.remove(path.Join(trials, name))
		}
	}
	f.remove(trials) // if it is empty
}
