package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/report"
)

// keyOf returns the key of a run, or the beginning of the key, from an argument. The argument is the key or the path of
// the run's file; ok is false if it is neither.
func keyOf(arg string) (key string, ok bool) {
	if filepath.Ext(arg) == ".jsonl" {
		arg, _, _ = strings.Cut(filepath.Base(arg), ".")
	}
	return arg, regexp.MustCompile("^[0-9a-f]{6,16}$").MatchString(arg)
}

// keysOf returns the keys of the runs that the arguments name. If any argument does not name a run, it returns nil.
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

// shownRun is one line of gaplab show --format json for a run.
type shownRun struct {
	Path     string             `json:"path"`
	Manifest trace.Manifest     `json:"manifest"`
	End      *trace.End         `json:"end"`
	Last     map[string]float64 `json:"last"` // values of the last row
}

// showRuns prints the origins of the runs with the given keys.
func showRuns(sys system, keys []string, format string, o harness.Options) error {
	c := sys.coloursOf(sys.out)
	for i, key := range keys {
		files, err := harness.NewReader(o).Runs(key)
		if err != nil {
			return err
		}
		for k, f := range files {
			if format == "json" {
				one := shownRun{Path: f.Path, Manifest: f.Manifest, End: f.End}
				if len(f.Rows) > 0 {
					one.Last = f.Rows[len(f.Rows)-1].Values
				}
				if err := term.Objects(sys.out, format, []shownRun{one}); err != nil {
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
			for _, line := range report.Origin(f) {
				if line.Text != "" {
					fmt.Fprintf(sys.out, "  %-10s %s\n", line.Name, c.Hang(line.Text, 13))
				}
			}
		}
	}
	return nil
}
