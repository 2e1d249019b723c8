package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// transfer is the HTTP request that fills one .part file.
//
// The part's modification time is set to the server's Last-Modified, and sent back in If-Range: a file that changed on
// the server since, or a part that a crash left behind, is fetched from the start instead of being continued.
type transfer struct {
	client    *http.Client
	progress  func(Progress)
	file, url string
	part      string
	silence   time.Duration // of the server, after which the transfer is given up
}

// run appends the rest of the body to the part, and reports whether it continued an earlier one. If the body is cut
// off, the part stays.
func (t *transfer) run(ctx context.Context) (resumed bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(t.silence, func() { cancel(fmt.Errorf("no data for %v", t.silence)) })
	defer stall.Stop()

	file, err := os.OpenFile(t.part, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return false, &diskError{err}
	}
	defer func() { t.close(file, err) }()
	info, err := file.Stat()
	if err != nil {
		return false, &diskError{err}
	}
	have := info.Size()
	resp, err := t.get(ctx, have, info.ModTime())
	if err != nil {
		return false, fmt.Errorf("%s: %w", t.url, cause(ctx, err))
	}
	defer resp.Body.Close()

	switch {
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return true, nil // nothing is left to send: the check decides
	case resp.StatusCode == http.StatusPartialContent &&
		strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
	case resp.StatusCode == http.StatusOK:
		if err := restart(file, have); err != nil {
			return false, &diskError{err}
		}
		have = 0
	default:
		return false, fmt.Errorf("%s: the server answered %s", t.url, resp.Status)
	}
	if _, err := file.Seek(have, io.SeekStart); err != nil {
		return false, &diskError{err}
	}
	return have > 0, t.copy(ctx, file, resp, have, stall)
}

// get asks for the file from byte have on.
func (t *transfer) get(ctx context.Context, have int64, modified time.Time) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // the bytes of the file, not a wrapping made under way
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", modified.UTC().Format(http.TimeFormat))
	}
	return t.client.Do(req)
}

// copy writes the body behind the have bytes of the part, and makes it durable.
func (t *transfer) copy(ctx context.Context, file *os.File, resp *http.Response, have int64, stall *time.Timer) error {
	total := int64(-1)
	if resp.ContentLength >= 0 {
		total = have + resp.ContentLength
	}
	done := have
	buf := make([]byte, 1<<17)
	for {
		t.report(done, total)
		n, readErr := resp.Body.Read(buf)
		stall.Reset(t.silence)
		if _, err := file.Write(buf[:n]); err != nil {
			return diskFailure(err, total-done)
		}
		done += int64(n)
		switch readErr {
		case nil:
		case io.EOF:
			t.report(done, total)
			if err := file.Sync(); err != nil {
				return diskFailure(err, 0)
			}
			return nil
		default:
			t.keep(file, resp)
			return fmt.Errorf("%s: the body broke off after %d of %d bytes; fetch again to resume: %w", t.url, done, total,
				cause(ctx, readErr))
		}
	}
}

// report tells of the progress, if anyone listens.
func (t *transfer) report(done, total int64) {
	if t.progress != nil {
		t.progress(Progress{File: t.file, URL: t.url, Done: done, Total: total})
	}
}

// keep marks the part with the server's date of the file, so that it can be resumed.
func (t *transfer) keep(file *os.File, resp *http.Response) {
	if modified, err := http.ParseTime(resp.Header.Get("Last-Modified")); err == nil {
		_ = os.Chtimes(file.Name(), time.Time{}, modified) // if it fails, the next fetch starts anew
	}
}

// close closes the part, and after a failure removes one that holds nothing.
func (t *transfer) close(file *os.File, failure error) {
	info, err := file.Stat()
	file.Close()
	if failure != nil && err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		os.Remove(t.part)
	}
}

// diskFailure explains an error of the disk; left is what was still to come, if positive.
func diskFailure(err error, left int64) error {
	if errors.Is(err, syscall.ENOSPC) {
		room := "some room"
		if left > 0 {
			room = fmt.Sprintf("%d bytes or more", left)
		}
		return &diskError{fmt.Errorf(
			"the disk of the cache is full: free %s there, or set XDG_CACHE_HOME to another disk, and fetch again: %w", room,
			err)}
	}
	return &diskError{err}
}

// restart empties a part that cannot be continued.
func restart(file *os.File, have int64) error {
	if have == 0 {
		return nil
	}
	return file.Truncate(0)
}

// cause is the reason why the context ended, if it did, else err.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}
