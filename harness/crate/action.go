package crate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/amount"
)

// action adds the entity that describes how an experiment was made: from its spec and its data (object), by which
// programs (instrument), into which files (result). paths are the files of the experiment. It returns the identifier.
func (g *graph) action(id, scale string, paths []string, files []*trace.File) string {
	object, result := []string{}, []string{}
	for _, p := range paths {
		if strings.HasPrefix(p, specs+"/") {
			object = append(object, p)
		} else {
			result = append(result, p)
		}
	}
	programs, data := map[string]bool{}, map[string]bool{}
	for _, f := range files {
		programs[g.program(f.Manifest.Origin)] = true
		if f.Manifest.Data.Name != "" { // a run that failed before it read its data names none
			data[g.data(f.Manifest.Data)] = true
		}
	}
	e := entity{"@id": "#run/" + id, "@type": "CreateAction",
		"name": fmt.Sprintf("Experiment %s at scale %s", id, scale), "description": about(id, files),
		"object": refs(append(object, slices.Sorted(maps.Keys(data))...)), "result": refs(result)}
	if instruments := refs(slices.Sorted(maps.Keys(programs))); len(instruments) == 1 {
		e["instrument"] = instruments[0]
	} else if len(instruments) > 1 {
		e["instrument"] = instruments
	}
	if start := began(files); start != "" {
		e["startTime"] = start
	}
	if end := ended(files); end != "" {
		e["endTime"] = end
	}
	return g.add(e)
}

// program adds the entity of the program that made a run, and returns its identifier.
func (g *graph) program(o trace.Origin) string {
	version := cmp.Or(o.Commit, "unknown")
	if o.Dirty {
		version += "+changes"
	}
	short, _, _ := strings.Cut(version, "+")
	name := "gaplab-" + short[:min(12, len(short))]
	if o.Dirty {
		name += "-" + o.Program // the hash of the sources tells changed programs apart
	}
	e := entity{"@id": "#program/" + name + "-" + cmp.Or(o.GoVersion, "unknown"), "@type": "SoftwareApplication",
		"name": "gaplab", "url": repository, "softwareVersion": version}
	if o.GoVersion != "" {
		e["softwareRequirements"] = o.GoVersion
	}
	if o.Program != "" {
		e["identifier"] = "sources " + o.Program
	}
	return g.add(e)
}

// about describes the runs of an experiment: its title, their number, their machines and the command.
func about(id string, files []*trace.File) string {
	parts := []string{}
	if t := title(id); t != "" {
		parts = append(parts, strings.TrimSuffix(t, "."))
	}
	machines := map[string]bool{}
	status := map[trace.Status]int{}
	for _, f := range files {
		machines[strings.TrimSpace(f.Manifest.CPU+" "+f.Manifest.Platform)] = true
		status[f.Status()]++
	}
	counts := []string{}
	for _, s := range slices.Sorted(maps.Keys(status)) {
		counts = append(counts, fmt.Sprintf("%d %s", status[s], s))
	}
	parts = append(parts, fmt.Sprintf("%s: %s", amount.Count(len(files), "run"), strings.Join(counts, ", ")),
		"Machine: "+strings.Join(slices.Sorted(maps.Keys(machines)), "; "))
	return strings.Join(parts, ". ") + "."
}

// began returns the earliest start of a run; "" if there is none.
func began(files []*trace.File) (first string) {
	for _, f := range files {
		if s := f.Manifest.Start; s != "" && (first == "" || s < first) {
			first = s
		}
	}
	return first
}

// ended returns the time when the last run ended, to the second: its start and the seconds of its solver and of its
// rows. It returns "" if this is not known, because a run was resumed or has no end.
func ended(files []*trace.File) string {
	var last time.Time
	for _, f := range files {
		start, err := time.Parse(time.RFC3339, f.Manifest.Start)
		if err != nil || f.End == nil || f.End.Resumed > 0 {
			return ""
		}
		end := start.Add(time.Duration((f.End.Seconds + f.End.RecordSeconds) * float64(time.Second)))
		if end.After(last) {
			last = end
		}
	}
	if last.IsZero() {
		return ""
	}
	return last.UTC().Format(time.RFC3339)
}
