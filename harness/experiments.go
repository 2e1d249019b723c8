package harness

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Experiment is a spec that was checked at every scale and found valid.
type Experiment struct {
	*lang.File
}

// Item describes the experiment for a list.
func (e *Experiment) Item() (experiments.Item, error) {
	s, err := e.At("", nil)
	if err != nil {
		return experiments.Item{}, err
	}
	item := experiments.Item{ID: s.ID, Title: s.Title, Kind: s.Kind, Claims: []string{}, Scales: e.Scales()}
	if s.Paper != nil {
		item.Paper = s.Paper.Key
	}
	for _, c := range s.Claims {
		item.Claims = append(item.Claims, s.ID+"/"+c.ID)
	}
	if s.Figure != nil {
		runs, err := s.Plan()
		if err != nil {
			return experiments.Item{}, err
		}
		set, unknown, _ := planned(runs, Catalogue())
		item.Series = figure.Methods(s.Figure, set, unknown)
	}
	return item, nil
}

// hues returns the colour number (hue) of each method, so that a method has the same colour in all figures of the
// experiment's paper. The methods come from the index of the built-in experiments. hues returns nil for a user's spec.
func hues(s *lang.Spec) (map[string]int, error) {
	if !s.BuiltIn {
		return nil, nil
	}
	index, err := experiments.Index()
	if err != nil {
		return nil, err
	}
	var lists [][]string
	for _, id := range experiments.IDs() {
		if path.Dir(id) == path.Dir(s.ID) {
			lists = append(lists, index[id].Series)
		}
	}
	return figure.AssignHues(lists), nil
}

// committed is the prefix of the file names of the built-in specs. All other specs are the user's files.
const committed = "experiments/"

// specParser returns the parser of specs. There is only one, because it caches the compiled schemas.
var specParser = sync.OnceValues(func() (*lang.Parser, error) { return lang.NewParser(Catalogue()) })

// Experiments returns the built-in experiments, in natural order (fig9 before fig10).
func Experiments() ([]*Experiment, error) {
	all, err := everyExperiment()
	return slices.Clone(all), err
}

// everyExperiment returns the built-in experiments. It reads them only once, because they do not change.
var everyExperiment = sync.OnceValues(func() ([]*Experiment, error) { return readAll(experiments.IDs()) })

// readAll reads experiments in parallel. names are ids or paths of files; the result has the same order.
func readAll(names []string) ([]*Experiment, error) {
	out, faults := make([]*Experiment, len(names)), make([]error, len(names))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		g.Go(func() error {
			if isFile(name) {
				out[i], faults[i] = readFile(name)
			} else {
				out[i], faults[i] = readCommitted(name + ".yaml")
			}
			return nil
		})
	}
	g.Wait()
	out = slices.DeleteFunc(out, func(e *Experiment) bool { return e == nil })
	return out, errors.Join(faults...)
}

// readCommitted reads one built-in spec, PAPER/ITEM.yaml.
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
		return nil, fmt.Errorf("%s%s: id: %s does not match the name of the file; accepted: %s", committed, p, f.ID, want)
	}
	f.BuiltIn = true
	return &Experiment{f}, nil
}

