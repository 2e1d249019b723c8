package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

// Source finds the files for loaders. It looks in the folder Data, then in the folder Cache, then at the URLs in the
// catalogue. The zero value finds no files, which suffices for generators.
type Source struct {
	Data     string         // the folder GAPLAB_DATA, to which gaplab never writes; "": no such folder
	Cache    string         // folder of downloads and fetched copies; "": nothing is downloaded
	Dir      string         // folder to which paths in a spec are relative; "": the working folder
	Offline  bool           // if true, nothing is downloaded
	Client   *http.Client   // client for downloads; nil: a client that fails if the server does not answer
	Progress func(Progress) // called during downloads, in the goroutine that calls Load; may be nil
	Parsed   Parsed         // cache of parsed data

	read *readFiles // records the files that are read, if not nil
}

// Progress is the state of one download.
type Progress struct {
	File  string // name of the file in the catalogue
	URL   string // address of the download
	Done  int64  // bytes downloaded so far, including those of earlier attempts
	Total int64  // bytes of the whole file, −1 if the server did not state its length
}

// SourceFromEnv returns a Source with the folders that environment variables name. Data is GAPLAB_DATA. Cache is the
// folder gaplab in XDG_CACHE_HOME or else in .cache of the home folder; a relative XDG_CACHE_HOME is ignored, as the
// XDG specification requires. Parsed data are stored in the folder parsed of Cache, up to GAPLAB_PARSED_MB megabytes
// (default 1000). If GAPLAB_PARSED_MB is 0 or not a number, no parsed data are stored.
func SourceFromEnv(getenv func(string) string) Source {
	s := Source{Data: getenv("GAPLAB_DATA")}
	cache := getenv("XDG_CACHE_HOME")
	if !filepath.IsAbs(cache) {
		cache = ""
		for _, home := range []string{getenv("HOME"), getenv("USERPROFILE")} {
			if home != "" {
				cache = filepath.Join(home, ".cache")
				break
			}
		}
	}
	if cache != "" {
		s.Cache = filepath.Join(cache, "gaplab")
		s.Parsed = Parsed{Folder: filepath.Join(s.Cache, "parsed"), Limit: parsedLimit, Least: parsedLeast}
	}
	if limit := getenv("GAPLAB_PARSED_MB"); limit != "" {
		mb, _ := strconv.ParseUint(limit, 10, 32)
		s.Parsed.Limit = int64(mb) * 1_000_000
	}
	return s
}

// InData and InCache are the places where a copy of a file can be: the folder GAPLAB_DATA or the cache.
const (
	InData  = "GAPLAB_DATA"
	InCache = "cache"
)

// find looks for a copy of f, without reading it.
func (s Source) find(f File) (path, place string, ok bool) {
	if p, ok := f.in(s.Data, false); ok {
		return p, InData, true
	}
	if p, ok := f.in(s.Cache, false); ok {
		return p, InCache, true
	}
	return "", "", false
}

// missing returns the error for a file f that find has not found. It names the places where find looks.
func (s Source) missing(set string, f File) *MissingError {
	e := &MissingError{Set: set, File: f.Name, Offline: s.Offline}
	if s.Data == "" {
		e.Looked = append(e.Looked, "GAPLAB_DATA (not set)")
	} else {
		e.Looked = append(e.Looked, fmt.Sprintf("GAPLAB_DATA (%s)", s.Data))
	}
	if s.Cache == "" {
		e.Looked = append(e.Looked, "no cache (neither XDG_CACHE_HOME nor HOME is set)")
	} else {
		e.Looked = append(e.Looked, fmt.Sprintf("the cache (%s)", s.Cache))
	}
	return e
}

// Own returns an error that wraps ErrMissing for each of the user's own files that does not exist.
func (s Source) Own(paths ...string) error {
	var errs []error
	for _, path := range paths {
		if _, err := os.Stat(s.own(path)); errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("%w: %w", ErrMissing, err))
		}
	}
	return errors.Join(errs...)
}

// own returns the path at which to open a user's file. A relative path is relative to s.Dir.
func (s Source) own(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.Dir, path)
}
