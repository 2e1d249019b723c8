package main

import (
	"os"
	"path/filepath"
)

// resultsFolder is the folder results of the checkout that the working directory lies in, else results below the
// working directory.
func resultsFolder() string {
	here, err := os.Getwd()
	if err != nil {
		return "results"
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if isFolder(filepath.Join(dir, "results")) && isFolder(filepath.Join(dir, "experiments")) {
			return relative(here, filepath.Join(dir, "results"))
		}
		if dir == filepath.Dir(dir) {
			return "results"
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// relative is the path as seen from the working directory, which is shorter to read; the path itself if there is none.
func relative(here, path string) string {
	if r, err := filepath.Rel(here, path); err == nil {
		return r
	}
	return path
}

// makeFolderOf makes the folder that a file is to lie in.
func makeFolderOf(path string) error { return os.MkdirAll(filepath.Dir(path), 0o755) }

// folderOf is the folder of a file; empty if there is no file.
func folderOf(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Dir(path)
}
