package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/gaplab/gaplab/datasets/internal/store"
)

// stallTime is the time without data after which a download fails.
const stallTime = time.Minute

// download downloads f into the cache and returns the path of the copy. It tries the URLs in order. If all fail, the
// error reports the failure of each URL. The file gets its final name only when it is complete and checked. An
// incomplete download stays in the same folder as a .part file, which the next download resumes. An archive stays in
// the cache, since other files may be extracted from it. A lock prevents other processes from downloading the same data
// set at the same time.
func (s Source) download(ctx context.Context, set string, f File) (string, error) {
	missing := s.missing(set, f)
	if s.Offline || s.Cache == "" || len(f.URLs) == 0 {
		return "", missing
	}
	base := filepath.Join(s.Cache, filepath.FromSlash(f.stem()))
	if err := os.MkdirAll(filepath.Dir(base), 0o755); err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	unlock, err := store.Lock(ctx, filepath.Join(filepath.Dir(base), ".lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	if path, ok := f.in(s.Cache, false); ok && f.check(ctx, path) == nil {
		return path, nil // another process downloaded the file while this process waited for the lock
	}
	if archive, ok := f.archiveIn(s.Cache, false); ok {
		if temp, err := f.unpack(ctx, archive, archive, base); err == nil {
			defer os.Remove(temp)
			return f.install(temp, base)
		} // otherwise the archive is damaged or outdated, and is downloaded again
	}
	for _, url := range f.URLs {
		path, err := s.downloadFrom(ctx, f, base, url)
		if err == nil {
			return path, nil
		}
		var disk *store.DiskError
		if ctx.Err() != nil || errors.As(err, &disk) {
			return "", fmt.Errorf("%s: %w", set, err)
		}
		missing.Tries = append(missing.Tries, err)
	}
	return "", missing
}

// partPath returns the path of the .part file for a URL. Mirrors may compress the content differently, so each URL has
// its own .part file.
func partPath(base, url string) string {
	tag := sha256.Sum256([]byte(url))
	return base + "." + hex.EncodeToString(tag[:4]) + ".part"
}

// target returns the path of the file that is downloaded from a URL, without the suffix of its compression format. The
// path is base or, for an archive, a path in the same folder.
func (f File) target(base, url string) string {
	if f.Member == "" {
		return base
	}
	return filepath.Join(filepath.Dir(base), path.Base(url))
}

// limit returns the largest number of bytes that is accepted from a URL. A compressed file is longer than its content
// by at most a header and a few bytes per block. The catalogue does not have the lengths of archives, so the limit for
// an archive is much higher than usual lengths.
func (f File) limit() int64 {
	if f.Member != "" {
		return max(1<<28, 32*f.Bytes)
	}
	return f.Bytes + f.Bytes/64 + 1<<16
}

// downloadFrom fetches f from one URL into a .part file, checks the file, and renames it to its final name.
func (s Source) downloadFrom(ctx context.Context, f File, base, url string) (string, error) {
	part := partPath(f.target(base, url), url)
	t := store.Transfer{Client: s.client(), URL: url, Part: part, Silence: stallTime, Limit: f.limit()}
	if s.Progress != nil {
		t.Progress = func(done, total int64) { s.Progress(Progress{File: f.Name, URL: url, Done: done, Total: total}) }
	}
	for {
		resumed, err := t.Run(ctx)
		if err != nil {
			return "", err
		}
		path, err := f.accept(ctx, part, base, url)
		if !errors.Is(err, ErrCorrupt) {
			return path, err
		}
		if err := os.Remove(part); err != nil {
			return "", &store.DiskError{Err: err}
		}
		if !resumed { // after a resumed download, the old .part file may be wrong: try once more from the start
			return "", err
		}
	}
}

// accept checks part, a file that was downloaded completely. This file is f itself or an archive, from which accept
// extracts f. Then accept moves the files to their final names.
func (f File) accept(ctx context.Context, part, base, url string) (string, error) {
	if f.Member == "" {
		if err := f.check(ctx, part); err != nil {
			return "", renamed(err, url)
		}
		return f.install(part, base)
	}
	temp, err := f.unpack(ctx, part, url, base)
	if err != nil {
		return "", err
	}
	defer os.Remove(temp)
	if err := os.Rename(part, f.target(base, url)); err != nil {
		return "", &store.DiskError{Err: err}
	}
	return f.install(temp, base)
}

// install renames the checked file at part to its final name, which is base with the suffix of the file's compression
// format. It removes copies in other compression formats and the .part files of all URLs.
func (f File) install(part, base string) (string, error) {
	suffix, err := store.SuffixOf(part)
	if err != nil {
		return "", err
	}
	path := base + suffix
	if err := os.Rename(part, path); err != nil {
		return "", &store.DiskError{Err: err}
	}
	for _, s := range store.Suffixes() {
		if s != suffix {
			os.Remove(base + s)
		}
	}
	for _, url := range f.URLs {
		os.Remove(partPath(f.target(base, url), url))
	}
	return path, nil
}

// Get downloads the file at a URL to the path part, and shows the progress under a name. If there is a file at this
// path, Get resumes the download. A file of more than limit bytes is an error. The caller checks the content.
func (s Source) Get(ctx context.Context, name, url, part string, limit int64) error {
	t := store.Transfer{Client: s.client(), URL: url, Part: part, Silence: stallTime, Limit: limit}
	if s.Progress != nil {
		t.Progress = func(done, total int64) { s.Progress(Progress{File: name, URL: url, Done: done, Total: total}) }
	}
	_, err := t.Run(ctx)
	return err
}

// client returns s.Client or, if this is nil, a client that returns an error if the server does not answer.
func (s Source) client() *http.Client {
	if s.Client != nil {
		return s.Client
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = stallTime
	return &http.Client{Transport: transport, CheckRedirect: staySecure}
}

// staySecure allows fewer than ten redirects and no redirect from https to http, because anyone on the network could
// answer an http request.
func staySecure(req *http.Request, via []*http.Request) error {
	if len(via) >= 10 {
		return errors.New("stopped after ten redirects")
	}
	if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("redirected to %s, which is not https", req.URL.Redacted())
	}
	return nil
}
