package harness

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/page"
)

// Reports renders texts over results (see package page for their language). It reads the results of an experiment
// once. They are those that the results folder keeps in git, else those of earlier runs; with the option Out, those
// there come first. Not for use by several goroutines.
type Reports struct {
	options  *options
	specs    map[string]*Experiment      // by id
	results  map[string]*Result          // by id and scale
	pages    map[string]*page.Results    // the same
	verdicts map[string][]claims.Verdict // the same
}

// NewReports reads nothing yet.
func NewReports(opts ...Option) *Reports {
	var given options
	for _, f := range opts {
		f(&given)
	}
	r := &Reports{options: newOptions(opts), specs: map[string]*Experiment{}, results: map[string]*Result{},
		pages: map[string]*page.Results{}, verdicts: map[string][]claims.Verdict{}}
	r.options.keptFirst = given.Out == ""
	r.options.others = r.read
	return r
}

// Render returns the text that a template gives. The name is that of its file, for messages, and for the specs that it
// names by a path from its folder. An expression that is not true is a page.ErrUntrue.
func (r *Reports) Render(name, template string) (string, error) {
	beside := func(id string) string {
		if isFile(id) && !filepath.IsAbs(id) {
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

func (r *Reports) of(id, scale string) (*page.Results, error) {
	key := id + " " + scale
	if known, ok := r.pages[key]; ok {
		return known, nil
	}
	result, err := r.read(id, scale)
	if err != nil {
		return nil, err
	}
	out := &page.Results{ID: result.Spec.ID, Scale: result.Spec.Scale, Evidence: result.evidence(), Files: result.Files,
		Table: result.Table, Measures: map[string]string{}}
	for _, c := range result.Spec.Claims {
		if c.Measure != "" {
			out.Measures[c.ID] = c.Measure
		}
	}
	r.pages[key] = out
	return out, nil
}

// read finds the results of an experiment, or of the spec in a file; without a scale, at its smallest.
func (r *Reports) read(id, scale string) (*Result, error) {
	key := id + " " + scale
	if known, ok := r.results[key]; ok {
		return known, nil
	}
	s, err := r.spec(id, scale)
	if err != nil {
		return nil, err
	}
	result, err := read(s, r.options)
	if err == nil {
		r.results[key] = result
	}
	return result, err
}

func (r *Reports) spec(id, scale string) (*lang.Spec, error) {
	e := r.specs[id]
	if e == nil {
		var err error
		if e, err = Find(id); err != nil {
			return nil, err
		}
		r.specs[id] = e
	}
	if scale == "" {
		scale = e.Scales()[0]
	}
	return e.At(scale, nil)
}

// claims are the verdicts of the experiments that names stand for, as in Select.
func (r *Reports) claims(args []string, scale string) (all []claims.Verdict, err error) {
	ids, err := Resolve(args...)
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

// judge checks the claims of an experiment. Without results they are not testable, for want of curves. The results of
// one without claims are not read.
func (r *Reports) judge(id, scale string) ([]claims.Verdict, error) {
	s, err := r.spec(id, scale)
	if err != nil || len(s.Claims) == 0 {
		return nil, err
	}
	result, err := r.read(id, scale)
	if errors.Is(err, ErrNoResults) {
		result = newResult(s, r.options, "", nil, nil)
	} else if err != nil {
		return nil, err
	}
	return result.Claims()
}

// TemplateEnding is how the names of templates end; the rendered file's is the same without it.
const TemplateEnding = ".tmpl"

// Templates lists the templates in and below a folder, but for folders of tests' data and hidden ones.
func Templates(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != dir && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata" ||
			entry.Name() == "results"):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(entry.Name(), TemplateEnding):
			out = append(out, path)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}
