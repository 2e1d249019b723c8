package store

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// Find returns the runs of all experiments and scales whose keys begin with a prefix. If the folder of the store does
// not exist, Find returns no runs.
func (s *Store) Find(prefix string) ([]*trace.File, error) {
	root, err := s.opened(false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var found []*trace.File
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ending || !strings.HasPrefix(path.Base(name), prefix) {
			return err
		}
		file, err := s.read(name)
		if errors.Is(err, fs.ErrNotExist) { // another process has renamed the file since it was listed
			return nil
		}
		if err == nil {
			found = append(found, file)
		}
		return err
	})
	return found, err
}

// Find returns the kept runs at the given scales whose keys begin with a prefix. If several experiments share a run,
// Find returns it once for each experiment.
func (k *Kept) Find(prefix string, scales ...string) ([]*trace.File, error) {
	var found []*trace.File
	for _, scale := range scales {
		experiments, err := k.Experiments(scale)
		if err != nil {
			return nil, err
		}
		for _, id := range experiments {
			text, err := k.text(id, scale)
			if err != nil {
				return nil, err
			}
			if !bytes.Contains(text, []byte(`"key":"`+prefix)) {
				continue
			}
			files, err := k.Read(id, scale)
			if err != nil {
				return nil, err
			}
			for _, f := range files {
				if strings.HasPrefix(f.Manifest.Key, prefix) {
					found = append(found, f)
				}
			}
		}
	}
	return found, nil
}
