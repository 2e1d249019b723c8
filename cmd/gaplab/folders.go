package main

import (
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/harness"
)

// resultsFolder is harness.ResultsFolder as seen from the working directory.
func resultsFolder() string {
	folder := harness.ResultsFolder()
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		return relative(here, folder)
	}
	return folder
}

// relative is the path as seen from the working directory, which is shorter to read; the path itself if there is none.
func relative(here, path string) string {
	if r, err := filepath.Rel(here, path); err == nil {
		return r
	}
	return path
}

// makeFolderOf makes the folder of a file that is about to be written.
func makeFolderOf(path string) error { return os.MkdirAll(filepath.Dir(path), 0o755) }

// folderOf is the folder of a file; empty if there is no file.
func folderOf(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Dir(path)
}
