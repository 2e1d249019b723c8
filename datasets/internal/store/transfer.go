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
// The modification time of the part is set to the server's Last-Modified and sent back in If-Range. So a part is
// resumed only if the file on the server is unchanged; a part that a crash left behind is downloaded again from the
// start.
type Transfer struct {
	Client   *http.Client
	URL      string
	Part     string                  // path of the .part file
	Silence  time.Duration           // of the server, after which the transfer fails
	Limit    int64                   // largest number of bytes of the file; 0: any number
	Progress func(done, total int64) // nil, or called with the bytes so far and in total, -1 if unknown
}

// Run appends the rest of the body to the part, and reports whether it resumed an earlier download. If the connection
// breaks, the part stays.
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
		return true, nil // nothing is left to send: the check decides
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

// get requests the file from byte have on.
func (t *Transfer) get(ctx context.Context, have int64, modified time.Time) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // the bytes of the file, not an encoding for the transfer
	if have > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		req.Header.Set("If-Range", modified.UTC().Format(http.TimeFormat))
	}
	return t.Client.Do(req)
}

// copy appends the body to the have bytes of the part, and syncs the part to disk.
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
			return fmt.Errorf("%s: the body broke off after %d of %d bytes; fetch again to resume: %w", t.URL, done, total,
				cause(ctx, readErr))
		}
	}
}

// tooLong removes the part and returns the error for a body that is longer than the file can be.
func (t *Transfer) tooLong(bytes int64) error {
	os.Remove(t.Part)
	return fmt.Errorf("%s: the server sends %d bytes or more, of a file of at most %d: not the published file", t.URL,
		bytes, t.Limit)
}

// report calls Progress, unless it is nil.
func (t *Transfer) report(done, total int64) {
	if t.Progress != nil {
		t.Progress(done, total)
	}
}

// keep sets the modification time of the part to the server's Last-Modified, so that it can be resumed.
func (t *Transfer) keep(file *os.File, resp *http.Response) {
	if modified, err := http.ParseTime(resp.Header.Get("Last-Modified")); err == nil {
		_ = os.Chtimes(file.Name(), time.Time{}, modified) // if this fails, the next fetch starts from the beginning
	}
}

// close closes the part. After a failure it removes an empty part.
func (t *Transfer) close(file *os.File, failure error) {
	info, err := file.Stat()
	file.Close()
	if failure != nil && err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		os.Remove(t.Part)
	}
}

// restart empties a part that cannot be resumed.
func restart(file *os.File, have int64) error {
	if have == 0 {
		return nil
	}
	return file.Truncate(0)
}

// cause returns the cause that cancelled the context if there is one, and otherwise err.
func cause(ctx context.Context, err error) error {
	if c := context.Cause(ctx); c != nil {
		return c
	}
	return err
}
