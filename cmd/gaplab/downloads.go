package main

import (
	"fmt"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/gaplab/gaplab/datasets"
)

// downloads tells how far downloads are: a live line on a terminal, else a plain line each few seconds.
type downloads struct {
	sys  system
	file string
	bar  *progressbar.ProgressBar
	last time.Time
}

func newDownloads(sys system) *downloads { return &downloads{sys: sys} }

// progress is called from the goroutine that loads.
func (d *downloads) progress(p datasets.Progress) {
	if p.File != d.file {
		d.file, d.last = p.File, time.Now()
		fmt.Fprintf(d.sys.err, "downloading %s from %s\n", p.File, p.URL)
		d.bar = nil
		if isTerminal(d.sys.err) {
			d.bar = progressbar.NewOptions64(p.Total, progressbar.OptionSetWriter(d.sys.err), progressbar.OptionShowBytes(true),
				progressbar.OptionThrottle(liveEvery), progressbar.OptionClearOnFinish(), progressbar.OptionSetWidth(30))
		}
	}
	if d.bar != nil {
		_ = d.bar.Set64(p.Done) // a picture that cannot be drawn is no reason to stop
		return
	}
	if time.Since(d.last) < 5*time.Second {
		return
	}
	d.last = time.Now()
	if p.Total > 0 {
		fmt.Fprintf(d.sys.err, "%s: %s of %s\n", p.File, bytesText(p.Done), bytesText(p.Total))
		return
	}
	fmt.Fprintf(d.sys.err, "%s: %s\n", p.File, bytesText(p.Done))
}
