package main

import (
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// title is the id of an experiment, and its title if it has one.
func title(s *lang.Spec, c term.Colours) string {
	if s.Title == "" {
		return c.Bold(s.ID)
	}
	return c.Bold(s.ID) + "  " + s.Title
}

// caption says which data, which scale and which commit the results are from.
func caption(result *harness.Result) string {
	return figure.NewMeta(result.Spec, result.Set).Caption()
}

func ended(result *harness.Result) int {
	n := 0
	for _, f := range result.Files {
		if f.Status() != trace.Interrupted {
			n++
		}
	}
	return n
}
