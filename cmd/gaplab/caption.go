package main

import (
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
)

// title returns the id of an experiment, and its title if it has one.
func title(s *lang.Spec, c term.Colours) string {
	if s.Title == "" {
		return c.Bold(s.ID)
	}
	return c.Bold(s.ID) + "  " + s.Title
}

// caption names the data, the scale and the commit of the results.
func caption(result *harness.Result) string {
	return figure.NewMeta(result.Spec, result.Set).Caption()
}

// ended counts the runs that were not interrupted.
func ended(result *harness.Result) int {
	n := 0
	for _, f := range result.Files {
		if f.Status() != trace.Interrupted {
			n++
		}
	}
	return n
}

// summariesOf returns a summary of each run of a result.
func summariesOf(result *harness.Result) []summary.Run {
	return summary.Of(result.Files, harness.Catalogue())
}
