package crate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Report is the result of Check.
type Report struct {
	Files  int      // number of files that were checked
	Packs  int      // number of experiments
	Runs   []Run    // distinct runs, in the order of the experiments and of their plans
	Exact  int      // number of runs whose digest was compared with their rows
	Damage []string // files that are missing, damaged or not listed, one text for each
	Wrong  []string // runs that contradict themselves or each other
}

// Run is a run of a crate.
type Run struct {
	Experiment string
	Scale      string
	File       *trace.File
	Repeats    []*trace.File // all repetitions of the run with File among them; nil: it was not repeated
}

// Check checks each file against the metadata and, if all files are whole, the packs: that they can be read, that the
// digest of a run agrees with its rows, and that no primal lies below a dual. A scale other than "" restricts the runs
// to this scale.
func (o *Opened) Check(scale string) *Report {
	r := &Report{}
	o.checkFiles(r)
	if len(r.Damage) > 0 {
		return r
	}
	seen := map[string]bool{}
	for _, at := range []string{lang.ScaleSmoke, lang.ScaleQuick, lang.ScalePaper, lang.ScaleOwn} {
		if scale != "" && at != scale {
			continue
		}
		ids, err := o.kept().Experiments(at)
		if err != nil {
			continue // no folder of the scale
		}
		for _, id := range ids {
			o.checkPack(r, id, at, seen)
		}
	}
	return r
}

// checkFiles compares the files with the metadata.
func (o *Opened) checkFiles(r *Report) {
	named := map[string]bool{Metadata: true, "ro-crate-preview.html": true}
	for _, l := range o.list {
		named[l.name] = true
		r.Files++
		size, ok := o.sizes[l.name]
		switch {
		case !ok:
			r.damage(l.name, "the metadata list it, but it is missing")
			continue
		case size != l.size:
			r.damage(l.name, "it has %d bytes; the metadata state %d", size, l.size)
			continue
		}
		text, err := o.read(l.name)
		if err != nil {
			r.damage(l.name, "%v", err)
			continue
		}
		if sum := sha256.Sum256(text); !strings.EqualFold(hex.EncodeToString(sum[:]), l.sha256) {
			r.damage(l.name, "its SHA-256 is %x; the metadata state %s", sum, l.sha256)
		}
	}
	for _, name := range o.names() {
		if !named[name] {
			r.damage(name, "the metadata do not list it")
		}
	}
}

func (r *Report) damage(name, format string, args ...any) {
	r.Damage = append(r.Damage, name+": "+fmt.Sprintf(format, args...))
}

// checkPack checks the runs of an experiment, and adds those that are not in seen to the report.
func (o *Opened) checkPack(r *Report, id, scale string, seen map[string]bool) {
	files, err := o.kept().Read(id, scale)
	if err != nil {
		r.Damage = append(r.Damage, strings.TrimPrefix(err.Error(), o.Path+"/"))
		return
	}
	r.Packs++
	for _, f := range files {
		if f.Manifest.Thinned == 0 && f.Manifest.Exact != "" {
			r.Exact++
			if sum := trace.Exact(f.Rows); sum != f.Manifest.Exact {
				r.Wrong = append(r.Wrong, fmt.Sprintf("%s: %s: the digest of its rows is %s; its manifest states %s", id,
					f.Describe(), sum, f.Manifest.Exact))
			}
		}
		name := path.Join(scale, path.Dir(id), f.Manifest.Key)
		if !seen[name] { // experiments of a paper share runs
			seen[name] = true
			r.Runs = append(r.Runs, Run{id, scale, f, repeats(files, f)})
		}
	}
	if set := trace.NewSet(files); set.Err != nil {
		r.Wrong = append(r.Wrong, fmt.Sprintf("%s: %v", id, set.Err))
	}
}

// repeats returns the repetitions of a run, or nil if it was not repeated.
func repeats(files []*trace.File, f *trace.File) []*trace.File {
	if _, ok := f.Manifest.Labels[trace.Repetition]; !ok {
		return nil
	}
	same := fmt.Sprint(trace.Unrepeated(f.Manifest.Labels))
	return slices.DeleteFunc(slices.Clone(files), func(g *trace.File) bool {
		return fmt.Sprint(trace.Unrepeated(g.Manifest.Labels)) != same
	})
}
