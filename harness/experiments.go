package harness

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/lang"
)

// Experiment is one spec that has passed its checks at every scale.
type Experiment struct {
	*lang.File
}

// committed is what the names of committed specs begin with; other specs are files of the user's.
const committed = "experiments/"

// specParser is that of the catalogue: to compile its schema takes longer than to read a spec.
var specParser = sync.OnceValues(func() (*lang.Parser, error) { return lang.NewParser(Catalogue()) })

// Experiments reads the committed experiments, in natural order (fig9 before fig10).
func Experiments() ([]*Experiment, error) {
	all, err := everyExperiment()
	return slices.Clone(all), err
}

// everyExperiment reads them once: they are part of the program.
var everyExperiment = sync.OnceValues(func() ([]*Experiment, error) {
	paths, err := fs.Glob(experiments.FS, "*/*.yaml")
	if err != nil {
		return nil, err
	}
	out, faults := make([]*Experiment, len(paths)), make([]error, len(paths))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range paths {
		g.Go(func() error {
			out[i], faults[i] = readCommitted(p)
			return nil
		})
	}
	g.Wait()
	out = slices.DeleteFunc(out, func(e *Experiment) bool { return e == nil })
	slices.SortFunc(out, func(a, b *Experiment) int { return natural(a.ID, b.ID) })
	return out, errors.Join(faults...)
})

// readCommitted reads one committed spec, PAPER/ITEM.yaml.
func readCommitted(p string) (*Experiment, error) {
	text, err := experiments.FS.ReadFile(p)
	if err != nil {
		return nil, err
	}
	r, err := specParser()
	if err != nil {
		return nil, err
	}
	f, err := r.Parse(committed+p, text)
	if err != nil {
		return nil, err
	}
	if want := strings.TrimSuffix(p, ".yaml"); f.ID != want {
		return nil, fmt.Errorf("%s%s: id: %s does not match the file's name; want %s", committed, p, f.ID, want)
	}
	return &Experiment{f}, nil
}

// Find returns the committed experiment with an id.
func Find(id string) (*Experiment, error) {
	all, err := Select(id)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// ReadExperiment reads a spec file of the user's own.
func ReadExperiment(file string) (*Experiment, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r, err := specParser()
	if err != nil {
		return nil, err
	}
	f, err := r.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return &Experiment{f}, nil
}

// Select finds experiments by ids, globs over ids (eg/fig0*), papers (eg) and paths of YAML files, each once, in the
// order of the arguments. A name that matches nothing is an error that lists near ones.
func Select(args ...string) ([]*Experiment, error) {
	var all, out []*Experiment
	for _, arg := range args {
		if isFile(arg) {
			if slices.ContainsFunc(out, func(e *Experiment) bool { return e.Name == arg }) {
				continue
			}
			e, err := ReadExperiment(arg)
			if err != nil {
				return nil, err
			}
			out = append(out, e)
			continue
		}
		if _, err := fs.Stat(experiments.FS, arg+".yaml"); err == nil { // the others need not be read
			e, err := readCommitted(arg + ".yaml")
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(out, func(o *Experiment) bool { return o.Name == e.Name }) {
				out = append(out, e)
			}
			continue
		}
		if all == nil {
			var err error
			if all, err = Experiments(); err != nil {
				return nil, err
			}
		}
		found := false
		for _, e := range all {
			matches, err := path.Match(arg, e.ID)
			if err != nil {
				return nil, fmt.Errorf("%q: bad pattern: accepted are * ? [a-z] within one folder, such as 'eg/fig0*'", arg)
			}
			if matches || strings.HasPrefix(e.ID, arg+"/") {
				found = true
				if !slices.ContainsFunc(out, func(o *Experiment) bool { return o.Name == e.Name }) {
					out = append(out, e)
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("no experiment %q; %s", arg, near(arg, all))
		}
	}
	return out, nil
}

func isFile(arg string) bool {
	ext := filepath.Ext(arg)
	return ext == ".yaml" || ext == ".yml"
}

// near names the experiments that a mistyped id may mean: those of its paper, or all papers.
func near(arg string, all []*Experiment) string {
	paper, _, _ := strings.Cut(arg, "/")
	var ids, papers []string
	for _, e := range all {
		p, _, _ := strings.Cut(e.ID, "/")
		if p == paper {
			ids = append(ids, e.ID)
		}
		if !slices.Contains(papers, p) {
			papers = append(papers, p)
		}
	}
	if ids != nil {
		return "there are " + strings.Join(ids, ", ")
	}
	return "the papers here are " + strings.Join(papers, ", ") +
		"; a spec of your own is named by its path, ending in .yaml"
}

// natural compares ids with runs of digits as numbers.
func natural(a, b string) int {
	for a != "" && b != "" {
		na, ra := number(a)
		nb, rb := number(b)
		if na >= 0 && nb >= 0 {
			if na != nb {
				return cmp.Compare(na, nb)
			}
			a, b = ra, rb
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// number splits leading digits off; −1 if there are none.
func number(s string) (int, string) {
	n, i := 0, 0
	for i < len(s) && i < 9 && s[i] >= '0' && s[i] <= '9' {
		n = 10*n + int(s[i]-'0')
		i++
	}
	if i == 0 {
		return -1, s
	}
	return n, s[i:]
}

// besideSpec reads a file that stands beside the spec: printed numbers.
func besideSpec(specFile, name string) ([]byte, error) {
	if p, ok := strings.CutPrefix(specFile, committed); ok && fs.ValidPath(path.Join(path.Dir(p), name)) {
		if text, err := experiments.FS.ReadFile(path.Join(path.Dir(p), name)); err == nil || !isOnDisk(specFile) {
			return text, err
		}
	}
	return os.ReadFile(filepath.Join(filepath.Dir(specFile), filepath.FromSlash(name)))
}

func isOnDisk(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
