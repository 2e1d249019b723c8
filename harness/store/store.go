// Package store stores runs in files. Each of your own runs has an append-only file; the runs in git have one pack for
// each experiment and scale. The package depends on keys, but neither on solvers nor on specs.
//
// Several processes may work in one folder. A run is written under a temporary unique name and linked to its final name
// when it has ended. So the first writer wins, and a file with a final name is complete. Locks only avoid duplicate
// work; correctness does not depend on them.
//
// A folder of runs contains
//
//	KEY.jsonl             a result
//	KEY.part.jsonl        the last run that was interrupted or failed
//	KEY.WORD.part.jsonl   a run in progress, or one whose process was killed
//	KEY.state             the checkpoint of a long run: its rows so far and the state of its solver
//	KEY.jsonl.unreadable  an earlier KEY.jsonl that could not be read
//	KEYDIGEST.weights.json.gz  weights that a result names
//	.trials/KEY.POINT.jsonl  a run up to a point where runs are compared and only the best continue
//	index                 for the settings of each run, the key of its latest result
//
//	runs := store.Open("results/runs").Folder("eg/fig06", "smoke")
//	draft, err := runs.Begin(key, manifest)
//	err = draft.Append(row)
//	file, err := draft.Finish(trace.End{Status: trace.Done}) // this run, or the result of a faster process
package store

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// Store is a folder with the runs of all experiments.
type Store struct {
	dir  string
	mu   sync.Mutex
	root *os.Root // opened when first used; files outside of this folder cannot be reached
}

// Open returns the store in a folder, which need not exist.
func Open(dir string) *Store { return &Store{dir: dir} }

// Folder returns the runs of an experiment at a scale.
func (s *Store) Folder(experiment, scale string) *Folder {
	return &Folder{store: s, name: path.Join(experiment, scale), scale: scale}
}

// Folder is the runs of one experiment at one scale.
type Folder struct {
	store *Store
	name  string // path of the folder relative to the store, with slashes
	scale string
}

// Dir returns the path of the folder.
func (f *Folder) Dir() string { return filepath.Join(f.store.dir, filepath.FromSlash(f.name)) }

const (
	ending  = ".jsonl"      // ending of a result's file name
	part    = ".part.jsonl" // ending for the file of a run that is in progress, was interrupted or failed
	aside   = ".unreadable" // appended to the name of a file that could not be read and was replaced
	trials  = ".trials"     // subfolder of trials: runs up to the point where they are compared (lang.Choose)
	locks   = ".locks"      // subfolder of the store with the files of locks
	indexed = "index"       // file of a folder: the last key of each plan key
)

// ResultName returns the file name of a key's result.
func ResultName(key string) string { return key + ending }

// opened returns the store's folder, which it opens at the first call. If create is true, it creates a missing folder.
func (s *Store) opened(create bool) (*os.Root, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.root != nil {
		return s.root, nil
	}
	if create {
		if err := os.MkdirAll(s.dir, 0o777); err != nil {
			return nil, err
		}
	}
	root, err := os.OpenRoot(s.dir)
	if err == nil {
		s.root = root
	}
	return root, err
}

// file returns the path, relative to the store, of the file with a name in the folder.
func (f *Folder) file(name string) string { return path.Join(f.name, name) }

// read reads the run in a file of the store. It returns an error if the file's name does not begin with the run's key,
// or if a result has no end line.
func (s *Store) read(name string) (*trace.File, error) {
	root, err := s.opened(false)
	if err != nil {
		return nil, err
	}
	file, err := openRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	f, err := trace.Parse(filepath.Join(s.dir, filepath.FromSlash(name)), text)
	if err != nil {
		return nil, err
	}
	if key, _, _ := strings.Cut(path.Base(name), "."); key != f.Manifest.Key {
		return nil, errMisnamed
	}
	if strings.HasSuffix(name, ending) && !strings.HasSuffix(name, part) && f.End == nil &&
		f.Manifest.Format == trace.Format {
		return nil, errShort
	}
	return f, nil
}

// openRegular opens a file of the store. It returns an error for a pipe or a device, because another user may have put
// it there.
func openRegular(root *os.Root, name string) (*os.File, error) {
	name = filepath.FromSlash(name)
	info, err := root.Stat(name)
	if err == nil {
		err = machine.Regular(name, info)
	}
	if err != nil {
		return nil, err
	}
	return root.Open(name)
}

var (
	errMisnamed = errors.New("the file's name does not match its key")
	errShort    = errors.New("damaged: its end is missing")
)

// Finished returns the result of a key, or nil if there is none. If the file of the result cannot be read, Finished
// returns an error.
func (f *Folder) Finished(key string) (*trace.File, error) { return f.get(key + ending) }

// Unfinished returns the last run of a key that was interrupted or failed, or nil if there is none.
func (f *Folder) Unfinished(key string) (*trace.File, error) { return f.get(key + part) }

func (f *Folder) get(name string) (*trace.File, error) {
	file, err := f.store.read(f.file(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return file, err
}
