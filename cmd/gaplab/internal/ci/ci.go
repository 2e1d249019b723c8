// Package ci writes the outcome of the gate as build servers read it: JUnit XML, annotations of GitHub Actions, and a
// summary in Markdown. It compares nothing.
package ci

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
)

// Suite is the outcome of one experiment.
type Suite struct {
	Experiment string
	Argument   string // how a command line names it; "" for a reference of no experiment
	File       string // of its spec, if it is here; else ""
	Curves     []harness.Comparison
	Err        error // why there are no curves, or what is wrong with their rows; nil if nothing is
}

// Moved counts the curves that moved, and all.
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

// WhatToDo says how curves that moved are accepted. A change that moves a bit of a trace raises a revision: of one of
// those parts whose code has changed in all curves that moved, if there are such.
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
		return "each line says what to do"
	}
	update := "gaplab baseline update " + strings.Join(arguments, " ")
	if len(changed) == 0 {
		return "if that is intended: " + update
	}
	return "if that is intended, raise the revision of " + strings.Join(changed, " or ") +
		", whose code has changed, then: " + update
}

// Annotations are the curves that moved, and the errors, as commands of GitHub Actions, a line each.
func Annotations(suites []Suite) string {
	var out strings.Builder
	for _, s := range suites {
		say := func(title, text string) {
			var of string
			if s.File != "" {
				of = "file=" + property(s.File) + ","
			}
			fmt.Fprintf(&out, "::error %stitle=%s::%s\n", of, property(title), data(text))
		}
		for _, c := range s.Curves {
			if !c.OK {
				say(strings.TrimSpace(c.Experiment+" "+c.Curve)+" moved", c.Message)
			}
		}
		if s.Err != nil {
			say(s.Experiment, s.Err.Error())
		}
	}
	return out.String()
}

// data escapes the text of a command.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property escapes a property of a command.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}

// longest is how many curves that moved a summary lists: GitHub shows up to a mebibyte.
const longest = 500

// Markdown is a heading and a table of the curves that moved.
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

// cell is a text in a cell of a table, in which no character is markup.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(text)
}
