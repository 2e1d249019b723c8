package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
)

// Source says where the files of data sets are looked for, in this order: Data, Cache, and the catalogue's URLs.
// The zero value finds nothing and is enough for generators.
type Source struct {
	Data     string         // folder of GAPLAB_DATA, or "": never written to
	Cache    string         // folder of downloads and fetched copies, or "": then nothing is downloaded
	Dir      string         // folder to which paths in a spec are relative; "": the working folder
	Offline  bool           // never download
	Client   *http.Client   // nil: a client that gives up on a silent server
	Progress func(Progress) // nil, or called during downloads, by the goroutine that loads
	Parsed   Parsed         // where Load keeps data in binary form

	read *readFiles // nil, or takes notes of what is read
}

// Progress is the state of one download.
type Progress struct {
	File  string // name in the catalogue
	URL   string // that it comes from
	Done  int64  // bytes so far, those of an earlier attempt included
	Total int64  // bytes in all, -1 if the server did not say
}

// SourceFromEnv reads GAPLAB_DATA, and XDG_CACHE_HOME or else the home folder, through getenv. As the XDG specification
// requires, a relative XDG_CACHE_HOME is ignored. Data in binary form are kept in the folder parsed of the cache, up to
// GAPLAB_PARSED_MB megabytes: by default 1000; 0, or what is no number, keeps none.
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

// Places of a file that was found.
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

// missing is the error for f, with the places that find looks in.
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

// Read finds or downloads f, passes its decompressed content to parse, and checks the content. parse gets the
// path, for its errors.
func (s Source) Read(ctx context.Context, set string, f File, parse func(path string, r io.Reader) error) error {
	path, place, ok := s.find(f)
	if !ok {
		var err error
		if path, err = s.download(ctx, set, f); err != nil {
			return err
		}
		place = InCache
	}
	err := f.read(ctx, path, s.read, func(r io.Reader) error { return parse(path, r) })
	if errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%s: %w; %s", set, err, remedy(set, place))
	}
	return err
}

// remedy says what to do about a damaged copy.
func remedy(set, place string) string {
	if place == InData {
		return "replace or remove that copy in GAPLAB_DATA"
	}
	return "get it again with: gaplab data fetch " + set
}

// Owned is a loader of the user's own files.
type Owned interface {
	Loader
	Paths() []string // as the settings have them
}

// Own returns an error that wraps ErrMissing for each of a user's own files that is not there.
func (s Source) Own(paths ...string) error {
	var errs []error
	for _, path := range paths {
		if _, err := os.Stat(s.own(path)); errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("%w: %w", ErrMissing, err))
		}
	}
	return errors.Join(errs...)
}

// ReadOwn passes the decompressed content of a user's own file to parse, which gets the path that it was found
// under, and returns the hex SHA-256 of the content. A relative path starts from Dir. Nothing is downloaded, and
// nothing read after an error of parse.
func (s Source) ReadOwn(ctx context.Context, path string, parse func(path string, r io.Reader) error) (sum string,
	err error) {
	at := s.own(path)
	c, parseErr, err := readHashed(ctx, at, s.read != nil, false, func(r io.Reader) error { return parse(at, r) })
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrMissing, err)
	}
	if err := cmp.Or(err, parseErr); err != nil {
		return "", err
	}
	s.read.add(readFile{Path: path}, c)
	return c.sum, nil
}
