// Package crate writes kept results as an RO-Crate 1.1: a zip file or a folder whose metadata describe each file, how
// it was made, and from which data. The crate also conforms to the Process Run Crate profile 0.5. The package checks
// such crates, and makes runs of them again.
//
//	c, err := crate.Make(crate.Contents{Results: os.DirFS("results"), Scale: "paper"})
//	err = c.Zip(file)
//
//	o, err := crate.Open("results.crate.zip")
//	report, err := o.Check("")
//	rows, err := o.Remake(ctx, crate.Draw(report.Runs, 3, 1), options)
//
// A crate contains
//
//	ro-crate-metadata.json   the metadata
//	SCALE/ID.jsonl[.gz]      the results of an experiment (see package store)
//	SCALE/ID.svg             its figure
//	SCALE/edition.json       the record of the edition, if there is one
//	specs/ID.yaml            its spec
//
// The files: write.go the zip file and the folder, graph.go the metadata, action.go how an experiment was made, data.go
// its data, papers.go the citations; open.go, metadata.go and check.go read a crate, remake.go and needs.go make runs
// again, match.go compares their rows.
package crate

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/edition"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/trace"
)

// Metadata is the name of the file with the metadata.
const Metadata = "ro-crate-metadata.json"

// specs is the folder of the specs in a crate.
const specs = "specs"

// Contents selects the results that a crate contains.
type Contents struct {
	Results fs.FS    // kept results, by paths such as paper/eg/fig06.jsonl
	Place   string   // name of Results in messages
	Scale   string   // scale of the results
	IDs     []string // ids of built-in experiments; nil: all that have results at the scale
	Licence string   // URL of the licence of the results
}

// Crate is a crate in memory.
type Crate struct {
	Files       []File   // without the metadata, in the order of their paths
	Experiments []string // ids, in the order in which they are described
	Added       []string // ids of experiments that were not selected, but whose packs contain runs of selected ones
	metadata    []byte
}

// File is a file of a crate.
type File struct {
	Path string // relative to the crate, with slashes
	Text []byte
	kind string // what the file is, for its description
	of   string // id of its experiment; "": of all
}

// Make collects the results that c selects. If a selected experiment has no results, the error wraps fs.ErrNotExist.
// The same results give the same bytes, because all times in the metadata come from the results.
func Make(c Contents) (*Crate, error) {
	kept := store.KeepIn(c.Results, c.Place)
	existing, err := kept.Experiments(c.Scale)
	if err != nil {
		return nil, err
	}
	out := &Crate{}
	if c.IDs == nil {
		out.Experiments = existing
	}
	for _, id := range c.IDs {
		if !slices.Contains(existing, id) {
			return nil, fmt.Errorf("%s: %w: there is no %s", id, fs.ErrNotExist, kept.Path(id, c.Scale))
		}
		if !slices.Contains(out.Experiments, id) {
			out.Experiments = append(out.Experiments, id)
		}
	}
	if len(out.Experiments) == 0 {
		return nil, fmt.Errorf("%w: there are no results at scale %s in %s", fs.ErrNotExist, c.Scale,
			cmp.Or(c.Place, "the folder"))
	}
	runs, home := map[string][]*trace.File{}, map[string]string{}
	for _, id := range existing {
		home[kept.Path(id, c.Scale)] = id
	}
	for i := 0; i < len(out.Experiments); i++ { // the list grows in the loop
		id := out.Experiments[i]
		files, err := kept.Read(id, c.Scale)
		if err != nil {
			return nil, err
		}
		runs[id] = files
		for _, f := range files {
			if other := home[f.Path]; !slices.Contains(out.Experiments, other) {
				out.Experiments, out.Added = append(out.Experiments, other), append(out.Added, other)
			}
		}
	}
	slices.Sort(out.Experiments)
	for _, id := range out.Experiments {
		if err := out.add(c, kept, id); err != nil {
			return nil, err
		}
	}
	record := File{Path: path.Join(c.Scale, edition.File), kind: "Record of the edition: program, machine and sittings"}
	if err := out.optional(c, record); err != nil {
		return nil, err
	}
	slices.SortFunc(out.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	out.metadata, err = out.describe(c, runs)
	return out, err
}

// add adds the files of an experiment.
func (c *Crate) add(from Contents, kept *store.Kept, id string) error {
	name := kept.Name(id, from.Scale)
	text, err := fs.ReadFile(from.Results, name)
	if err != nil {
		return err
	}
	c.Files = append(c.Files, File{Path: name, Text: text, kind: "Results", of: id})
	spec, err := experiments.FS.ReadFile(id + ".yaml")
	if err != nil {
		return fmt.Errorf("%s: this program has no spec of these results: %w", id, err)
	}
	c.Files = append(c.Files, File{Path: path.Join(specs, id+".yaml"), Text: spec, kind: "Spec", of: id})
	return c.optional(from, File{Path: path.Join(from.Scale, id+".svg"), kind: "Figure", of: id})
}

// optional adds a file of the results, if it exists.
func (c *Crate) optional(from Contents, f File) error {
	text, err := fs.ReadFile(from.Results, f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f.Text = text
	c.Files = append(c.Files, f)
	return err
}
