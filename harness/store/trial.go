package store

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Trial returns the trial of a key that ends at the given point, or nil if no process has finished it. A trial is a run
// up to a point where runs are compared, and only the best continue (lang.Choose).
func (f *Folder) Trial(key, point string) *trace.File {
	file, err := f.get(trialName(key, point))
	if err != nil || file == nil || file.End == nil {
		return nil // a damaged trial counts as missing, so it is repeated
	}
	return file
}

// KeepTrial ends the run at the point where it is compared with others and saves it as a trial. Every process that
// compares the runs reads this trial. KeepTrial returns the trial or, if another process has published a result of the
// key, that result. The trial is removed once the key has a result.
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
	f.remove(trials) // fails if the folder is not empty
}
