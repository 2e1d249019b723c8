package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
)

// warnings returns the warnings of a result, except the reasons why solvers do not support the problem: the table of
// runs shows these. A warning of several rows of a run occurs once for the run.
func warnings(result *harness.Result) []string {
	var out []string
	reasons := unsupported(result)
	for _, s := range summariesOf(result) {
		for i, text := range s.Warnings {
			if !slices.Contains(s.Warnings[:i], text) {
				out = append(out, text)
			}
		}
	}
	return append(out, without(result.Set.Warnings, append(reasons, out...))...)
}

// unsupported returns the reasons why solvers do not support the problem of a result.
func unsupported(result *harness.Result) []string {
	var out []string
	for _, s := range summariesOf(result) {
		if s.Status == trace.Unsupported {
			out = append(out, fmt.Sprintf("%v: %s", s.Solver["as"], s.Why))
		}
	}
	return out
}

// reasonsOf returns the reasons of unsupported, without the names of the solvers.
func reasonsOf(result *harness.Result) []string {
	var out []string
	for _, s := range summariesOf(result) {
		if s.Status == trace.Unsupported {
			out = append(out, s.Why, strings.TrimPrefix(s.Why, string(s.Status)+": "))
		}
	}
	return out
}

// without returns the warnings in list that were not printed already. A warning was printed already if it is one of the
// texts in printed, or ends in a colon, a space and such a text: it then begins with the name of a run.
func without(list, printed []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool {
		return slices.ContainsFunc(printed, func(t string) bool { return text == t || strings.HasSuffix(text, ": "+t) })
	})
}

// maxNotes is the largest number of notes that are printed on one experiment. gaplab show prints all.
const maxNotes = 4

// notes prints the warnings on an experiment. Equal warnings are printed once, with their number.
func (sys system) notes(id string, list []string) {
	list = distinct(id, list)
	for i, text := range list {
		if i == maxNotes {
			sys.note("%s: and %d more; `gaplab show` prints all", id, len(list)-i)
			return
		}
		sys.note("%s: %s", id, text)
	}
}

// distinct returns the first line of each text on an experiment, without the id of the experiment and without
// duplicates. A text that occurs several times ends with this number.
func distinct(id string, list []string) []string {
	var out []string
	count := map[string]int{}
	for _, text := range list {
		text = strings.TrimPrefix(term.FirstLine(text), id+" ")
		if count[text]++; count[text] == 1 {
			out = append(out, text)
		}
	}
	for i, text := range out {
		if n := count[text]; n > 1 {
			out[i] = fmt.Sprintf("%s (in %d runs)", text, n)
		}
	}
	return out
}

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
func summariesOf(result *harness.Result) []summary.Summary {
	out := summary.Of(result.Files, harness.Catalogue())
	for _, c := range result.Choices() {
		if i := slices.Index(result.Files, c.File); i >= 0 {
			out[i].Best = true
		}
	}
	return out
}
