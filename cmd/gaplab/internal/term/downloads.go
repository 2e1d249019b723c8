package term

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/internal/amount"
)

// Downloads shows the progress of downloads. On a terminal it updates one line; elsewhere it prints a line every few
// seconds.
type Downloads struct {
	w    io.Writer
	file string
	bar  *progressbar.ProgressBar
	last time.Time
}

// NewDownloads returns a Downloads that writes to w.
func NewDownloads(w io.Writer) *Downloads { return &Downloads{w: w} }

// Progress shows the progress of one download. The goroutine that downloads calls it.
func (d *Downloads) Progress(p datasets.Progress) {
	if p.File != d.file {
		d.file, d.last = p.File, time.Now()
		fmt.Fprintf(d.w, "downloading %s from %s\n", p.File, p.URL)
		d.bar = nil
		if IsTerminal(d.w) {
			d.bar = progressbar.NewOptions64(p.Total, progressbar.OptionSetWriter(d.w), progressbar.OptionShowBytes(true),
				progressbar.OptionThrottle(liveEvery), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))
		}
	}
	if d.bar != nil {
		_ = d.bar.Set64(p.Done) // an error of drawing is ignored
		return
	}
	if time.Since(d.last) < 5*time.Second {
		return
	}
	d.last = time.Now()
	if p.Total > 0 {
		fmt.Fprintf(d.w, "%s: %s of %s\n", p.File, amount.Bytes(p.Done), amount.Bytes(p.Total))
		return
	}
	fmt.Fprintf(d.w, "%s: %s\n", p.File, amount.Bytes(p.Done))
}
