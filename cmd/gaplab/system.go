package main

import (
	"fmt"
	"io"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// system is what a command touches of the world around it, files apart.
type system struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	args     []string // the command line, without the program's name
}

// coloursOf says whether w, one of the outputs, shows colours.
func (sys system) coloursOf(w io.Writer) term.Colours { return term.ColoursOf(w, sys.getenv) }

// source is where data sets are looked for, with the progress of downloads on standard error.
func (sys system) source(offline bool) datasets.Source {
	source := datasets.SourceFromEnv(sys.getenv)
	source.Offline = offline
	source.Progress = term.NewDownloads(sys.err).Progress
	return source
}

// note prints a remark that is neither a result nor an error.
func (sys system) note(format string, args ...any) {
	fmt.Fprintf(sys.err, "gaplab: note: "+format+"\n", args...)
}

// noteChosen says which solvers were chosen, where a spec leaves that open, and why.
func (sys system) noteChosen(id string, plan []lang.Run) {
	said := map[string]bool{}
	for _, r := range plan {
		text := fmt.Sprintf("solver %s for model %s: %s", r.Solver.Name, r.Model.Name, r.Solver.Why)
		if r.Solver.Why != "" && !said[text] {
			said[text] = true
			sys.note("%s: %s", id, text)
		}
	}
}

// noteLeft says which files of a result could not be read, and which are of older revisions, if there is a result.
func (sys system) noteLeft(result *harness.Result) {
	if result == nil {
		return
	}
	for _, text := range []string{result.Left, result.Older} {
		if text != "" {
			sys.note("%s: %s", result.Spec.ID, text)
		}
	}
}
