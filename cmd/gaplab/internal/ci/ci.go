// Package ci formats the outcome of the gate for build servers: as JUnit XML, as annotations of GitHub Actions, and as
// a summary in Markdown. It makes no comparisons itself.
package ci

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/gate"
)

// Suite is the outcome of one experiment.
type Suite struct {
	Experiment string
	Argument   string // name of the experiment on a command line; "" for a reference that belongs to no experiment
	File       string // file of the spec; "" if it does not exist here
	Curves     []gate.Comparison
	Err        error // why there are no curves, or what is wrong with their rows; else nil
}

// Moved returns the number of curves that moved, which means that they differ from their references, and the number of
// all curves.
func Moved(suites []Suite) (moved, all int) {
	for _, s := range suites {
		for _, c := range s.Curves {
			if !c.OK {
				moved++
			}
			all++
		}
	}
	return moved, all
}

// WhatToDo returns a text that states what to do if curves moved. A change of code that changes any bit of a trace
// requires a new revision. If the code of a component, such as a solver, has changed for all curves that moved, the
// text advises to raise the revision of this component.
func WhatToDo(suites []Suite) string {
	var changed, arguments []string
	first := true
	for _, s := range suites {
		for _, c := range s.Curves {
			if c.OK || s.Argument == "" {
				continue
			}
			if !slices.Contains(arguments, s.Argument) {
				arguments = append(arguments, s.Argument)
			}
			if first {
				changed, first = c.Changed, false
			}
			changed = slices.DeleteFunc(slices.Clone(changed), func(p string) bool { return !slices.Contains(c.Changed, p) })
		}
	}
	if len(arguments) == 0 {
		return "each line names the remedy"
	}
	update := "gaplab baseline update " + strings.Join(arguments, " ")
	if len(changed) == 0 {
		return "if this is intended, run: " + update
	}
	return "if this is intended, raise the revision of " + strings.Join(changed, " or ") +
		", whose code has changed, then run: " + update
}

// Annotations returns one command of GitHub Actions for each curve that moved and for each error, one per line.
func Annotations(suites []Suite) string {
	var out strings.Builder
	for _, s := range suites {
		annotate := func(title, text string) {
			var of string
			if s.File != "" {
				of = "file=" + property(s.File) + ","
			}
			fmt.Fprintf(&out, "::error %stitle=%s::%s\n", of, property(title), data(text))
		}
		for _, c := range s.Curves {
			if !c.OK {
				annotate(strings.TrimSpace(c.Experiment+" "+c.Curve)+" moved", c.Message)
			}
		}
		if s.Err != nil {
			annotate(s.Experiment, s.Err.Error())
		}
	}
	return out.String()
}

// data escapes the text of a command of GitHub Actions.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a property of a command of GitHub Actions, such as a file name.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}

// longest is the largest number of rows of a table, since GitHub shows at most 1 MiB.
const longest = 500

// Markdown returns a heading and a table of the curves that moved (differ from their references).
func Markdown(suites []Suite) string {
	var out strings.Builder
	moved, all := Moved(suites)
	fmt.Fprintf(&out, "## gaplab check\n\n%d of %d curves moved.\n", moved, all)
	if moved > 0 {
		out.WriteString("\n| experiment | curve | work | what moved |\n| --- | --- | ---: | --- |\n")
	}
	listed := 0
	for _, s := range suites {
		for _, c := range s.Curves {
			if c.OK || listed == longest {
				continue
			}
			listed++
			work := ""
			if c.Work > 0 {
				work = fmt.Sprintf("× %.3g", c.Work)
			}
			fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", cell(c.Experiment), cell(c.Curve), work, cell(c.Message))
		}
	}
	if moved > listed {
		fmt.Fprintf(&out, "\nThe table shows the first %d.\n", listed)
	}
	for _, s := range suites {
		if s.Err != nil {
			fmt.Fprintf(&out, "\n**%s**: %s\n", cell(s.Experiment), cell(s.Err.Error()))
		}
	}
	if moved > 0 {
		fmt.Fprintf(&out, "\n%s\n", WhatToDo(suites))
	}
	return out.String()
}

// cell escapes a text for a cell of a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(text)
}
