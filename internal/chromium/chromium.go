// Package chromium finds the browser that makes PDFs and with which tests open pages.
package chromium

import (
	"errors"
	"os/exec"
)

// ErrNone is the error of Find if there is no browser.
var ErrNone = errors.New("no Chromium in PATH")

// Find returns the path of Chromium, or of a browser that is controlled in the same way.
func Find() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNone
}
