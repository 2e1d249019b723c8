package inputs_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/inputs"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/origin"
	"github.com/gaplab/gaplab/models"
)

// reading is the model of package toy with settings that name two files. The warnings of its task are their content.
type reading struct {
	toy.Classifier `yaml:",inline"`
	content        []string
}

// Files implements models.Reader.
func (*reading) Files() []string { return []string{"second.txt", "first.txt"} }

// Read implements models.Reader.
func (m *reading) Read(path string, r io.Reader) error {
	text, err := io.ReadAll(r)
	m.content = append(m.content, filepath.Base(path)+" "+string(text))
	return err
}

// Build implements models.Builder.
func (m *reading) Build(train, validation datasets.Data) (*models.Task, error) {
	task, err := m.Classifier.Build(train, validation)
	task.Warnings = m.content
	return task, err
}

// TestFilesOfTheModel checks that a model gets the content of the files that its settings name, in the order of the
// settings, that the content is part of the checksum of the data, before the fold, and that all runs use the content
// that the first run has read. If a file is missing, the error has the place of the model in the spec.
func TestFilesOfTheModel(t *testing.T) {
	s := toy.Spec(t, toy.AtC+"repeat: {folds: 2}\nsolvers: [{name: ascent}]\nstop: {passes: 1}\n")
	runs, err := s.Plan()
	if err != nil || len(runs) != 2 {
		t.Fatalf("%d runs, %v, want 2", len(runs), err)
	}
	cat, _ := catalogue()
	plain, err := inputs.New(s, cat, datasets.Source{}).Data(t.Context(), runs[0])
	if err != nil {
		t.Fatal(err)
	}
	data := strings.TrimSuffix(plain.Checksum, " fold 1 of 2")
	cat.Models[0].New = func() any { return &reading{} }
	_, _, err = inputs.New(s, cat, datasets.Source{}).Task(t.Context(), runs[0])
	if !errors.Is(err, datasets.ErrMissing) || !strings.HasPrefix(fmt.Sprint(err), s.File+":4: model: ") {
		t.Errorf("error without the files %v, want ErrMissing at line 4 of the spec", err)
	}
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(filepath.Dir(s.File), name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	}
	sums := []string{write("second.txt", "two"), write("first.txt", "one")}
	in := inputs.New(s, cat, datasets.Source{})
	for k, r := range runs {
		task, set, err := in.Task(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s with the files of the model %s fold %d of 2", data, datasets.Checksum(sums...), k+1)
		if set.Checksum != want {
			t.Errorf("checksum of the data\n%s, want\n%s", set.Checksum, want)
		}
		if got := strings.Join(task.Warnings, ", "); got != "second.txt two, first.txt one, of the data" {
			t.Errorf("the model has read %q, want both files in the order of its settings", got)
		}
		write("second.txt", "changed between the runs")
	}
}

// edited is the model of package toy with a changed task. It is also the model that extends another one.
type edited struct {
	toy.Classifier `yaml:",inline"`
	edit           func(*models.Task) error
}

// Build implements models.Builder.
func (m *edited) Build(train, validation datasets.Data) (*models.Task, error) {
	task, err := m.Classifier.Build(train, validation)
	if err == nil {
		err = m.edit(task)
	}
	return task, err
}

// Extend implements models.Extender.
func (m *edited) Extend(_ *models.Task, _ []float64, train, validation datasets.Data) (*models.Task, error) {
	task, err := m.Classifier.Build(train, validation)
	if err == nil {
		err = m.edit(task)
	}
	if err != nil {
		return nil, err
	}
	return task, nil
}

// TestModelsThatDoNotFit checks which tasks are faults of the spec, and their reasons: for a run on all data, for a run
// on a fold, and for a run that extends the model of another run.
func TestModelsThatDoNotFit(t *testing.T) {
	const text = `problems:
  base: {}
  upon: {from: base, model: {name: shifted, loss: LOSS}}
solvers: [{name: ascent}]
stop: {passes: 1}
`
	nothing := func(*models.Task) error { return nil }
	posterior := func(t *models.Task) error { t.Posterior = true; return nil }
	large := func(*models.Task) error { return errors.New("too large") }
	for _, c := range []struct {
		about       string
		loss        string
		below, here func(*models.Task) error
		fold, folds int
		want        string
	}{
		{"a model", "hinge", nothing, nothing, 0, 0, ""},
		{"a fold for each example", "hinge", nothing, nothing, 60, 60, ""},
		{"too many folds", "hinge", nothing, nothing, 1, 61,
			"61 folds need at least as many training examples; there are 60"},
		{"an error", "log", nothing, large, 0, 0, "too large"},
		{"an error in a fold", "log", nothing, large, 1, 2, "too large"},
		{"an error above probabilities", "log", posterior, large, 0, 0, "too large"},
		{"no examples", "log", nothing, func(t *models.Task) error { t.Train = nil; return nil }, 0, 0,
			"no training examples"},
		{"probabilities", "log", posterior, posterior, 0, 0, ""},
		{"probabilities that are not trained", "hinge", nothing, posterior, 0, 0, `set "loss" to log, not hinge`},
		{"probabilities without weights", "hinge", nothing, func(t *models.Task) error {
			t.Posterior, t.Unknowns = true, nil
			return nil
		}, 0, 0, ""},
		{"no probabilities above probabilities", "log", posterior, nothing, 0, 0, "predicts by its own inference"},
	} {
		s := toy.Spec(t, toy.AtC+strings.ReplaceAll(text, "LOSS", c.loss))
		runs, err := s.Plan()
		if err != nil || len(runs) != 2 {
			t.Fatalf("%d runs, %v, want 2", len(runs), err)
		}
		cat, _ := catalogue()
		cat.Models[0].New = func() any { return &edited{edit: c.below} }
		cat.Models[2].New = func() any { return &edited{edit: c.here} }
		whole, upon := runs[1], runs[1]
		whole.Base = nil
		for _, r := range []lang.Run{whole, upon} {
			r.Fold, r.Folds = c.fold, c.folds
			in := inputs.New(s, cat, datasets.Source{})
			in.SetWeights(origin.PlanKey(*upon.Base), []float64{1}, nil)
			other := r // a run with another loss whose task is made first
			other.Model.Loss = "log"
			_, _, _ = in.Task(t.Context(), other)
			task, _, err := in.Task(t.Context(), r)
			want := c.want
			if r.Base == nil && c.about == "no probabilities above probabilities" {
				want = "" // no other model is below
			}
			var fault *lang.Fault
			if want == "" {
				if err != nil || len(task.Train) != toy.N-min(1, c.fold) {
					t.Errorf("%s, on another model: %v: error %v, want a task", c.about, r.Base != nil, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), want) ||
				c.folds < toy.N && (!errors.As(err, &fault) || fault.Key != "model" || fault.File != s.File) {
				t.Errorf("%s, on another model: %v: error %v, want a fault of the model with %q", c.about, r.Base != nil, err, want)
			}
		}
	}
}

// file is a format of users' files: each line is a class followed by a number.
type file struct {
	Path string `yaml:"path"`
}

// Load implements datasets.Loader.
func (f *file) Load(ctx context.Context, s datasets.Source) (*datasets.Set, error) {
	set := &datasets.Set{Name: f.Path, Train: &datasets.Labelled{Classes: []string{"a", "b"}}}
	var err error
	set.Checksum, err = s.ReadOwn(ctx, f.Path, func(_ string, r io.Reader) error {
		rows := set.Train.(*datasets.Labelled)
		for {
			var class int
			var x float64
			if _, err := fmt.Fscanln(r, &class, &x); err == io.EOF {
				rows.X.Dim = 1
				return nil
			} else if err != nil {
				return err
			}
			rows.X.N++
			rows.X.Value, rows.Y = append(rows.X.Value, x), append(rows.Y, class)
		}
	})
	return set, err
}

// TestUsersFiles checks that a path in a spec is relative to the folder of the spec, also if the cache of parsed data
// has the data of another folder, that data which other code or another revision has parsed are not used, and that an
// error has the place of the data set in the spec.
func TestUsersFiles(t *testing.T) {
	source := datasets.Source{}
	source.Parsed.Folder, source.Parsed.Limit = t.TempDir(), 1<<20
	cat := toy.Catalogue()
	loads := 0
	cat.Datasets[2].New = func() any { return &counting{file{}, &loads} }
	text := strings.Replace(toy.AtC, "{name: points, train: 60, validation: 40}", "{format: rows, path: x.csv}", 1) +
		"solvers: [{name: ascent}]\nstop: {passes: 1}\n"
	first, second := toy.Spec(t, text), toy.Spec(t, text)
	load := func(about string, s *lang.Spec, rows, want string, parsed int) {
		t.Helper()
		runs, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if rows != "" {
			if err := os.WriteFile(filepath.Join(filepath.Dir(s.File), "x.csv"), []byte(rows), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		loads = 0
		set, err := inputs.New(s, cat, source).Data(t.Context(), runs[0])
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), filepath.Dir(s.File)+string(filepath.Separator))
		} else {
			got = fmt.Sprint(set.Train.(*datasets.Labelled).X.Value)
		}
		if !strings.HasPrefix(got, want) || loads != parsed {
			t.Errorf("%s: data %q after %d calls of the parser, want %q after %d", about, got, loads, want, parsed)
		}
	}
	load("no file", second, "", "spec.yaml:3: ", 1)
	load("a file", first, "0 5\n1 7\n", "[5 7]", 1)
	load("the same file", first, "", "[5 7]", 0)
	load("another file", second, "0 6\n1 8\n", "[6 8]", 1)
	load("a damaged file", second, "0 6\n1 six\n", "spec.yaml:3: ", 1)
	cat.Datasets[2].Revision++
	load("another revision", first, "", "[5 7]", 1)
	sources := cat.Sources
	cat.Sources = func(pkg string) string { return sources(pkg) + " later" }
	load("other code", first, "", "[5 7]", 1)
	load("the same code", first, "", "[5 7]", 0)
	cat.Sources = nil
	load("unknown code", first, "", "[5 7]", 1)
	load("unknown code again", first, "", "[5 7]", 1)
}

// counting counts how often file is loaded.
type counting struct {
	file  `yaml:",inline"`
	loads *int
}

// Load implements datasets.Loader.
func (c *counting) Load(ctx context.Context, s datasets.Source) (*datasets.Set, error) {
	*c.loads++
	return c.file.Load(ctx, s)
}

// TestEachBaseHasItsOwnTask checks that runs that start from the weights of different runs have different tasks, even
// if their own settings are the same, and that runs that start from the same run share a task.
func TestEachBaseHasItsOwnTask(t *testing.T) {
	s := toy.Spec(t, toy.AtC+`problems:
  base: {solvers: [{name: ascent}]}
  upon: {from: base, model: {name: shifted, loss: log}, solvers: [{name: ascent}, {name: whole}]}
seeds: [1, 2]
stop: {passes: 1}
`)
	runs, err := s.Plan()
	if err != nil {
		t.Fatal(err)
	}
	cat, _ := catalogue()
	in := inputs.New(s, cat, datasets.Source{})
	weights := map[string]float64{} // the first weight of each base
	tasks := map[string]*models.Task{}
	for _, r := range runs {
		if r.Base == nil {
			weights[origin.PlanKey(r)] = float64(len(weights) + 1)
			in.SetWeights(origin.PlanKey(r), append([]float64{weights[origin.PlanKey(r)]}, make([]float64, 17)...), nil)
			continue
		}
		in.Hold(r)
		task, _, err := in.Task(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		whole, _, err := in.Task(t.Context(), *r.Base)
		if err != nil {
			t.Fatal(err)
		}
		base := origin.PlanKey(*r.Base)
		if known, ok := tasks[base]; ok && known != task {
			t.Errorf("two runs on the run %s have two tasks, want one", base)
		}
		tasks[base] = task
		// The score of the first class is the first feature times the first weight of the base.
		above, below := make([]float64, 3), make([]float64, 3)
		task.Train[0].Features.Score(above, make([]float64, 3))
		one := append([]float64{1}, make([]float64, 17)...)
		whole.Train[0].Features.Score(below, one)
		if want := below[0] * weights[base]; above[0] != want || want == 0 {
			t.Errorf("score of the base %s = %v, want %v from its own weights", base, above[0], want)
		}
	}
	if len(tasks) < 2 || len(weights) != len(tasks) {
		t.Errorf("%d runs have weights, and %d of them are extended; want all, and more than one", len(weights), len(tasks))
	}
}
