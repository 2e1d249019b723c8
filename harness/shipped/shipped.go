// Package shipped finds the kept results that come with a program, for folders that have none. Some of them are inside
// the program. The others are in an archive, which is fetched once into the user's cache. The program contains the
// checksum of the archive, so it never reads the results of another version.
//
//	r := shipped.New(shipped.Config{Inside: packs, Scales: []string{"paper"}, SHA256: sum, From: place})
//	kept, err := r.Kept("eg/fig06", "paper")
package shipped

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Variable is the environment variable that names the place of the archive.
const Variable = "GAPLAB_RESULTS"

// Config describes the results that come with a program.
type Config struct {
	Inside fs.FS    // packs in the program, by paths such as smoke/eg/fig06.jsonl
	Scales []string // scales of the packs in the archive
	SHA256 string   // hexadecimal SHA-256 of the archive
	// From is the place of the archive: its URL, its path, or the path of a folder. The folder contains the archive or, as
	// a results folder does, the packs themselves. A path may also name a crate of all results (package crate). "": the
	// place is not known.
	From    string
	Source  datasets.Source        // downloads the archive, and names the folder of the cache
	Context func() context.Context // returns the context of the download; nil: context.Background
	Note    func(text string)      // called once for each place whose results are used; may be nil
}

// Results finds the results that come with a program. It is safe for concurrent use. A nil pointer finds no results.
type Results struct {
	Config
	inside  *store.Kept
	archive func() (*store.Kept, error) // fetches the archive at its first call, unless it is in the cache

	mu    sync.Mutex
	noted map[*store.Kept]bool // places for which Note was called
}

// New returns the results that c describes. It reads nothing yet.
func New(c Config) *Results {
	r := &Results{Config: c, inside: store.KeepIn(c.Inside, "gaplab:"), noted: map[*store.Kept]bool{}}
	r.archive = sync.OnceValues(r.open)
	return r
}

// Elsewhere is the error of results that come with the program but are not on this machine.
type Elsewhere struct {
	From    string // place of the archive; "" if it is not known
	Archive string // file name of the archive
	Err     error  // why the archive cannot be read or fetched; nil if it is not there and its place is not known
}

func (e *Elsewhere) Error() string {
	if e.From != "" {
		return fmt.Sprintf("%s=%s: %s", Variable, e.From, strings.TrimPrefix(e.Err.Error(), e.From+": "))
	}
	advice := fmt.Sprintf("set %s to the folder results of a checkout, or to the path or URL of %s", Variable, e.Archive)
	if e.Err != nil {
		return fmt.Sprintf("%v; %s", e.Err, advice)
	}
	return advice
}

// Unwrap returns the reason.
func (e *Elsewhere) Unwrap() error { return e.Err }

// Kept returns the packs among which is the pack of an experiment. If no such pack comes with the program, the error is
// fs.ErrNotExist. If the pack is in the archive, and the archive cannot be fetched, the error is an Elsewhere.
func (r *Results) Kept(experiment, scale string) (*store.Kept, error) {
	if r == nil {
		return nil, fs.ErrNotExist
	}
	if r.inside.Has(experiment, scale) {
		return r.inside, nil
	}
	// each experiment that comes with the program has its reference in the program
	if !slices.Contains(r.Scales, scale) || !r.inside.Has(experiment, lang.ScaleSmoke) {
		return nil, fs.ErrNotExist
	}
	return r.archive()
}

// Here does the same as Kept, but fetches nothing. If the pack is in the archive, and the archive is not in the cache,
// the error is fs.ErrNotExist.
func (r *Results) Here(experiment, scale string) (*store.Kept, error) {
	if r != nil && !r.inside.Has(experiment, scale) && !isFile(r.file()) {
		return nil, fs.ErrNotExist
	}
	return r.Kept(experiment, scale)
}

// Find returns the runs whose keys begin with a prefix. It looks in the archive only if the program contains no such
// run. If the archive cannot be fetched, the error is an Elsewhere.
func (r *Results) Find(prefix string) ([]*trace.File, error) {
	if r == nil {
		return nil, nil
	}
	found, err := r.inside.Find(prefix, lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper)
	if err != nil || len(found) > 0 {
		return found, err
	}
	kept, err := r.archive()
	if err != nil {
		return nil, err
	}
	return kept.Find(prefix, r.Scales...)
}

// Tell calls Note with the place of the packs from, unless it did so before. The results of the experiment were read
// from these packs.
func (r *Results) Tell(experiment string, from *store.Kept) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Note == nil || r.noted[from] {
		return
	}
	r.noted[from] = true
	place := "this program"
	if from != r.inside {
		place = r.file()
	}
	r.Note(fmt.Sprintf("%s: the results are those in %s", experiment, place))
}
