package main

import (
	"fmt"
	"io"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// system is the environment of a command, except files: its streams, environment variables and command line.
type system struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
	args     []string // the command line, without the program's name
	inCell   bool     // whether the command is in a cell of a notebook
}

// coloursOf returns the colours for w, one of the outputs.
func (sys system) coloursOf(w io.Writer) term.Colours { return term.ColoursOf(w, sys.getenv) }

// source returns the Source of data sets. The Source shows the progress of downloads on standard error.
func (sys system) source(offline bool) datasets.Source {
	source := datasets.SourceFromEnv(sys.getenv)
	source.Offline = offline
	source.Progress = term.NewDownloads(sys.err).Progress
	return source
}

// note prints a remark to standard error.
func (sys system) note(format string, args ...any) {
	fmt.Fprintf(sys.err, "gaplab: note: "+format+"\n", args...)
}

// noteChosen prints a note if a spec names the solver auto: which solver gaplab has selected, and why.
func (sys system) noteChosen(id string, plan []lang.Run) {
	noted := map[string]bool{}
	for _, r := range plan {
		text := fmt.Sprintf("solver %s for model %s: %s", r.Solver.Name, r.Model.Name, r.Solver.Why)
		if r.Solver.Why != "" && !noted[text] {
			noted[text] = true
			sys.note("%s: %s", id, text)
		}
	}
}

// noteLeft prints the notes of Result.LeftOut. The result may be nil.
func (sys system) noteLeft(result *harness.Result) {
	if result == nil {
		return
	}
	for _, text := range result.LeftOut() {
		sys.note("%s", text)
	}
}