// Find returns one experiment, given its id or the path of its YAML file.
func Find(id string) (*Experiment, error) {
	all, err := Select(id)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// readFile reads a user's spec file.
func readFile(file string) (*Experiment, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		specs, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.yaml"))
		if len(specs) > 0 {
			err = fmt.Errorf("%w%s", err, nearest.Accepted(file, specs))
		}
		return nil, err
	}
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

// Select finds experiments by ids, patterns of ids (eg/fig0*), papers (eg) and paths of YAML files. It returns each
// experiment once, in the order of the arguments. If an argument matches nothing, the error lists similar names. Select
// reads only the named experiments.
func Select(args ...string) ([]*Experiment, error) {
	names, err := Resolve(args...)
	if err != nil {
		return nil, err
	}
	return readAll(names)
}

// Resolve returns the ids and the paths of files that the arguments of Select name. It does not read the experiments.
func Resolve(args ...string) ([]string, error) {
	var out []string
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	ids := experiments.IDs()
	for _, arg := range args {
		if isFile(arg) {
			add(arg)
			continue
		}
		found := false
		for _, id := range ids {
			matches, err := path.Match(arg, id)
			if err != nil {
				return nil, fmt.Errorf("%q: bad pattern; accepted: *, ? and [a-z] within one folder, such as 'eg/fig0*'", arg)
			}
			if matches || strings.HasPrefix(id, arg+"/") {
				found = true
				add(id)
			}
		}
		if !found {
			return nil, fmt.Errorf("no experiment %q%s; accepted: %s", arg, meant(arg, ids), near(arg, ids))
		}
	}
	return out, nil
}

// isFile reports whether an argument is the path of a spec file rather than an id.
func isFile(arg string) bool {
	ext := filepath.Ext(arg)
	return ext == ".yaml" || ext == ".yml"
}

// meant returns a text ", did you mean ...?". If the argument names a figure, table or theorem, such as "figure 6", the
// text lists the experiments with that item, such as eg/fig06. Otherwise it suggests the id that is closest to the
// argument.
func meant(arg string, ids []string) string {
	paper, part, found := strings.Cut(arg, "/")
	if !found {
		paper, part = "", arg
	}
	var list []string
	for _, id := range ids {
		if folder, own, _ := strings.Cut(id, "/"); plain(own) == plain(part) && (paper == "" || paper == folder) {
			list = append(list, strconv.Quote(id))
		}
	}
	if list == nil {
		return nearest.DidYouMean(arg, ids)
	}
	return ", did you mean " + strings.Join(list, " or ") + "?"
}

// plain returns the name of a figure, table or theorem in one form: fig6 for fig06, "Figure 6" and figure-6.
func plain(part string) string {
	part = strings.NewReplacer("figure", "fig", "table", "tab", "theorem", "thm", "corollary", "cor", "lemma", "lem",
		"algorithm", "alg", "section", "sec", "proposition", "prop").Replace(strings.ToLower(part))
	letters := strings.TrimRight(part, "0123456789")
	number := strings.TrimLeft(part[len(letters):], "0")
	return strings.TrimRight(letters, " -_.") + number
}

// near lists what a mistyped id may mean: the experiments of the paper in the id or, if there is no such paper, all
// papers.
func near(arg string, all []string) string {
	paper, _, _ := strings.Cut(arg, "/")
	var ids, papers []string
	for _, id := range all {
		if strings.HasPrefix(id, paper+"/") {
			ids = append(ids, id)
		}
	}
	for _, p := range experiments.Papers() {
		papers = append(papers, p.Key)
	}
	if ids != nil {
		return strings.Join(ids, ", ")
	}
	return strings.Join(papers, ", ") + "; or the path of your own spec, ending in .yaml"
}

// Argument returns the argument that names the experiment on a command line: its id or, for a user's spec, the path of
// its file.
func (e *Experiment) Argument() string { return argument(e.Name, e.ID) }

func argument(file, id string) string {
	if file == committed+id+".yaml" {
		return id
	}
	return file
}

// runCommand returns the command that makes the results of a spec. It has no flag --scale if the spec file has no
// scales.
func runCommand(s *lang.Spec) string {
	command := "gaplab run " + argument(s.File, s.ID)
	if s.Scale == lang.ScaleOwn {
		return command
	}
	return command + " --scale " + s.Scale
}

// besideSpec reads a file in the folder of the spec, such as a CSV file of numbers printed in the paper.
func besideSpec(specFile, name string) ([]byte, error) {
	if p, ok := strings.CutPrefix(specFile, committed); ok && fs.ValidPath(path.Join(path.Dir(p), name)) {
		if text, err := experiments.FS.ReadFile(path.Join(path.Dir(p), name)); err == nil || !isOnDisk(specFile) {
			return text, err
		}
	}
	root, err := os.OpenRoot(filepath.Dir(specFile))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(filepath.FromSlash(name))
}

func isOnDisk(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
