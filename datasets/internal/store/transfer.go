package store

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

// Transfer is an HTTP download into a .part file.
//
// When a transfer is interrupted, the modification time of the .part file is set to the server's Last-Modified. The
// next transfer sends this time in If-Range, so it resumes only if the file on the server has not changed. After a
// crash the .part file has another time, and the file is downloaded again from the start.
type Transfer struct {
	Client   *http.Client
	URL      string
	Part     string                  // path of the .part file
	Silence  time.Duration           // time without data after which the transfer fails
	Limit    int64                   // largest size of the file in bytes; 0: no limit
	Progress func(done, total int64) // called with the number of bytes so far and in total (-1 if unknown); may be nil
}

// Run downloads the rest of the file, appends it to the .part file, and reports whether it resumed an earlier download.
// If the connection is lost, the .part file is not removed.
func (t *Transfer) Run(ctx context.Context) (resumed bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stall := time.AfterFunc(t.Silence, func() { cancel(fmt.Errorf("no data for %v", t.Silence)) })
	defer stall.Stop()

	file, err := os.OpenFile(t.Part, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return false, &DiskError{Err: err}
	}
	defer func() { t.close(file, err) }()
	info, err := file.Stat()
	if err != nil {
		return false, &DiskError{Err: err}
	}
	have := info.Size()
	resp, err := t.get(ctx, have, info.ModTime())
	if err != nil {
		return false, fmt.Errorf("%s: %w", t.URL, cause(ctx, err))
	}
	defer resp.Body.Close()

	switch {
	case resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return true, nil // the .part file is complete or too long: the caller checks its content
	case resp.StatusCode == http.StatusPartialContent &&
		strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)):
	case resp.StatusCode == http.StatusOK:
		if err := restart(file, have); err != nil {
			return false, &DiskError{Err: err}
		}
		have = 0
	default:
		return false, fmt.Errorf("%s: the server answered %s", t.URL, resp.Status)
	}
	if _, err := file.Seek(have, io.SeekStart); err != nil {
		return false, &DiskError{Err: err}
	}
	return have > 0, t.copy(ctx, file, resp, have, stall)
}

// get requests the file, from the byte with index have.
func (t *Transfer) get(ctx context.Context, have int64, modified time.Time) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // the server must send the bytes of the file, not compress them
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", modified.UTC().Format(http.TimeFormat))
	}
	return t.Client.Do(req)
}

// copy appends the body of the response to the .part file, which has have bytes, and syncs the file to disk.
func (t *Transfer) copy(ctx context.Context, file *os.File, resp *http.Response, have int64, stall *time.Timer) error {
	total := int64(-1)
	if resp.ContentLength >= 0 {
		total = have + resp.ContentLength
	}
	if t.Limit > 0 && total > t.Limit {
		return t.tooLong(total)
	}
	done := have
	buf := make([]byte, 1<<17)
	for {
		t.report(done, total)
		n, readErr := resp.Body.Read(buf)
		stall.Reset(t.Silence)
		if _, err := file.Write(buf[:n]); err != nil {
			return DiskFailure(err, total-done)
		}
		if done += int64(n); t.Limit > 0 && done > t.Limit {
			return t.tooLong(done)
		}
		switch readErr {
		case nil:
		case io.EOF:
			t.report(done, total)
			if err := file.Sync(); err != nil {
				return DiskFailure(err, 0)
			}
			return nil
		default:
			t.keep(file, resp)
			of := ""
			if total >= 0 {
				of = fmt.Sprintf(" of %d", total)
			}
			return fmt.Errorf("%s: the body broke off after %d%s bytes; fetch again to resume: %w", t.URL, done, of,
				cause(ctx, readErr))
		}
	}
}

// tooLong removes the .part file, and returns the error for a response that is longer than t.Limit.
func (t *Transfer) tooLong(bytes int64) error {
	os.Remove(t.Part)
	return fmt.Errorf("%s: the server sends %d bytes or more, but the file has at most %d: it is not the published file",
		t.URL, bytes, t.Limit)
}

// report calls Progress if it is not nil.
func (t *Transfer) report(done, total int64) {
	if t.Progress != nil {
		t.Progress(done, total)
	}
}

// keep sets the modification time of the .part file to the server's Last-Modified, so that the next transfer can
// resume.
func (t *Transfer) keep(file *os.File, resp *http.Response) {
	if modified, err := http.ParseTime(resp.Header.Get("Last-Modified")); err == nil {
		_ = os.Chtimes(file.Name(), time.Time{}, modified) // if this fails, the next fetch starts from the beginning
	}
}

// close closes the .part file. After a failure it removes the file if it is empty.
func (t *Transfer) close(file *os.File, failure error) {
	info, err := file.Stat()
	file.Close()
	if failure != nil && err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		os.Remove(t.Part)
	}
}

// restart empties a .part file that cannot be resumed.
func restart(file *os.File, have int64) error {
	if have == 0 {
		return nil
	}
	return file.Truncate(0)
}

// cause returns the error with which ctx was cancelled. If ctx was not cancelled, cause returns err.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}
