package main

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots"
)

// resultsFolder returns the path of the results folder relative to the working directory.
func resultsFolder() string {
	folder := harness.ResultsFolder()
	if here, err := os.Getwd(); err == nil && filepath.IsAbs(folder) {
		return relative(here, folder)
	}
	return folder
}

// relative returns a path relative to the folder that the parameter here names, since such a path is easier to read. If
// there is no such path, it returns the parameter path unchanged.
func relative(here, path string) string {
	if r, err := filepath.Rel(here, path); err == nil {
		return r
	}
	return path
}

// isFile reports whether there is a file, not a folder, at a path.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// makeFolderOf creates the folder of a file.
func makeFolderOf(path string) error { return os.MkdirAll(filepath.Dir(path), 0o755) }

// folderOf returns the folder of a file. If path is empty, it returns "".
func folderOf(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Dir(path)
}

// saveFigure draws a figure into files. Their extensions name the formats.
func saveFigure(fig figure.Figure, paths ...string) error {
	drawing, err := plots.Draw(fig)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := makeFolderOf(path); err != nil {
			return err
		}
		if err := drawing.Save(path); err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file. The copy appears under its name only when it is complete.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := makeFolderOf(to); err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(to), "."+filepath.Base(to)+".*")
	if err != nil {
		return err
	}
	_, err = draft.Write(text)
	err = errors.Join(err, draft.Chmod(0o644), draft.Close())
	if err == nil {
		err = os.Rename(draft.Name(), to)
	}
	if err != nil {
		os.Remove(draft.Name())
	}
	return err
}

// written writes a text to a file. If how is os.O_TRUNC it replaces the content; if how is os.O_APPEND it appends to
// it.
func written(path, text string, how int) error {
	if err := makeFolderOf(path); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
