package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
)

// keyOf is the key that an argument names a run by, or the beginning of one: the argument itself, or the name of the
// run's file.
func keyOf(arg string) (key string, ok bool) {
	if filepath.Ext(arg) == ".jsonl" {
		arg, _, _ = strings.Cut(filepath.Base(arg), ".")
	}
	return arg, regexp.MustCompile("^[0-9a-f]{6,16}$").MatchString(arg)
}

// keysOf are the keys that arguments name; nil if one of them names none.
func keysOf(args []string) (keys []string) {
	for _, arg := range args {
		key, ok := keyOf(arg)
		if !ok {
			return nil
		}
		keys = append(keys, key)
	}
	return keys
}

// origin is one line of gaplab show --format json for a run.
type origin struct {
	Path     string         `json:"path"`
	Manifest trace.Manifest `json:"manifest"`
	End      *trace.End     `json:"end"`
	Last     map[string]any `json:"last"` // row
}

// showRuns prints where the rows of runs come from.
func showRuns(sys system, keys []string, format string, options []harness.Option) error {
	c := sys.coloursOf(sys.out)
	for i, key := range keys {
		files, err := harness.FindRuns(key, options...)
		if err != nil {
			return err
		}
		for k, f := range files {
			if format == "json" {
				one := origin{Path: f.Path, Manifest: f.Manifest, End: f.End, Last: map[string]any{}}
				if len(f.Rows) > 0 {
					for name, v := range f.Rows[len(f.Rows)-1].Values {
						one.Last[name] = trace.FormatLabel(v)
					}
				}
				if err := term.Objects(sys.out, format, []origin{one}); err != nil {
					return err
				}
				continue
			}
			if i+k > 0 {
				fmt.Fprintln(sys.out)
			}
			m := f.Manifest
			fmt.Fprintf(sys.out, "%s\n%s\n\n", c.Bold(m.Key+"  "+f.Describe()),
				c.Faint(strings.Join([]string{m.Experiment, "scale " + m.Scale, f.Path}, " · ")))
			for _, line := range originOf(f) {
				if line[1] != "" {
					fmt.Fprintf(sys.out, "  %-10s %s\n", line[0], c.Hang(line[1], 13))
				}
			}
		}
	}
	return nil
}

// originOf lists what a manifest and an end line say of a run, in words.
func originOf(f *trace.File) [][2]string {
	m := f.Manifest
	data := m.Data.Name
	if m.Data.Synthetic {
		data += " (generated)"
	}
	data += ", " + term.Count(m.N, "example")
	if m.Validation > 0 {
		data += fmt.Sprintf(" and %d to validate", m.Validation)
	}
	lines := [][2]string{{"data", fmt.Sprintf("%s, SHA-256 %s", data, m.Data.Checksum)}}
	for _, name := range slices.Sorted(maps.Keys(m.Data.Files)) {
		lines = append(lines, [2]string{"", fmt.Sprintf("%s, SHA-256 %s", name, m.Data.Files[name])})
	}
	since := harness.Since(m)
	for _, name := range slices.Sorted(maps.Keys(m.Revisions)) {
		text := fmt.Sprintf("%s, revision %d", name, m.Revisions[name])
		if hash := m.Sources[name]; hash != "" {
			text += ", sources " + hash
		}
		if now := since[name]; now != "" {
			text += ": " + now
		}
		lines = append(lines, [2]string{"code", text})
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
		machine += ", " + term.Count(m.Processors, "processor")
	}
	beside := fmt.Sprintf("beside others, %d at a time", m.Workers)
	if m.Alone {
		beside = "alone in its process"
	}
	lines = append(lines, [2]string{"program", program}, [2]string{"command", strings.Join(m.Command, " ")},
		[2]string{"machine", machine}, [2]string{"ran", beside + ", from " + m.Start + loads(f)},
		[2]string{"solver", m.Auto}, [2]string{"because", m.Because}, [2]string{"ended", ending(f)})
	for _, w := range m.Warnings {
		lines = append(lines, [2]string{"note", w})
	}
	return lines
}

// loads are those of the machine at the start and at the end.
func loads(f *trace.File) string {
	if f.Manifest.Load == nil || f.End == nil || f.End.Load == nil {
		return ""
	}
	return fmt.Sprintf(", load %.2g to %.2g", *f.Manifest.Load, *f.End.Load)
}

// ending says how a run ended, and with which values.
func ending(f *trace.File) string {
	text := string(f.Status())
	if f.End == nil {
		return text + ", without an end line"
	}
	if f.End.Why != "" {
		text += ": " + term.FirstLine(f.End.Why)
	}
	if f.End.CPUSeconds > 0 {
		text += fmt.Sprintf(", %.4g s of CPU", f.End.CPUSeconds)
	}
	if f.End.Resumed > 0 {
		text += ", gone on with after " + term.Count(f.End.Resumed, "interruption")
	}
	if f.End.PeakBytes > 0 {
		text += ", at most " + term.Bytes(f.End.PeakBytes)
	}
	if len(f.Rows) == 0 {
		return text + ", no rows"
	}
	last := f.Rows[len(f.Rows)-1].Values
	text += ", " + term.Count(f.End.Rows, "row")
	for _, name := range []string{trace.Passes, trace.Primal, trace.Dual} {
		if v, ok := last[name]; ok {
			text += fmt.Sprintf(", %s %.9g", name, v)
		}
	}
	return text
}
