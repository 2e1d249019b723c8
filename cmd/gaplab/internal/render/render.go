// Package render fills templates with the results of experiments. Package page defines the language of templates.
//
//	text, err := render.New(harness.Options{}).Render("README.md.tmpl", template)
package render

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/page"
	"github.com/gaplab/gaplab/harness/shipped"
)

// Renderer renders templates. It reads the results of each experiment and judges its claims only once, for all
// templates. If the folder Options.Out is set, its results have priority over those that are kept in git. A Renderer is
// safe for concurrent use.
type Renderer struct {
	reader   *harness.Reader
	results  cache[*harness.Result]  // by id and scale
	verdicts cache[[]claims.Verdict] // by id and scale
}

// New returns a renderer. It reads nothing yet.
func New(o harness.Options) *Renderer {
	o.Kept = o.Out == ""
	return &Renderer{reader: harness.NewReader(o)}
}

// Render returns the text of a template. The name is the path of the template's file. Messages show it, and paths of
// specs in the template are relative to its folder. If an expression in {{holds}} is not true, the error wraps
// page.ErrUntrue.
func (r *Renderer) Render(name, template string) (string, error) {
	beside := func(id string) string {
		if ext := filepath.Ext(id); (ext == ".yaml" || ext == ".yml") && !filepath.IsAbs(id) {
			return filepath.Join(filepath.Dir(name), id)
		}
		return id
	}
	var pages cache[*page.Results] // for this template only: a page.Results is not safe for concurrent use
	source := page.Source{
		Results: func(id, scale string) (*page.Results, error) {
			return pages.get(id+" "+scale, func() (*page.Results, error) { return r.page(beside(id), scale) })
		},
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

// page returns the results of an experiment in the form that templates use.
func (r *Renderer) page(id, scale string) (*page.Results, error) {
	result, err := r.result(id, scale)
	if err == nil {
		err = result.Whole()
	}
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
	return out, nil
}

// result returns the results of an experiment. If there are none, it returns a result without files and a
// harness.ErrNoResults.
func (r *Renderer) result(id, scale string) (*harness.Result, error) {
	return r.results.get(id+" "+scale, func() (*harness.Result, error) {
		e, err := harness.Find(id)
		if err != nil {
			return nil, err
		}
		s, err := e.At(cmp.Or(scale, e.Scales()[0]), nil)
		if err != nil {
			return nil, err
		}
		return r.reader.Read(s)
	})
}

// claims returns the verdicts of the experiments that the arguments name, as in harness.Select.
func (r *Renderer) claims(args []string, scale string) ([]claims.Verdict, error) {
	ids, err := harness.Resolve(args...)
	if err != nil {
		return nil, err
	}
	all, faults := make([][]claims.Verdict, len(ids)), make([]error, len(ids))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, id := range ids {
		g.Go(func() error {
			all[i], faults[i] = r.judge(id, scale)
			return nil
		})
	}
	g.Wait()
	return slices.Concat(all...), errors.Join(faults...)
}

// judge decides the claims of an experiment. If there are no results, the claims are not testable. If only some runs
// have a result, the error is a harness.ErrPartial. If the results come with gaplab but are not here, the error is a
// shipped.Elsewhere.
func (r *Renderer) judge(id, scale string) ([]claims.Verdict, error) {
	return r.verdicts.get(id+" "+scale, func() ([]claims.Verdict, error) {
		result, err := r.result(id, scale)
		if err != nil && !errors.Is(err, harness.ErrNoResults) {
			return nil, err
		}
		if err == nil {
			err = result.Whole()
		}
		var away *shipped.Elsewhere
		if errors.Is(err, harness.ErrPartial) || errors.As(err, &away) {
			return nil, err
		}
		return result.Claims()
	})
}

// cache is a map that computes each value only once, even if several goroutines request it. The zero value is empty.
type cache[V any] struct {
	mu    sync.Mutex
	known map[string]func() (V, error)
}

// get returns the value of a key. If the value is not known yet, get calls make.
func (c *cache[V]) get(key string, make func() (V, error)) (V, error) {
	c.mu.Lock()
	value, ok := c.known[key]
	if !ok {
		if c.known == nil {
			c.known = map[string]func() (V, error){}
		}
		value = sync.OnceValues(make)
		c.known[key] = value
	}
	c.mu.Unlock()
	return value()
}

// Ending is the suffix of the names of templates. The rendered file has the name without this suffix.
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
