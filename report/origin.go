package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
)

// Fact is a known fact about the origin of a run.
type Fact struct {
	Name string // kind of fact, such as machine; "": the same as that of the fact before
	Text string // the fact; "": not known
}

// Origin describes the data, code, machine and end of a run in words. The facts come from the manifest and the end line
// of its trace.
func Origin(f *trace.File) []Fact { return originOf(f, codeNow()) }

// component is a part of this program that a run may use, such as a solver.
type component struct {
	name     string
	revision int
	sources  string // hash of its code; "": not known
}

// codeNow lists the components of this program.
func codeNow() (out []component) {
	list := harness.Catalogue()
	for _, p := range list.AllComponents() {
		out = append(out, component{p.Name, p.Revision, list.Sources(p.Package)})
	}
	return out
}

// originOf describes the origin of a run, as Origin does. now lists the components of this program.
func originOf(f *trace.File, now []component) []Fact {
	m := f.Manifest
	data := m.Data.Name
	if m.Data.Synthetic {
		data += " (generated)"
	}
	data += ", " + amount.Count(m.N, "example")
	if m.Validation > 0 {
		data += fmt.Sprintf(" and %d to validate", m.Validation)
	}
	lines := []Fact{{"data", fmt.Sprintf("%s, SHA-256 %s", data, m.Data.Checksum)}}
	for _, name := range slices.Sorted(maps.Keys(m.Data.Files)) {
		lines = append(lines, Fact{"", fmt.Sprintf("%s, SHA-256 %s", name, m.Data.Files[name])})
	}
	since := changes(m, now)
	for _, name := range slices.Sorted(maps.Keys(m.Revisions)) {
		text := fmt.Sprintf("%s, revision %d", name, m.Revisions[name])
		if hash := m.Sources[name]; hash != "" {
			text += ", sources " + hash
		}
		if now := since[name]; now != "" {
			text += ": " + now
		}
		lines = append(lines, Fact{"code", text})
	}
	program := "commit unknown"
	if m.Commit != "" {
		program = "commit " + m.Commit
	}
	if m.Dirty {
		program += " (changed since)"
	}
	if m.Program != "" {
		program += ", all sources " + m.Program
	}
	machine := fmt.Sprintf("%s, %s, %s", m.CPU, m.Platform, m.GoVersion)
	if m.Processors > 0 {
		machine += ", " + amount.Count(m.Processors, "processor")
	}
	beside := fmt.Sprintf("in a process with other runs, %d at a time", m.Workers)
	if m.Alone {
		beside = "alone in its process"
	}
	lines = append(lines, Fact{"program", program}, Fact{"command", strings.Join(m.Command, " ")},
		Fact{"machine", machine}, Fact{"ran", beside + ", from " + m.Start + loads(f)},
		Fact{"solver", m.Auto}, Fact{"because", m.Because}, Fact{"ended", ending(f)})
	for _, w := range m.Warnings {
		lines = append(lines, Fact{"note", w})
	}
	return lines
}

// changes compares the code that made a run with the components of this program. It returns a text for each component,
// by its name: "same code now", or what differs. Components that this program no longer has are left out.
func changes(m trace.Manifest, now []component) map[string]string {
	out := map[string]string{}
	for _, c := range now {
		made, ok := m.Revisions[c.name]
		switch {
		case !ok:
		case made != c.revision:
			out[c.name] = fmt.Sprintf("revision %d now", c.revision)
		case m.Sources[c.name] == c.sources:
			out[c.name] = "same code now"
		case m.Sources[c.name] != "":
			out[c.name] = "other code now"
		}
	}
	return out
}

// loads describes the load of the machine at the start and at the end of a run, or returns "" if it is not known.
func loads(f *trace.File) string {
	if f.Manifest.Load == nil || f.End == nil || f.End.Load == nil {
		return ""
	}
	return fmt.Sprintf(", load %.2g to %.2g", *f.Manifest.Load, *f.End.Load)
}

// ending describes how a run ended, and its final values.
func ending(f *trace.File) string {
	text := string(f.Status())
	if f.End == nil {
		return text + ", without an end line"
	}
	if f.End.Why != "" {
		text += ": " + firstLine(f.End.Why)
	}
	if f.End.CPUSeconds > 0 {
		text += fmt.Sprintf(", %.4g s of CPU", f.End.CPUSeconds)
	}
	if f.End.Resumed > 0 {
		text += ", resumed " + amount.Count(f.End.Resumed, "time")
	}
	if f.End.PeakBytes > 0 {
		text += ", at most " + amount.Bytes(f.End.PeakBytes)
	}
	if len(f.Rows) == 0 {
		return text + ", no rows"
	}
	last := f.Rows[len(f.Rows)-1].Values
	text += ", " + amount.Count(f.End.Rows, "row")
	for _, name := range []string{trace.Passes, trace.Primal, trace.Dual} {
		if v, ok := last[name]; ok {
			text += fmt.Sprintf(", %s %.9g", name, v)
		}
	}
	return text
}

// firstLine returns the first line of a text.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
