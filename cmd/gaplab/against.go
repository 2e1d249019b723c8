package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

// referencesOf returns the path of a folder with references. against is such a folder, a git revision, or "" for the
// usual results folder. For a git revision, the results at the given scale are written to a temporary folder, which
// drop removes.
func referencesOf(against, scale string) (root string, drop func(), err error) {
	keep := func() {}
	if against == "" {
		return resultsFolder(), keep, nil
	}
	if info, err := os.Stat(against); err == nil && info.IsDir() {
		return against, keep, nil
	}
	here, err := filepath.Abs(resultsFolder())
	if err != nil {
		return "", keep, err
	}
	text, err := archived(filepath.Dir(here), against, path.Join(filepath.Base(here), scale))
	if err != nil {
		return "", keep, term.Usage("%s is neither a folder nor a git revision: %w", against, err)
	}
	dir, err := os.MkdirTemp("", "gaplab-against-")
	if err != nil {
		return "", keep, err
	}
	drop = func() { os.RemoveAll(dir) }
	if err := untar(dir, text); err != nil {
		drop()
		return "", keep, err
	}
	return filepath.Join(dir, filepath.Base(here)), drop, nil
}

// archived returns a folder below dir at a git revision, as a tar archive.
func archived(dir, revision, folder string) ([]byte, error) {
	if strings.HasPrefix(revision, "-") {
		return nil, errors.New("a revision cannot begin with a dash")
	}
	git := func(args ...string) ([]byte, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = errors.New("git: " + term.FirstLine(string(exit.Stderr)))
		}
		return out, err
	}
	if _, err := git("rev-parse", "--verify", "--quiet", revision+"^{commit}"); err != nil {
		return nil, errors.New("git finds no such commit here (a shallow clone has only one commit: fetch the others)")
	}
	return git("archive", "--format=tar", revision, "--", folder)
}

// inHistory reports whether the checkout of the results folder is at a commit or at a later one.
func inHistory(commit string) bool {
	here, err := filepath.Abs(resultsFolder())
	if err != nil || strings.HasPrefix(commit, "-") {
		return false
	}
	cmd := exec.Command("git", "merge-base", "--is-ancestor", commit, "HEAD")
	cmd.Dir = filepath.Dir(here)
	return cmd.Run() == nil
}

// untar writes the files of a tar archive into a folder. It returns an error if a file's name leads out of the folder.
func untar(dir string, text []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for r := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := root.MkdirAll(filepath.FromSlash(path.Dir(h.Name)), 0o777); err != nil {
			return err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := root.WriteFile(filepath.FromSlash(h.Name), content, 0o666); err != nil {
			return err
		}
	}
}
