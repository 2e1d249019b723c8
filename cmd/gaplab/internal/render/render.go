// Package render fills templates with the results of experiments. Package page has their language.
//
//	text, err := render.New(harness.Options{}).Render("README.md.tmpl", template)
package render

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/page"
)

// Renderer renders templates. It reads the results of an experiment once. It prefers the results that git keeps, unless
// Options.Out names a folder: then it prefers those in Out. It is not safe for concurrent use.
type Renderer struct {
	reader   *harness.Reader
	specs    map[string]*harness.Experiment // by id
	pages    map[string]*page.Results       // by id and scale
	verdicts map[string][]claims.Verdict    // by id and scale
}

// New returns a renderer. It reads nothing yet.
func New(o harness.Options) *Renderer {
	o.Kept = o.Out == ""
	return &Renderer{reader: harness.NewReader(o), specs: map[string]*harness.Experiment{},
		pages: map[string]*page.Results{}, verdicts: map[string][]claims.Verdict{}}
}

// Render returns the text of a template. The name is that of the template's file: messages show it, and paths of specs
// in the template are relative to its folder. An expression that is not true is a page.ErrUntrue.
func (r *Renderer) Render(name, template string) (string, error) {
	beside := func(id string) string {
		if ext := filepath.Ext(id); (ext == ".yaml" || ext == ".yml") && !filepath.IsAbs(id) {
			return filepath.Join(filepath.Dir(name), id)
		}
		return id
	}
	source := page.Source{
		Results: func(id, scale string) (*page.Results, error) { return r.of(beside(id), scale) },
		Verdicts: func(names []string, scale string) ([]claims.Verdict, error) {
			names = slices.Clone(names)
			for i := range names {
				names[i] = beside(names[i])
			}
			return r.claims(names, scale)
		},
	}
	for _, p := range experiments.Papers() {
		source.Papers = append(source.Papers, page.Paper(p))
	}
	return page.Render(name, template, source)
}

func (r *Renderer) of(id, scale string) (*page.Results, error) {
	key := id + " " + scale
	if known, ok := r.pages[key]; ok {
		return known, nil
	}
	result, err := r.reader.Find(id, scale)
	if err != nil {
		return nil, err
	}
	out := &page.Results{ID: result.Spec.ID, Scale: result.Spec.Scale, Evidence: result.Evidence(), Files: result.Files,
		Table: result.Table, Measures: map[string]string{}}
	for _, c := range result.Spec.Claims {
		if c.Measure != "" {
			out.Measures[c.ID] = c.Measure
		}
	}
	r.pages[key] = out
	return out, nil
}

// claims returns the verdicts of the experiments that the arguments name, as in harness.Select.
func (r *Renderer) claims(args []string, scale string) (all []claims.Verdict, err error) {
	ids, err := harness.Resolve(args...)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		known, ok := r.verdicts[id+" "+scale]
		if !ok {
			if known, err = r.judge(id, scale); err != nil {
				return nil, err
			}
			r.verdicts[id+" "+scale] = known
		}
		all = append(all, known...)
	}
	return all, nil
}

// judge checks the claims of an experiment; it does not read the results of one without claims. If there are no
// results, the claims are not testable.
func (r *Renderer) judge(id, scale string) ([]claims.Verdict, error) {
	e := r.specs[id]
	if e == nil {
		var err error
		if e, err = harness.Find(id); err != nil {
			return nil, err
		}
		r.specs[id] = e
	}
	s, err := e.At(cmp.Or(scale, e.Scales()[0]), nil)
	if err != nil || len(s.Claims) == 0 {
		return nil, err
	}
	result, err := r.reader.Find(id, scale)
	if err != nil && !errors.Is(err, harness.ErrNoResults) {
		return nil, err
	}
	return result.Claims()
}

// Ending is how the names of templates end. The rendered file has the same name without it.
const Ending = ".tmpl"

// Templates lists the templates in a folder and below it. It skips results, testdata and hidden folders.
func Templates(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != dir && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" ||
			entry.Name() == "results"):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(entry.Name(), Ending):
			out = append(out, path)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}
