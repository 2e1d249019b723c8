package kernel

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
)

// allowed returns an error if a verb may not have these arguments in a cell. A user who opens a notebook and runs its
// cells may not know its author. So a cell names only files in the folder of the notebook, and cannot allow programs.
func allowed(args []string) error {
	if args[0] == "set" { // settings follow the rules of specs
		return nil
	}
	for _, a := range args[1:] {
		flag, value, _ := strings.Cut(a, "=")
		switch {
		case flag == "--programs":
			return fmt.Errorf("%s: a cell cannot allow programs; if you trust the spec, run it in a terminal: gaplab run SPEC "+
				"--programs", a)
		case !strings.HasPrefix(a, "-"):
			value = a
		}
		if err := inside(value); err != nil {
			return err
		}
	}
	return nil
}

// inside returns an error if a path leads out of the folder of the notebook, which is the working directory of the
// kernel. A symbolic link may lead out of the folder too. The path need not exist.
func inside(path string) error {
	out := path != "" && !filepath.IsLocal(path)
	if root, err := os.OpenRoot("."); err == nil && path != "" && !out {
		_, err = root.Stat(path)
		out = err != nil && strings.Contains(err.Error(), "escapes")
		root.Close()
	}
	if out {
		return fmt.Errorf("%s: the path leads out of the folder of the notebook; accepted: a path in this folder", path)
	}
	return nil
}

// untouched returns an error if an experiment of gaplab would run programs with changed settings. Such an experiment
// may run its programs, but a setting could replace the program.
func untouched(p *harness.Plan) error {
	s, list := p.Spec, harness.Catalogue()
	if !s.BuiltIn || len(s.Overrides) == 0 { // a user's spec needs the option Programs in any case
		return nil
	}
	outside := slices.ContainsFunc(p.Runs, func(r lang.Run) bool {
		noun, ok := list.Solver(r.Solver)
		return ok && noun.Outside
	})
	if outside {
		return errors.New(s.ID + " runs programs of this machine, so a cell cannot change its settings; run it with " +
			"--set in a terminal, or remove the settings with %set")
	}
	return nil
}
